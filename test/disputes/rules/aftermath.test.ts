import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds, nowIso } from '#core/kernel/clock.ts';
import { settleDueRefund, settleRefund } from '#disputes/refunds/connection-refund-flow.ts';
import { doExtras } from '#disputes/refunds/extras/aftermath-flow.ts';
import { readAlertRefund } from '#disputes/refunds/refund-store.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import type { ConnectedProcessor } from '#payments/processors/ports/connected-processor.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { alertAt, disputeAt, formFields, fresh, noticesAt, seedEnrolledSite } from '#test/disputes/alerts/seed.ts';
import { sentOrder, sentOrderOfCharge } from '#test/payments/orders/samples.ts';
import { countCalls, untilKilled, useMortality } from '#test/payments/transactions/killed-process.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { advance, useConnectionsInTheEvening, useSandbox } from '#test/payments/transactions/support.ts';
import { makeArn } from '#test/support/arns.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { always } from './samples.ts';

useOperations();
useMortality();
useSandbox();
useConnectionsInTheEvening();

let shop: Tenant;
let site: Site;
beforeEach(async () => {
  shop = await newShop({}, { order_insights: true, oi_merchant_id: `oi-after-${fresh()}` });
  site = await seedEnrolledSite(shop.mid, { max_daily_refunds: 1000 });
  const connections = [{ kind: 'sandbox', label: 'Trial' }];
  await ask('connections/set-connections', { as: shop.as, params: { mid: shop.mid }, body: { connections } });
  const action = { type: 'refund', cancel_subscription: true, block: true };
  const body = { sid: site.sid, name: 'Refund', conditions: always, action };
  expect(await ask('rules/create-rule', { body })).toMatchObject({ status: 200, body: { action } });
});

const fraud = (amount: string, change: Record<string, unknown>) =>
  disputeAt(site, amount, { type: 'CONFIRMED_FRAUD', ...change });
const decide = (alertId: number) => decideAlert(alertId, paymentRefunds, false);
const readAfter = async (alertId: number) => (await alertAt(alertId)).automatic?.decision?.afterwards;
const readComment = async (alertId: number): Promise<string> => {
  const { delivery } = await noticesAt(alertId);
  return JSON.parse(formFields(delivery?.body)['txdetails'] ?? '[]')[0].comment ?? '';
};
const blocked = async () => {
  const { body } = await ask('fraud/set-fraud-lists', { as: shop.as, params: { sid: shop.sid }, body: {} });
  return (body as { block: { cards: { card: string }[]; emails: string[] } }).block;
};
/** The sample charges of the day by number: 15 is one of a subscription. */
const coded = (number: string) => ({
  authCode: String(100_000 + Number(`02${number}`)),
  ...(Number(number) > 12 && { cardBin: '555555', cardLast4: '4444' }),
});

describe('a rule that ends subscriptions and blocks payers', () => {
  it('ends the one that the charge came from, and says so', async () => {
    const alertId = await fraud('9.90', coded('15'));
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', update: { reason_code: '100.001' } });
    expect(await readAfter(alertId)).toEqual([
      'subscription sbs_4444 ended',
      'payer not blocked: neither the number of the card nor an e-mail address is known',
    ]);
    expect(await readComment(alertId)).toContain('subscription sbs_4444 ended');
  });

  it('reports which action failed, and keeps the refund', async () => {
    const alertId = await fraud('19.99', coded('01'));
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    expect(await readComment(alertId)).toContain('subscription not ended: the charge came from none');
  });

  it('does neither for a dispute', async () => {
    const alertId = await disputeAt(site, '9.90', coded('15'));
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    expect(await readAfter(alertId)).toBeUndefined();
  });

  it('keeps card and e-mail address of a payment that was taken here away from all payment sites, each once', async () => {
    const amounts = ['10.00', '11.00'];
    for (const amount of amounts) await pay(shop, amount);
    for (const amount of amounts) {
      const alertId = await fraud(amount, { cardBin: '424242', cardLast4: '4242', transactionTimestamp: nowIso() });
      await decide(alertId);
      expect(await readAfter(alertId)).toContain('card and e-mail blocked at 1 payment sites');
      const { cards, emails } = await blocked();
      expect([cards.map(({ card }) => card), emails]).toEqual([['424242******4242'], [expect.any(String)]]);
    }
  });

  it('reports the payment sites whose lists are full', async () => {
    const emails = Array.from({ length: 1000 }, (_, number) => `blocked-${number}@shop.example`);
    const body = { block: { emails } };
    await ask('fraud/set-fraud-lists', { as: shop.as, params: { sid: shop.sid }, body });
    await pay(shop, '10.00');
    const alertId = await fraud('10.00', { cardBin: '424242', cardLast4: '4242', transactionTimestamp: nowIso() });
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    expect(await readAfter(alertId)).toContain(
      `card and e-mail blocked at 0 payment sites; not at ${shop.sid}, whose lists are full`,
    );
    expect(await blocked()).toMatchObject({ cards: [], emails });
  });

  it('keeps away whom the order names', async () => {
    const arn = makeArn(fresh());
    const sent = sentOrder({
      ...{ reference: `O-${fresh()}`, amount: '45.20', amount_subtotal: undefined, amount_shipping: undefined },
      ...{ amount_tax: undefined, amount_coupon: undefined, card_firstsix: '411111', card_lastfour: '1111' },
      ...{
        order_date: '2026-05-02T02:00:00Z',
        transaction_date: null,
        arn,
        auth_code: '100202',
        refunds: null,
        descriptor: 'SHOP',
      },
    });
    expect(await ask('orders/create-order', { as: shop.as, body: { sid: shop.sid, ...sent } })).toMatchObject({
      status: 200,
    });
    const alertId = await fraud('45.20', coded('02'));
    await decide(alertId);
    expect(await readAfter(alertId)).toContain('e-mail blocked at 1 payment sites');
    expect((await blocked()).emails).toEqual(['ada@example.com']);
  });

  it('blocks the payer only after a pending refund is done', async () => {
    const arn = makeArn(fresh());
    const sent = sentOrderOfCharge({ reference: `O-${fresh()}`, arn });
    expect(await ask('orders/create-order', { as: shop.as, body: { sid: shop.sid, ...sent } })).toMatchObject({
      status: 200,
    });
    const alertId = await fraud('12.61', coded('09'));
    await decide(alertId);
    const check = async () => settleRefund((await readAlertRefund(alertId)) ?? expect.fail('No refund'));
    expect([(await check()).refund.state, (await blocked()).emails]).toEqual(['asked', []]);
    advance(2 * milliseconds.minute);
    expect([(await check()).refund.state, (await blocked()).emails]).toEqual(['done', ['ada@example.com']]);
  });

  it('does it when a refund that was pending is done', async () => {
    const alertId = await fraud('12.61', coded('09'));
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP' });
    expect(await readAfter(alertId)).toBeUndefined();
    advance(2 * milliseconds.minute);
    const { refund } = (await readAlertRefund(alertId)) ?? {};
    await settleDueRefund({ alertId, slot: refund?.nextCheckAt ?? '' });
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    expect(await readAfter(alertId)).toContain('subscription not ended: the charge came from none');
  });

  it('does it once more wherever it is killed, and says it once', async () => {
    const first = await fraud('9.90', coded('15'));
    const calls = await countCalls(() => decide(first));
    expect(calls).toBeGreaterThan(5);
    const alertId = await fraud('120.00', coded('16'));
    for (let at = 1; at <= calls; at += 1) {
      await untilKilled(at, 'before', () => decide(alertId));
      advance(10 * milliseconds.minute);
    }
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    expect(await readAfter(alertId)).toHaveLength(2);
  });
});

describe('the further actions of a rule', () => {
  type Cancel = NonNullable<ConnectedProcessor['cancelSubscription']>;
  const place = { connection: 'con_1', reference: 'ch_1' };
  /** Returns what is said of an alert of this type after a rule with this action. */
  const saidAfter = async (
    action: object,
    { type = 'FRAUD', cancel, at = place }: { type?: string; cancel?: Cancel | null; at?: typeof place | null } = {},
  ) => {
    const alert = await alertAt(await fraud('9.90', coded('15')));
    const of = { ...alert, providerAlert: { ...alert.providerAlert, type } };
    const connected = cancel === undefined ? undefined : cancel === null ? {} : { cancelSubscription: cancel };
    const transaction = { payment_gateway_reference2: '1' };
    const begun = { rule: { action: { type: 'refund', ...action } }, transaction, place: at };
    return doExtras(of as never, begun as never, (async () => connected) as never);
  };
  const cancels = { cancel_subscription: true };
  const isEnded: Cancel = async () => ({ outcome: 'OK', reference: 'sub_1' });
  const unknown = 'payer not blocked: neither the number of the card nor an e-mail address is known';

  it('are those that it names, for fraud, warnings of it and cancelled orders', async () => {
    expect(await saidAfter({}, { cancel: isEnded })).toEqual([]);
    expect(await saidAfter({ block: true }, { cancel: isEnded })).toEqual([unknown]);
    expect(await saidAfter(cancels, { cancel: isEnded })).toEqual(['subscription sub_1 ended']);
    expect(await saidAfter(cancels, { cancel: isEnded, type: 'CANCEL' })).toEqual(['subscription sub_1 ended']);
    expect(await saidAfter(cancels, { cancel: isEnded, type: 'DISPUTE' })).toEqual([]);
    expect(await saidAfter(cancels, { cancel: isEnded, type: 'FRAUD_NOTICE' })).toEqual(['subscription sub_1 ended']);
    const held = 'order not held: its shop is not connected';
    expect(await saidAfter({ type: 'notify', hold_order: true }, { cancel: isEnded, type: 'DISPUTE' })).toEqual([held]);
  });

  it.each<[string, Cancel | null | undefined, typeof place | null]>([
    ['payments taken here come from none', isEnded, null],
    ['its processor cannot be told to', null, place],
    ['its processor cannot be told to', undefined, place],
    [
      'the charge came from none',
      async () => ({ outcome: 'EXC', code: 'not_found_at_processor', reference: null }),
      place,
    ],
    ['limit_exceeded', async () => ({ outcome: 'EXC', code: 'limit_exceeded', reference: null }), place],
    ['the processor did not answer', async () => ({ outcome: 'UNKNOWN', detail: 'no answer' }), place],
    ['it could not be tried', () => Promise.reject(new Error('no connection')), place],
  ])('are reported if a subscription was not ended: %s', async (reason, cancel, at) => {
    const of = cancel === undefined ? { at } : { cancel, at };
    vi.mocked(process.stdout.write).mockClear();
    expect(await saidAfter(cancels, of)).toEqual([`subscription not ended: ${reason}`]);
    const lines = vi.mocked(process.stdout.write).mock.calls.map(([line]) => JSON.parse(String(line)).event);
    expect(lines.includes('aftermath_failed')).toBe(reason === 'it could not be tried');
  });
});

it.each(['cancel_subscription', 'block'])('%s is of rules that refund alone', async (name) => {
  const body = { sid: site.sid, name: 'x', conditions: always, action: { type: 'notify', [name]: true } };
  const answer = await ask('rules/create-rule', { body });
  expect(answer).toMatchObject({ status: 400, body: { details: `action.${name}: notify does not take it` } });
});
