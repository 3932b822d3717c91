import { nowIso } from '#core/kernel/clock.ts';
import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { failedDeliveries, queueReplays } from '../../replay-store.ts';
import { replayFailedOperation } from './operation.ts';

export const handler = auditedEndpoint(replayFailedOperation, async ({ body, caller }, diversion) => {
  const ids = await failedDeliveries(body, caller);
  if (!body.dry_run) await queueReplays(ids, nowIso());
  diversion.isReal = !body.dry_run && ids.length > 0;
  return { status: 'ok' as const, matched: ids.length, queued: body.dry_run ? 0 : ids.length };
});
