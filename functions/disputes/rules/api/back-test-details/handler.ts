import { endpoint } from '#core/platform/http/http.ts';
import { backTestForCaller } from '../../back-test/back-test-store.ts';
import { backTestDetailsOperation } from './operation.ts';

export const handler = endpoint(backTestDetailsOperation, ({ params, body, caller }) =>
  backTestForCaller(params.id, body.cursor, caller),
);
