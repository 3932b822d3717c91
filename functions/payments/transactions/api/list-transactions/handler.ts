import { endpoint } from '#core/platform/http/http.ts';
import { transactionsFor } from '../../transaction/transaction-list-store.ts';
import { listTransactionsOperation } from './operation.ts';

export const handler = endpoint(listTransactionsOperation, ({ body, caller }) => transactionsFor(body, caller));
