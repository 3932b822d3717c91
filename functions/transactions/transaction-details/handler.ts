import { endpoint } from '../../core/http.ts';
import { paymentForCaller } from '../details-store.ts';
import { transactionDetails } from './operation.ts';

export const handler = endpoint(transactionDetails, ({ params, caller }) => paymentForCaller(params.parentxid, caller));
