import { endpoint } from '#core/platform/http/http.ts';
import { paymentForCaller } from '../../transaction/transaction-details-store.ts';
import { transactionDetails } from './operation.ts';

export const handler = endpoint(transactionDetails, ({ params, caller }) => paymentForCaller(params.parentxid, caller));
