import { randomUUID } from 'node:crypto';
import * as v from 'valibot';

const Created = v.object({ order_id: v.number() });

type Wanted = { sid: number; now: string; token: string; arn?: string };

/** Stores an order at a site of a running stack and answers its number. */
export const newOrderOf = async (url: string, { sid, now, token, arn }: Wanted): Promise<string> => {
  const response = await fetch(`${url}/api/v3/orders/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      ...{ sid, reference: randomUUID(), order_date: now, amount: '10.00', currency: 'USD' },
      ...{ card_firstsix: '424242', card_lastfour: '4242', card_type: 'VISA' },
      ...(arn !== undefined && { arn }),
      items: [{ name: 'A thing', quantity: 1, amount_unit: '10.00' }],
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The order was answered ${response.status} ${text}`);
  return String(v.parse(Created, JSON.parse(text)).order_id);
};

/** Stores one under an acquirer's reference number of its own and answers that. */
export const newArnOf = async (url: string, wanted: Wanted): Promise<string> => {
  const arn = `7${BigInt(`0x${randomUUID().replaceAll('-', '')}`)}`.padEnd(23, '0').slice(0, 23);
  await newOrderOf(url, { ...wanted, arn });
  return arn;
};
