import { endpoint } from '../../core/http.ts';
import { transactionsFor } from '../list-store.ts';
import { listTransactions } from './operation.ts';

export const handler = endpoint(listTransactions, ({ body, caller }) => transactionsFor(body, caller));
