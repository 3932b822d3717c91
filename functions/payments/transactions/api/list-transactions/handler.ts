import { endpoint } from '#core/platform/http/http.ts';
import { transactionsFor } from '../../transaction/transaction-list-store.ts';
import { listTransactions } from './operation.ts';

export const handler = endpoint(listTransactions, ({ body, caller }) => transactionsFor(body, caller));
