import { createHash } from 'node:crypto';
import { type Call, callOnce, callUntilKnown, type Reply } from '../gateway.ts';
import type { Observed, Payment } from '../outside-events.ts';
import type { Site } from '../setup.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** A shop that takes payments, and does with them whatever shops do. */

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const admin = { scope: 'admin', subject: 'operator', freshUntil: '2999-01-01T00:00:00.000Z' };
export const card = { number: '4242424242424242', first6: '424242', last4: '4242' } as const;

/** The meaning of an amount's last two digits to the sandbox; see processors/sandbox. */
const courses = ['00', '00', '00', '61', '62', '64', '65', '66', '67', '68', '69'] as const;

export const drawAmount = (random: Random, isSmall: boolean): string =>
  `${isSmall ? 10 + random.int(9) : 30 + random.int(60)}.${random.pick(courses)}`;

export type Shop = { world: World; observed: Observed; site: Site };

/** `more`: the other fields of its call. */
export type Order = Payment & { more?: Readonly<Record<string, unknown>> };

/** The timestamps with which the orders of a world were signed, by what their hashes are made of. */
const signed = new WeakMap<World, Map<string, string>>();

/** The second for which an order is signed: not one for which another order of the site has the same hash, which is good for one alone. */
const secondFor = ({ world, site }: Shop, { tid, amount }: Order, late: number): number => {
  const known = signed.get(world) ?? new Map<string, string>();
  signed.set(world, known);
  let second = Math.floor(world.timeline.now / 1000) - late;
  const key = () => `${site.sid} ${second} ${amount}`;
  while ((known.get(key()) ?? tid) !== tid) second -= 1;
  known.set(key(), tid);
  return second;
};

/** Signed at the time it is sent; `late` seconds ago, so that the hash is another. */
const makeOrder = (shop: Shop, order: Order, late: number) => {
  const { site } = shop;
  const { tid, action, amount, number = card.number, more = {} } = order;
  const timestamp = String(secondFor(shop, order, late));
  return {
    params: { id: site.sid },
    body: {
      hash: md5(`${site.sid}${timestamp}${amount}USD${site.rcode}`),
      timestamp,
      tid,
      card_type: 'VISA',
      card_no: number,
      card_ccv: '123',
      card_exp_month: '12',
      card_exp_year: '2031',
      card_name: 'Jenny Rosen',
      firstname: 'Jenny',
      lastname: 'Rosen',
      email: 'jenny@payers.example',
      item_name: ['Hosting'],
      item_amount_unit: [amount],
      currency: 'USD',
      tx_action: action,
      postback_url: `https://${site.host}/postback`,
      ...more,
    },
  };
};

/** Pays until the result is known; perhaps twice at once, as impatient payers do. `then`: called once, with the result. */
export const pay = (
  shop: Shop,
  payment: Payment,
  isDoubled: boolean,
  then: (result: Record<string, unknown>) => void,
): void => {
  const known = ({ status, body }: Reply) => {
    if (status !== 200)
      return void shop.observed.surprises.push(`A payment was answered ${status} ${JSON.stringify(body)}`);
    const isFirst = payment.txids.size === 0;
    payment.txids.add(Number(body['txid']));
    if (isFirst) then(body);
  };
  const send = (late: number) =>
    callUntilKnown(shop.world, 'transactions/singletx', () => makeOrder(shop, payment, late), known);
  send(0);
  if (isDoubled) shop.world.timeline.after(5, () => send(1));
};

/** Pays, where that may be refused: then there is no payment. */
export const payUnlessRefused = (shop: Shop, order: Order, late: number): void =>
  callUntilKnown(
    shop.world,
    'transactions/singletx',
    () => makeOrder(shop, order, late),
    ({ status, body }) => {
      if (status !== 200) return;
      if (order.txids.size === 0) shop.observed.payments.push(order);
      order.txids.add(Number(body['txid']));
    },
  );

/** Sends money to a card until the result is known; more than is available is refused. */
export const payOut = (shop: Shop, order: Omit<Order, 'action'>, late: number): void => {
  const make = (): Call => {
    const { params, body } = makeOrder(shop, { ...order, action: 'PAYMENT' }, late);
    const { item_name: _name, item_amount_unit: amount, tx_action: _action, ...rest } = body;
    return { params, body: { ...rest, amount: amount[0] } };
  };
  callUntilKnown(shop.world, 'transactions/payout', make, () => undefined);
};

/** One of the things that are done to a payment once it is there; what is refused is refused. */
export const followUp = (
  { world, site }: Shop,
  { txid, amount, alertId }: { txid: number; amount: string; alertId: number | null },
  random: Random,
): void => {
  const once = (...given: [Parameters<typeof callOnce>[1], Call]) => callOnce(world, ...given, () => undefined);
  const refund = (part: string, more: Record<string, unknown> = {}): void => {
    const tid = `refund-${random.int(1e9)}`;
    const body = { amount: part, currency: 'USD', tid, ...more };
    const call = { body, params: { parentxid: txid }, caller: admin };
    callUntilKnown(
      world,
      'refunds/processrefund',
      () => call,
      () => undefined,
    );
  };
  const forAlert = alertId === null ? {} : { alert_id: alertId };
  const half = (Number(amount) / 2).toFixed(2);
  const doings = {
    refund: () => refund(amount),
    'refund in part': () => refund(half),
    'refund twice': () => {
      refund(half);
      world.timeline.after(random.next() * 15, () => refund(amount));
    },
    'refund for the alert': () => refund(amount, forAlert),
    'refund in part for the alert': () => refund(half, forAlert),
    'refund in parts for the alert': () => {
      refund(half, forAlert);
      world.timeline.after(random.next() * 4000, () => refund(half, forAlert));
    },
    capture: () =>
      once('transactions/flagcapture', {
        params: { id: site.sid },
        body: { parent_txid: txid, amount, hash: md5(`${site.sid}${amount}${site.rcode}`) },
      }),
    requery: () => once('refunds/requery', { params: { id: txid }, body: { sid: site.sid, rcode: site.rcode } }),
    code: () =>
      once('transactions/sendauth', {
        params: { id: txid },
        body: {
          authtype: 'SMS',
          authvalue: random.pick(['123456', '123456', '000000']),
          hash: md5(`${site.sid}${site.rcode}`),
        },
      }),
  } as const;
  const names = Object.keys(doings) as (keyof typeof doings)[];
  doings[random.pick(names)]();
};
