import { nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import { orderHash, signVrfy, siteHash } from '#payments/payments/order/hashes.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import type { Answer } from '#test/support/gateway-event.ts';
import { ask } from '#test/support/operations.ts';

type Fields = Record<string, unknown>;

/** A result object as a merchant reads it. */
export type Result = {
  txid: number;
  parent_txid: number;
  status: string;
  tx_action: string;
  amount: number;
  currency: string;
  vrfy: string;
  error_code?: string;
  error_msg?: string;
  next_action?: { type: string; url?: string };
} & Record<string, unknown>;

/** A merchant with a payment site in USD. Sandbox, as it has no routes. */
export const newShop = async (settings: Fields = {}, merchant: Fields = {}): Promise<Tenant> => {
  const tenant = await newTenant({ merchant, site: { currency: 'USD' } });
  const { mid, rid, sid, as } = tenant;
  const { status, body } = await ask('merchants/set-payment-settings', {
    as,
    params: { mid, rid, sid },
    body: settings,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return tenant;
};

export const testCards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  mastercard: '5555555555554444',
} as const;

let signed = 0;

/** Unix seconds that go on faster than time does, so that orders within one second have different hashes. */
export const ownTimestamp = (now = nowMilliseconds()): string => {
  signed += 1;
  return String(Math.floor(now / 1000) + (signed % 800));
};

const canonical = (amount: string, currency: string): string => {
  const money = parseAmount(amount, currency);
  return typeof money === 'string' ? amount : formatAmount(money);
};

const usedHashes = new Set<string>();

/** Signs an order with a timestamp whose hash no other order has: a test that moves its clock can reach the same second again. */
const signOrder = (order: { sid: number; total: string; currency: string }, rcode: string) => {
  for (let attempt = 0; attempt < 800; attempt += 1) {
    const timestamp = ownTimestamp();
    const hash = orderHash({ ...order, timestamp }, rcode);
    if (!usedHashes.has(hash)) {
      usedHashes.add(hash);
      return { hash, timestamp };
    }
  }
  throw new Error('Every second that an order may state now is used');
};

/** The body of singletx for one item at this price, with the right hash; fields changed as asked. */
export const orderBody = (
  { sid, rcode }: Pick<Tenant, 'sid' | 'rcode'>,
  amount: string,
  change: Fields = {},
): Fields => {
  const currency = String(change['currency'] ?? 'USD');
  return {
    ...signOrder({ sid, total: canonical(amount, currency), currency }, rcode),
    card_type: 'VISA',
    card_no: testCards.good,
    card_ccv: '123',
    card_exp_month: '12',
    card_exp_year: String(Number(nowIso().slice(0, 4)) + 3),
    card_name: 'Jenny Rosen',
    firstname: 'Jenny',
    lastname: 'Rosen',
    email: 'jenny.rosen@example.com',
    item_name: ['Hosting'],
    item_amount_unit: [amount],
    currency,
    tx_action: 'PAYMENT',
    postback_url: 'https://shop.example.com/postback',
    ...change,
  };
};

/** Returns the answer of singletx. */
export const tryPay = (shop: Tenant, amount: string, change: Fields = {}): Promise<Answer> =>
  ask('transactions/singletx', { params: { id: shop.sid }, body: orderBody(shop, amount, change) });

/** The same where it must be a result. */
export const pay = async (shop: Tenant, amount: string, change: Fields = {}): Promise<Result> =>
  okResult(await tryPay(shop, amount, change));

export const preauth = (shop: Tenant, amount: string, change: Fields = {}): Promise<Result> =>
  pay(shop, amount, { tx_action: 'PREAUTH', ...change });

export const tryPayout = (shop: Tenant, amount: string, change: Fields = {}): Promise<Answer> => {
  const { item_name, item_amount_unit, tx_action, card_type, ...body } = orderBody(shop, amount, change);
  return ask('transactions/payout', { params: { id: shop.sid }, body: { amount, ...body } });
};

export const okResult = ({ status, body }: Answer): Result => {
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body as Result;
};

export const readStatus = async ({ sid, rcode }: Tenant, txid: number): Promise<Result> =>
  okResult(await ask('transactions/getstatus', { params: { id: txid }, query: { hash: siteHash(sid, rcode) } }));

/** Returns the right `vrfy` of a result. */
export const expectedVrfy = ({ sid, rcode }: Tenant, { txid, status, amount, currency, tx_action }: Result): string =>
  signVrfy(sid, rcode, { txid, status, amount: canonical(String(amount), currency), currency, tx_action });
