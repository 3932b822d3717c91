import { nowMilliseconds } from '../../core/clock.ts';
import { endpoint } from '../../core/http.ts';
import { screenOrder } from '../../fraud/screen-store.ts';
import { SignedCart } from '../../payments/signed-order.ts';
import { returnLink } from '../return-link.ts';
import { startTransaction } from '../start-flow.ts';
import { singleTxOrder } from '../start-orders.ts';
import { verifiedResult } from '../transaction.ts';
import { singleTx } from './operation.ts';

export const handler = endpoint(
  singleTx,
  async ({ params, body, baseUrl }) => {
    const order = singleTxOrder({ sid: params.id, body, now: nowMilliseconds() });
    const { transaction, rcode } = await startTransaction(order, (txid, ring) => returnLink(baseUrl, txid, ring));
    return verifiedResult(transaction, rcode);
  },
  { screen: screenOrder(SignedCart) },
);
