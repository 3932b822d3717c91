import { endpoint } from '#core/platform/http/http.ts';
import { paymentForCaller } from '../../transaction/transaction-details-store.ts';
import { transactionDetailsOperation } from './operation.ts';

export const handler = endpoint(transactionDetailsOperation, ({ params, caller }) =>
  paymentForCaller(params.parentxid, caller),
);
