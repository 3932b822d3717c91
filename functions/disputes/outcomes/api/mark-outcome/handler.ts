import { endpoint } from '#core/platform/http/http.ts';
import { markForCaller } from '../../correction-store.ts';
import { markOutcomeOperation } from './operation.ts';

export const handler = endpoint(markOutcomeOperation, async ({ params, body, caller }) => {
  const { id, state } = await markForCaller(params.id, body, caller);
  return { status: 'ok' as const, id, state };
});
