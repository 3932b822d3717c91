import { nowMilliseconds } from '../../core/clock.ts';
import { endpoint } from '../../core/http.ts';
import { screenOrder } from '../../fraud/screen-store.ts';
import { SignedCart } from '../../payments/signed-order.ts';
import { convertToSite } from '../../pricing/conversion-store.ts';
import { returnLink } from '../return-link.ts';
import { startTransaction } from '../start-flow.ts';
import { convertNPayOrder } from '../start-orders.ts';
import { verifiedResult } from '../transaction.ts';
import { convertNPay } from './operation.ts';

export const handler = endpoint(
  convertNPay,
  async ({ params, body, baseUrl }) => {
    const order = convertNPayOrder({ sid: params.id, body, now: nowMilliseconds() });
    const linkOf: Parameters<typeof startTransaction>[1] = (txid, ring) => returnLink(baseUrl, txid, ring);
    const { transaction, rcode } = await startTransaction(order, linkOf, convertToSite);
    return verifiedResult(transaction, rcode);
  },
  { screen: screenOrder(SignedCart) },
);
