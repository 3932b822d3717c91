import { beforeAll, describe, expect, it } from 'vitest';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { captureHash, orderHash } from '#payments/payments/order/hashes.ts';
import { type PayingSite, seedPayingSite } from '#test/payments/pricing/seed.ts';
import { orderBody } from '#test/payments/transactions/shop.ts';
import { useSandbox } from '#test/payments/transactions/support.ts';
import { ask, useOperations } from '#test/support/operations.ts';

useOperations();
useSandbox();

type Key = Pick<PayingSite, 'sid' | 'rcode'>;
type Call = { operation: string; params?: (key: Key) => Record<string, number>; body?: (key: Key) => unknown };

const id = ({ sid }: Key) => ({ id: sid });
const bySid = ({ sid }: Key) => ({ sid });
const order = (key: Key) => orderBody(key, '10.00');
const timestamp = () => String(Math.floor(nowMilliseconds() / 1000));
const signed = ({ sid, rcode }: Key) => {
  const at = timestamp();
  return { timestamp: at, hash: orderHash({ sid, timestamp: at, total: '10.00', currency: 'USD' }, rcode) };
};

/** Calls that prove by a hash or an rcode whose they are. */
const proven: Call[] = [
  { operation: 'transactions/singletx', params: id, body: order },
  { operation: 'transactions/convertnpay', params: id, body: order },
  { operation: 'transactions/payout', params: id, body: (key) => ({ ...order(key), amount: '10.00' }) },
  {
    operation: 'transactions/flagcapture',
    params: id,
    body: ({ sid, rcode }) => ({ parent_txid: 1, amount: '10.00', hash: captureHash(sid, '10.00', rcode) }),
  },
  {
    operation: 'pricing/fee-quote',
    body: (key) => ({
      ...{ ...key, currency_code: '840', country: 'US', fxrate_posted: '1', summary: [], items: [] },
      ...{ amount_purchase: '10.00', amount_shipping: '0.00', amount_coupon: '0.00', amount_tax: '0.00' },
      cart: [{ item_desc: 'Tea', item_no: '1', amount_unit: '10.00', quantity: '1', name: 'Food' }],
    }),
  },
  { operation: 'pricing/raw-fees', body: (key) => ({ ...key, currency: '840', country: 'US' }) },
  { operation: 'pricing/payment-options', params: id, body: ({ rcode }) => ({ rcode }) },
  { operation: 'pricing/vendor-payment-options', params: id, body: ({ rcode }) => ({ rcode, country: 'US' }) },
  {
    operation: 'pricing/bin-payment-options',
    params: id,
    body: (key) => ({
      ...signed(key),
      ...{ BIN: '424242', item_name: ['Tea'], item_amount_unit: ['10.00'], currency: 'USD' },
    }),
  },
  { operation: 'fraud/fraudcheck', params: id, body: order },
  { operation: 'balance/balance', params: id, body: ({ rcode }) => ({ rcode }) },
];
/** Calls with a token. */
const signedIn: Call[] = [
  { operation: 'pricing/set-fees', params: bySid, body: () => ({ fees: [] }) },
  { operation: 'fraud/set-fraud-lists', params: bySid, body: () => ({ block: { bins: ['400000'] } }) },
  { operation: 'processors/set-site-processors', params: bySid, body: () => ({ routes: [] }) },
  { operation: 'processors/site-processors-details', params: bySid },
];

const send = async ({ operation, params, body }: Call, key: Key, as: 'admin' | 'nobody') => {
  const answer = await ask(operation, { as, ...(params && { params: params(key) }), ...(body && { body: body(key) }) });
  const { error_msg, details } = answer.body as { error_msg?: string; details?: string };
  return { status: answer.status, words: error_msg ?? details };
};

const words = {
  alert: 'sid: this is a site of type alert, and types are permanent; use a payment site.',
  '3ds': 'sid: this is a site of type 3ds, and types are permanent; use a payment site.',
  none: 'sid: the site has no payment settings yet; set them with …/sid/{sid}/payment first.',
};
const kinds = ['alert', '3ds', 'none'] as const;
const named = (calls: Call[]) => calls.map((call) => [call.operation, call] as const);

describe.each(kinds)('a site of type %s', (kind) => {
  let site: PayingSite;
  beforeAll(async () => {
    site = await seedPayingSite({ type: kind === 'none' ? null : kind, payment: null });
  });

  it.each(named(proven))('is refused by %s with the reason', async (_, call) => {
    expect(await send(call, site, 'nobody')).toEqual({ status: 409, words: words[kind] });
  });

  it.each(named(proven))('does not reveal its type in %s to a caller with another secret', async (_, call) => {
    expect(await send(call, { ...site, rcode: 'guess' }, 'nobody')).toMatchObject({ status: 401 });
  });

  it.each(named(signedIn))('is refused by %s with the reason', async (_, call) => {
    expect(await send(call, site, 'admin')).toEqual({ status: 409, words: words[kind] });
  });
});
