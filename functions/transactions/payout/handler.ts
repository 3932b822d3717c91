import { nowMilliseconds } from '../../core/clock.ts';
import { endpoint } from '../../core/http.ts';
import { screenOrder } from '../../fraud/screen-store.ts';
import { SignedAmount } from '../../payments/signed-order.ts';
import { returnLink } from '../return-link.ts';
import { startTransaction } from '../start-flow.ts';
import { payoutOrder } from '../start-orders.ts';
import { verifiedResult } from '../transaction.ts';
import { payout } from './operation.ts';

export const handler = endpoint(
  payout,
  async ({ params, body, baseUrl }) => {
    const order = payoutOrder({ sid: params.id, body, now: nowMilliseconds() });
    const { transaction, rcode } = await startTransaction(order, (txid, ring) => returnLink(baseUrl, txid, ring));
    return verifiedResult(transaction, rcode);
  },
  { screen: screenOrder(SignedAmount) },
);
