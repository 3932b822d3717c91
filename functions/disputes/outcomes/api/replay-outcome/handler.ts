import { endpoint } from '#core/platform/http/http.ts';
import { replayForCaller } from '../../correction-store.ts';
import { replayOutcomeOperation } from './operation.ts';

export const handler = endpoint(replayOutcomeOperation, async ({ params, caller }) => {
  const { id, state } = await replayForCaller(params.id, caller);
  return { status: 'ok' as const, id, state };
});
