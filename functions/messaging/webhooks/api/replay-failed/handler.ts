import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { failedDeliveries, queueReplays } from '../../replay-store.ts';
import { replayFailedOperation } from './operation.ts';

export const handler = endpoint(replayFailedOperation, async ({ body, caller }) => {
  const ids = await failedDeliveries(body, caller);
  if (!body.dry_run) await queueReplays(ids, nowIso());
  return { status: 'ok' as const, matched: ids.length, queued: body.dry_run ? 0 : ids.length };
});
