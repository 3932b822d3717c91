import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { SampleStack, Values } from './sample-stack.ts';

const Created = v.object({ order_id: v.number() });

/** - `{{order_id}}`: a new order of the demo site; `{{order_arn}}`: the acquirer's reference number of another */
export const orderValues = ({ credentials: { site }, read, postAsMerchant }: SampleStack): Values => {
  const newOrder = async (change: { arn?: string } = {}): Promise<string> => {
    const order = {
      ...{ sid: site.sid, reference: randomUUID(), order_date: await read('now'), amount: '10.00', currency: 'USD' },
      ...{ card_firstsix: '424242', card_lastfour: '4242', card_type: 'VISA' },
      items: [{ name: 'A thing', quantity: 1, amount_unit: '10.00' }],
      ...change,
    };
    return String(v.parse(Created, await postAsMerchant('/api/v3/orders/create', order)).order_id);
  };
  return {
    order_id: () => newOrder(),
    order_arn: async () => {
      const arn = `7${BigInt(`0x${randomUUID().replaceAll('-', '')}`)}`.padEnd(23, '0').slice(0, 23);
      await newOrder({ arn });
      return arn;
    },
  };
};
