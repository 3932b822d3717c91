import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { screenOrder } from '#payments/fraud/check/screen-store.ts';
import { SignedAmount } from '#payments/payments/order/signed-order.ts';
import { returnLink } from '../../payer/return-link.ts';
import { startTransaction } from '../../start/start-flow.ts';
import { payoutOrder } from '../../start/start-orders.ts';
import { verifiedResult } from '../../transaction/transaction.ts';
import { payoutOperation } from './operation.ts';

export const handler = endpoint(
  payoutOperation,
  async ({ params, body, baseUrl }) => {
    const order = payoutOrder({ sid: params.id, body, now: nowMilliseconds() });
    const { transaction, rcode } = await startTransaction(order, (txid, ring) => returnLink(baseUrl, txid, ring));
    return verifiedResult(transaction, rcode);
  },
  { screen: screenOrder(SignedAmount) },
);
