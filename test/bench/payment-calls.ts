import { randomUUID } from 'node:crypto';
import { firstOrderProfile, toOrderProfileItem } from '#accounts/merchants/settings/order-profile-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { readCard } from '#core/kernel/card/card.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { putItem, transact } from '#core/platform/table/table.ts';
import { handler as processRefundHandler } from '#disputes/refunds/api/processrefund/handler.ts';
import { processRefundOperation } from '#disputes/refunds/api/processrefund/operation.ts';
import { sandboxValueOf } from '#payments/processors/sandbox/sandbox-authentication.ts';
import { toAuthenticationItem, valueWrite } from '#payments/threeds/authentication/authentication-row.ts';
import { handler as getStatusHandler } from '#payments/transactions/api/getstatus/handler.ts';
import { getStatusOperation } from '#payments/transactions/api/getstatus/operation.ts';
import { handler as singleTxHandler } from '#payments/transactions/api/singletx/handler.ts';
import { authenticated, created } from '#test/payments/threeds/samples.ts';
import type { CallCounter } from '#test/support/call-counter.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { type Answer, call, gatewayEvent } from '#test/support/gateway-event.ts';
import { during, type WorkCost } from './calls.ts';
import { makeShop, orderEvent, rowOfShop, rowOfStripe, type Shop, statusHash } from './payment-samples.ts';

type Result = { txid: number; status: string; error_code?: string };
type Order = Readonly<Record<string, unknown>>;
/** The cost of a call, and its answer. */
export type PaymentCost = WorkCost & Pick<Result, 'status' | 'error_code'>;

const toResult = ({ status, body }: Answer): Result => {
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body as Result;
};

const pay = async (shop: Shop, order: Order = {}): Promise<Result> =>
  toResult(await call(singleTxHandler, orderEvent(shop, order)));

const readStatus = async (shop: Shop, { txid }: Result): Promise<Result> => {
  const query = { hash: statusHash(shop) };
  const event = gatewayEvent({
    path: getStatusOperation.path,
    method: 'GET',
    pathParameters: { id: String(txid) },
    query,
  });
  return toResult(await call(getStatusHandler, event));
};

const refund = async (shop: Shop, { txid }: Result, order: Order = {}): Promise<Result> => {
  const event = gatewayEvent({
    path: processRefundOperation.path,
    pathParameters: { parentxid: String(txid) },
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount: '10.00', currency: 'USD', ...order }),
    authorizer: {
      scope: 'merchant',
      mid: String(shop.site.mid),
      subject: 'somebody',
      freshUntil: '2999-01-01T00:00:00.000Z',
    },
  });
  return toResult(await call(processRefundHandler, event));
};

const countCost = async (counter: CallCounter, work: () => Promise<Result>): Promise<PaymentCost> => {
  const results: Result[] = [];
  const cost = await during(counter, async () => results.push(await work()));
  const [{ status = '', error_code } = {}] = results as Partial<Result>[];
  return { ...cost, status, ...(error_code !== undefined && { error_code }) };
};

let shops = 100;
const newShop = async (settings?: NonNullable<Site['payment']>): Promise<Shop> => {
  shops += 1;
  const shop = makeShop(shops, settings);
  await putItem(rowOfShop(shop));
  return shop;
};

/** One whose merchant keeps orders. */
const newKeeper = async (): Promise<Shop> => {
  const shop = await newShop();
  await putItem(toOrderProfileItem(firstOrderProfile(shop.site)));
  return shop;
};

/** An order whose payer was authenticated by the sandbox. */
const authenticatedOrder = async ({ site: { mid, sid } }: Shop): Promise<Order> => {
  const [ring, at] = [await keyRing('encryption'), nowIso()];
  const card_no = '4000100511122103';
  const card = readCard({ card_no, card_exp_month: '12', card_exp_year: '2039' }, { today: at, cvvIsOptional: true });
  if (Array.isArray(card)) throw new Error(card.join());
  const { scheme, first6, last4, token } = card.toKeptCard(ring);
  const [id, dsTransId] = [newTimedId(), randomUUID()];
  const result = { ...authenticated, dsTransId };
  const money = { minor: '1000', currency: 'USD' };
  const done = created({ id, mid, sid, money, status: 'done', outcome: 'authenticated', doneAt: at, result });
  await putItem(toAuthenticationItem({ ...done, card: { scheme, first6, last4, token } }));
  await transact({ row: valueWrite(id, sandboxValueOf(ring, { dsTransId, transStatus: 'Y' }), ring, at) });
  return { card_no, threeDSecure: { authentication_id: id } };
};

const declined = { card_no: '4000000000000002' };

/** A payment in each of the ways it can go. The first call, which also reads the secret, is not counted. */
export const costsOfPayments = async (counter: CallCounter) => {
  process.env['ALLOW_SANDBOX'] = 'true';
  const [shop, checked, keeper] = [await newShop(), await newShop({ ftid: 1 }), await newKeeper()];
  const paid = await pay(shop);
  const cost = (order: Order, at = shop) => countCost(counter, () => pay(at, order));
  return {
    plain: await cost({}),
    checked: await cost({}, checked),
    preauth: await cost({ tx_action: 'PREAUTH' }),
    declined: await cost(declined),
    checkedDeclined: await cost(declined, checked),
    firstTid: await cost({ tid: 'order-1' }),
    checkedFirstTid: await cost({ tid: 'order-1' }, checked),
    replayed: await cost({ tid: 'order-1' }),
    kept: await cost({}, keeper),
    keptPreauth: await cost({ tx_action: 'PREAUTH' }, keeper),
    keptDeclined: await cost(declined, keeper),
    authenticated: await cost(await authenticatedOrder(shop)),
    checkedAuthenticated: await cost(await authenticatedOrder(checked), checked),
    status: await countCost(counter, () => readStatus(shop, paid)),
  };
};

const costsOfRefundsAt = async (counter: CallCounter, shop: Shop) => {
  const [paid, held] = [await pay(shop), await pay(shop, { tx_action: 'PREAUTH' })];
  return {
    part: await countCost(counter, () => refund(shop, paid, { amount: '4.00', tid: 'refund-1' })),
    rest: await countCost(counter, () => refund(shop, paid, { amount: '6.00' })),
    voided: await countCost(counter, () => refund(shop, held)),
    replayed: await countCost(counter, () => refund(shop, paid, { amount: '4.00', tid: 'refund-1' })),
  };
};

/** Refunds and a void, at the sandbox, which keeps its own state in our table, and at Stripe, which does not. */
export const costsOfRefunds = async (counter: CallCounter) => {
  process.env['ALLOW_SANDBOX'] = 'true';
  await using stripe = await startFakeStripe();
  const shop = await newShop();
  const { secretKey: secret_key, webhookSecret: webhook_secret, url: base_url } = stripe;
  await putItem(rowOfStripe(shop, { secret_key, webhook_secret, base_url }));
  return {
    stripe: await costsOfRefundsAt(counter, shop),
    sandbox: await costsOfRefundsAt(counter, await newShop()),
    kept: await costsOfRefundsAt(counter, await newKeeper()),
  };
};
