import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstOrderProfile, toOrderProfileItem } from '#accounts/merchants/settings/order-profile-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds, nowIso, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact } from '#core/platform/table/table.ts';
import { fromAlertOrderItem } from '#disputes/alerts/alert-order-row.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { handler as worker } from '#disputes/lookups/jobs/record-lookups/handler.ts';
import type { OrderLookup } from '#disputes/lookups/lookup/lookup.ts';
import { fromLookupItem, lookupIdOf, lookupKeyOf } from '#disputes/lookups/lookup/lookup-row.ts';
import { recordLookup, settleLookup } from '#disputes/lookups/lookup/record-store.ts';
import { settleAlertOrder } from '#disputes/lookups/order/disputed-order-store.ts';
import { dueMessage, messagesFor } from '#jobs/due-routing.ts';
import { isClean } from '#payments/orders/order.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import { fresh, seedClaims, seedSite, send, take } from '#test/disputes/alerts/seed.ts';
import { now } from '#test/payments/orders/samples.ts';
import { openShop, type Shop, store } from '#test/payments/orders/shop.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { useSandbox } from '#test/payments/transactions/support.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';

useOperations();
useSandbox();

type Fields = Record<string, unknown>;
const arn = '24692161070000622606414';

let shop: Shop;
let alertSite: Site;
let descriptor: string;

/** A site of a merchant that gets its alerts. */
const alertSiteOf = async ({ mid, rid }: Pick<Shop, 'mid' | 'rid'>): Promise<Site> => {
  const site = await seedSite({ mid, rid, alert: settings() });
  await putItem(toOrderProfileItem({ ...firstOrderProfile(site), version: 1 }));
  descriptor = `SHOP ${site.sid}`;
  for (const name of ['provider_a', 'provider_b', 'rdr']) await seedClaims(name, 'EXACT', descriptor, site);
  return site;
};

beforeEach(async () => {
  setClock(() => Date.parse(now));
  shop = await openShop();
  alertSite = await alertSiteOf(shop);
});
afterEach(() => setClock());

const card = { cardBin: '424242', cardLast4: '4242', arn };
const takeA = async (change: Fields = {}): Promise<number> =>
  (await take('provider_a', { alertId: `A${fresh()}`, merchantDescriptor: descriptor, ...card, ...change })).alert_id;

let cases = 0;
const newCase = (): string => {
  cases += 1;
  return `case-${cases}`;
};
const caseB = (caseId: string, change: Fields = {}): Fields => ({
  ...{ caseId, descriptor, accountNumber: '424242xxxxxx4242', arn, authorizationCode: '387373' },
  ...change,
});

const readSearch = async (alertId: number) => fromAlertOrderItem(await getItem(keys.alertOrder(alertId)));
const isOwed = async (alertId: number): Promise<boolean> =>
  (await getItem(keys.alertOrder(alertId)))?.['dueSk'] !== undefined;
const later = (days: number): void => setClock(() => Date.parse(now) + days * milliseconds.day);
const readDisputes = async (orderId: number): Promise<unknown> => (await getOrder(orderId))?.disputes;

let lookups = 0;
/** A look-up that showed the order. */
const lookedAt = async (orderId: number, at: string = now): Promise<OrderLookup> => {
  lookups += 1;
  const lookup: OrderLookup = {
    ...{ name: `look-${lookups}-${at.slice(0, 10)}`, provider: 'provider_b', at, channel: 'OIM', result: 'found' },
    ...{ milliseconds: 5, card: { first6: '424242', last4: '4242' }, amount: '361.56', currency: 'USD', date: at },
    ...{ mid: shop.mid, orderId, sid: shop.sid, reference: 'A-1001', shown: ['purchase'], ce3: null, outcome: 'open' },
  };
  await recordLookup(lookup);
  return lookup;
};
const readOutcome = async (lookup: OrderLookup) =>
  fromLookupItem(await getItem(lookupKeyOf(lookupIdOf(lookup)) ?? expect.fail('no key')))?.outcome;

describe('an alert about an order', () => {
  it('marks it and the look-ups that showed it, and both name each other', async () => {
    const orderId = await store(shop);
    const lookup = await lookedAt(orderId);
    const alertId = await takeA();
    expect(await isOwed(alertId)).toBe(true);
    await settleAlertOrder(alertId);
    const order = await getOrder(orderId);
    expect(order?.disputes).toEqual([{ alertId, type: 'FRAUD', at: now }]);
    expect(order && isClean(order)).toBe(false);
    expect(await readOutcome(lookup)).toBe('disputed');
    const details = await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } });
    expect(details.body).toMatchObject({ order_id: orderId });
    const own = await ask('lookups/order-details', { as: shop.as, params: { id: orderId } });
    expect(own.body).toMatchObject({ order: { disputed: true }, alerts: [{ alert_id: alertId, status: 'OPEN' }] });
    const page = await ask('lookups/list-orders', { as: shop.as, body: { sid: shop.sid, disputed: true } });
    expect(page.body).toMatchObject({ list: [{ order_id: orderId, disputed: true }] });
  });

  it.each<[string, () => Promise<number>]>([
    ['an informational one', () => takeA({ type: 'FRAUD_NOTICE' })],
    ['a dispute of the other network', async () => (await take('provider_b', caseB(newCase()))).alert_id],
    [
      'what a network decided',
      async () =>
        (
          await take('rdr', {
            ...{ decisionId: newCase(), paymentDescriptor: descriptor, ...card, authCode: '387373' },
            transactionDate: '2026-04-30T09:17:28Z',
          })
        ).alert_id,
    ],
    ['one that names it by code and amount alone', () => takeA({ arn: '', authCode: '387373' })],
  ])('marks it: %s', async (_name, come) => {
    const orderId = await store(shop);
    const alertId = await come();
    await settleAlertOrder(alertId);
    expect(await readDisputes(orderId)).toMatchObject([{ alertId }]);
  });

  it('is none of an order that only its amount and day fit', async () => {
    const orderId = await store(shop);
    const alertId = await takeA({ arn: '', authCode: '' });
    await settleAlertOrder(alertId);
    expect([await readDisputes(orderId), await isOwed(alertId)]).toEqual([[], true]);
  });

  it('finds an order that is sent within a week at the next sweep, and then stops searching', async () => {
    const alertId = await takeA();
    await settleAlertOrder(alertId);
    later(6);
    const orderId = await store(shop);
    expect(dueMessage((await getItem(keys.alertOrder(alertId))) ?? {}, nowIso())).toEqual({
      ...{ queue: 'lookups', body: { alertId } },
    });
    expect(await worker({ Records: [{ messageId: '1', body: JSON.stringify({ alertId }) }] } as never)).toEqual({
      batchItemFailures: [],
    });
    expect(await readDisputes(orderId)).toMatchObject([{ alertId }]);
    expect(await isOwed(alertId)).toBe(true);
    later(6.5);
    await settleAlertOrder(alertId);
    expect([await isOwed(alertId), (await readSearch(alertId))?.orderId]).toEqual([false, orderId]);
  });

  it('ends its search when none has come for eight days', async () => {
    const alertId = await takeA();
    later(9);
    await settleAlertOrder(alertId);
    expect(await readSearch(alertId)).toBeUndefined();
    await settleAlertOrder(alertId);
  });

  it('takes the mark back when its provider does, also after it was settled', async () => {
    const orderId = await store(shop);
    const lookup = await lookedAt(orderId);
    const caseId = newCase();
    const { alert_id: alertId } = await take('provider_b', caseB(caseId));
    await settleAlertOrder(alertId);
    later(1);
    await settleAlertOrder(alertId);
    expect([await isOwed(alertId), await readOutcome(lookup)]).toEqual([false, 'disputed']);
    const before = await getItem(keys.alertOrder(alertId));
    await send('provider_b', caseB(caseId, { status: 'REVOKED' }));
    const after = await getItem(keys.alertOrder(alertId));
    expect(messagesFor({ before, after } as never, nowIso())).toEqual([{ queue: 'lookups', body: { alertId } }]);
    await settleAlertOrder(alertId);
    expect([await readDisputes(orderId), await readOutcome(lookup)]).toEqual([[], 'open']);
    const page = await ask('lookups/list-orders', { as: shop.as, body: { sid: shop.sid, disputed: true } });
    expect(page.body).toMatchObject({ list: [] });
    later(2);
    await settleAlertOrder(alertId);
    expect(await isOwed(alertId)).toBe(false);
  });

  it('stops searching for its order once it is withdrawn', async () => {
    const caseId = newCase();
    const { alert_id: alertId } = await take('provider_b', caseB(caseId));
    await send('provider_b', caseB(caseId, { status: 'REVOKED' }));
    const orderId = await store(shop);
    await settleAlertOrder(alertId);
    expect([await readDisputes(orderId), await readSearch(alertId)]).toEqual([[], undefined]);
  });

  it('marks its order once it is assigned from the unmatched inbox', async () => {
    const orderId = await store(shop);
    const alertId = await takeA({ merchantDescriptor: 'NOBODY AT ALL' });
    expect(await readSearch(alertId)).toBeUndefined();
    await ask('alerts/assign-alert', { params: { alert_id: alertId }, body: { sid: alertSite.sid } });
    await settleAlertOrder(alertId);
    expect(await readDisputes(orderId)).toMatchObject([{ alertId }]);
  });

  it('that holds a payment of the merchant’s own marks the order of that', async () => {
    const own = await newShop({}, { order_insights: true, oi_merchant_id: `oi-held-${fresh()}` });
    await alertSiteOf(own);
    const { txid } = await pay(own, '24.00', { card_ccv: '739' });
    const alertId = await takeA({
      ...{ arn: '', authCode: '', amount: { value: '24.00', currencyCode: 'USD' }, transactionTimestamp: now },
    });
    await settleAlertOrder(alertId);
    expect(await readDisputes(txid)).toEqual([]);
    const before = await getItem(keys.disputeHold(alertId));
    await settleDispute(alertId);
    const after = await getItem(keys.disputeHold(alertId));
    expect(messagesFor({ before, after } as never, nowIso())).toContainEqual({ queue: 'lookups', body: { alertId } });
    await settleAlertOrder(alertId);
    expect(await readDisputes(txid)).toMatchObject([{ alertId }]);
  });

  it('has no search due if the merchant keeps no orders, or if the alert is a test', async () => {
    const plain = await seedSite({ alert: settings() });
    await seedClaims('provider_a', 'EXACT', `PLAIN ${plain.sid}`, plain);
    expect(await readSearch(await takeA({ merchantDescriptor: `PLAIN ${plain.sid}` }))).toBeUndefined();
  });
});

describe('marks survive', () => {
  it('messages that come twice and at once, and a merchant that changes the order meanwhile', async () => {
    const orderId = await store(shop);
    const alerts = [await takeA(), await takeA(), await takeA()];
    const change = (n: number) =>
      ask('orders/update-order', { as: shop.as, params: { id: orderId }, body: { descriptor: `D${n}` } });
    await Promise.all(
      [...alerts, ...alerts].map((alertId) => settleAlertOrder(alertId)).concat([change(1), change(2)] as never),
    );
    const disputes = (await getOrder(orderId))?.disputes.map(({ alertId }) => alertId).sort();
    expect(disputes).toEqual([...alerts].sort());
    expect((await getOrder(orderId))?.content.descriptor).toMatch(/^D[12]$/);
  });

  it('a move of the order to another date', async () => {
    const orderId = await store(shop);
    const alertId = await takeA();
    let moved = false;
    beforeTransactions(async () => {
      if (moved) return;
      moved = true;
      await ask('orders/update-order', {
        ...{ as: shop.as, params: { id: orderId }, body: { transaction_date: '2026-04-29T08:15:00Z' } },
      });
    });
    await settleAlertOrder(alertId);
    beforeTransactions();
    expect(await readDisputes(orderId)).toMatchObject([{ alertId }]);
    await ask('orders/update-order', {
      ...{ as: shop.as, params: { id: orderId }, body: { transaction_date: '2026-04-28T08:15:00Z' } },
    });
    expect(await readDisputes(orderId)).toMatchObject([{ alertId }]);
  });

  it('being killed before the look-ups are settled', async () => {
    const orderId = await store(shop);
    const alertId = await takeA();
    await settleAlertOrder(alertId);
    // Written down after the mark: neither the mark's own pass nor the look-up's message saw it.
    const lookup = { ...(await lookedAt(orderId, '2026-05-02T09:00:00.000Z')) };
    expect(await readOutcome(lookup)).toBe('disputed');
    const key = lookupKeyOf(lookupIdOf(lookup)) ?? expect.fail('no key');
    await transact({
      rows: [
        {
          Update: {
            Key: key,
            UpdateExpression: 'SET lookup.#o = :open, summary.#o = :open',
            ExpressionAttributeNames: { '#o': 'outcome' },
            ExpressionAttributeValues: { ':open': 'open' },
          },
        },
      ],
    });
    later(1);
    await settleAlertOrder(alertId);
    expect([await readOutcome(lookup), await isOwed(alertId)]).toEqual(['disputed', false]);
  });

  it('have nothing due after the order was deleted', async () => {
    const orderId = await store(shop);
    const alertId = await takeA();
    await settleAlertOrder(alertId);
    await ask('lookups/delete-order', { as: shop.as, params: { id: orderId }, body: {} });
    await settleAlertOrder(alertId);
    expect([await isOwed(alertId), await getOrder(orderId)]).toEqual([false, undefined]);
  });
});

describe('an order that its merchant says was reported', () => {
  it('keeps look-ups of it from counting as deflected', async () => {
    const orderId = await store(shop);
    const [early, untouched] = [
      await lookedAt(orderId),
      await lookedAt(await store(shop, { reference: 'B-1', arn: null })),
    ];
    await ask('orders/update-order', { as: shop.as, params: { id: orderId }, body: { reported: true } });
    const late = await lookedAt(orderId);
    expect(await readOutcome(late)).toBe('disputed');
    later(121);
    for (const lookup of [early, late, untouched]) await settleLookup(lookupIdOf(lookup));
    expect([await readOutcome(early), await readOutcome(late), await readOutcome(untouched)]).toEqual([
      ...['disputed', 'disputed', 'deflected'],
    ]);
  });
});
