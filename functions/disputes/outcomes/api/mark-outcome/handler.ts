import { endpoint } from '#core/platform/http/http.ts';
import { markForCaller } from '../../correction-store.ts';
import { markOutcome } from './operation.ts';

export const handler = endpoint(markOutcome, async ({ params, body, caller }) => {
  const { id, state } = await markForCaller(params.id, body, caller);
  return { status: 'ok' as const, id, state };
});
