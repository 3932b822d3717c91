import { beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds, nowIso, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { ruleNote } from '#disputes/alerts/automatic/automatic.ts';
import { newAlertMail } from '#disputes/alerts/outbox/alert-mail.ts';
import { settleDueRefund } from '#disputes/refunds/connection-refund-flow.ts';
import { readAlertRefund } from '#disputes/refunds/refund-store.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import {
  alertAt,
  disputeAt,
  formFields,
  fresh,
  makeRcode,
  noticesAt,
  outcomesAt,
  seedClaims,
  seedEnrolledSite,
  seedSite,
  take,
} from '#test/disputes/alerts/seed.ts';
import { countCalls, untilKilled, useMortality } from '#test/payments/transactions/killed-process.ts';
import { newShop } from '#test/payments/transactions/shop.ts';
import { advance, useConnectionsInTheEvening, useSandbox } from '#test/payments/transactions/support.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { letterText } from '#test/support/letters.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { replaceConnections } from '#test/support/replace-connections.ts';
import { always } from './samples.ts';

useOperations();
useMortality();
useSandbox();
useConnectionsInTheEvening();

let shop: Tenant;
let site: Site;
const connect = (...connections: object[]) => replaceConnections(shop, connections);
beforeEach(async () => {
  shop = await newShop();
  site = await seedEnrolledSite(shop.mid, { max_daily_refunds: 1000 });
  await connect({ kind: 'sandbox', label: 'Trial' });
  const body = { sid: site.sid, name: 'Refund', conditions: always, action: { type: 'refund' } };
  expect(await ask('rules/create-rule', { body })).toMatchObject({ status: 200 });
});

const dispute = (amount: string, change?: Record<string, unknown>) => disputeAt(site, amount, change);
const decide = (alertId: number, isLastTry = false) => decideAlert(alertId, paymentRefunds, isLastTry);
const isOwed = async (alertId: number) => (await getItem(keys.decision(alertId))) !== undefined;
const shown = async (alertId: number) => {
  const { delivery } = await noticesAt(alertId);
  const fields = formFields(delivery?.body);
  return { action: fields['alert_action'], ...JSON.parse(fields['txdetails'] ?? '[]')[0] };
};
/** The one sample charge of the day before last that an alert names by its code. */
const coded = (number: string) => ({ authCode: String(100_000 + Number(`02${number}`)) });

describe("a rule that refunds at the merchant's own processor", () => {
  it('answers the alert, and names the charge and the refund', async () => {
    const alertId = await dispute('19.99', coded('01'));
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({
      ...{ status: 'RESOLVED', action: 'RESOLVED', update: { reason_code: '100.001', alert_outcome_amount: '19.99' } },
      automatic: { decision: { result: 'refunded', reason: null } },
    });
    expect(await readAlertRefund(alertId)).toMatchObject({
      refund: { state: 'done', tries: 1, by: expect.stringMatching(/^rule /) },
    });
    expect(await shown(alertId)).toMatchObject({
      action: 'RESOLVED',
      alert_transaction: {
        payment_gateway_reference: 'sbc_20260502_01',
        payment_gateway_reference2: 'order-20260502_01',
      },
      transaction_action: { payment_gateway_reference2: 'sbc_20260502_01', payment_gateway_tx_type: 'refund' },
      transaction_potential_matches: null,
    });
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: true }]);
    const { refund } = (await readAlertRefund(alertId)) ?? {};
    const acted = (await alertAt(alertId)).update?.alert_outcome_action_date ?? '';
    expect(acted >= (refund?.refund?.payment_gateway_transaction_date ?? '9')).toBe(true);
  });

  it('leaves an alert to the person who began a refund before, and reports it', async () => {
    const alertId = await dispute('12.61', coded('09'));
    const { body: known } = await ask('connections/connection-details', { as: shop.as, params: { mid: shop.mid } });
    const [{ id: connection }] = (known as { connections: [{ id: string }] }).connections;
    const body = { connection, reference: 'sbc_20260502_09' };
    const made = await ask('refunds/refund-alert', { as: shop.as, params: { alert_id: alertId }, body });
    expect(made).toMatchObject({ status: 200, body: { alert_status: 'WIP' } });
    await decide(alertId);
    expect(await isOwed(alertId)).toBe(false);
    expect((await noticesAt(alertId)).delivery).toMatchObject({ state: 'PENDING' });
  });

  it('refunds none of several', async () => {
    const alertId = await dispute('39.00');
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({
      status: 'OPEN',
      automatic: { decision: { result: 'left_to_merchant', reason: 'several_matches' } },
    });
    expect((await shown(alertId)).transaction_potential_matches.length).toBeGreaterThan(1);
    expect(await readAlertRefund(alertId)).toBeUndefined();
  });

  it.each([
    ['05', '75.00', { status: 'RESOLVED', update: { reason_code: '951.001' } }],
    ['07', '90.00', { status: 'DECLINED', action: 'DECLINED', update: { reason_code: '952.002' } }],
    ['06', '80.00', { status: 'RESOLVED', update: { reason_code: '101.001', alert_outcome_amount: '50.00' } }],
    ['08', '25.00', { status: 'RESOLVED', update: { reason_code: '100.001', alert_outcome_amount: '25.00' } }],
    ['11', '12.65', { status: 'OPEN', action: 'MATCHED', automatic: { decision: { reason: 'refund_failed' } } }],
  ])('looks at charge %s before it refunds', async (number, amount, expected) => {
    const alertId = await dispute(amount, coded(number));
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject(expected);
  });

  it('leaves a part of what has not settled to the merchant', async () => {
    await seedClaims('provider_b', 'EXACT', `SHOP ${site.sid}`, site);
    const { alert_id: alertId } = await take('provider_b', {
      ...{ caseId: `B${fresh()}`, descriptor: `SHOP ${site.sid}`, accountNumber: '411111xxxxxx1111', arn: '' },
      ...{ authorizationCode: '100208', transactionAmount: '25.00', caseAmount: '5.00' },
      transactionDate: '2026-05-02T01:00:00Z',
    });
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({
      status: 'OPEN',
      automatic: { decision: { reason: 'only_whole_refundable' } },
    });
  });

  it.each([
    ['09', '12.61'],
    ['10', '12.62'],
  ])('leaves alert of charge %s in progress until it is known, and then answers it', async (number, amount) => {
    const alertId = await dispute(amount, coded(number));
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({
      ...{ status: 'WIP', action: 'MATCHED', update: { reason_code: '999.002' } },
      automatic: { decision: { result: 'refund_pending', reason: null } },
    });
    expect(await isOwed(alertId)).toBe(false);
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: false }]);
    advance(2 * milliseconds.minute);
    await settleDueRefund({ alertId });
    expect(await alertAt(alertId)).toMatchObject({
      ...{ status: 'RESOLVED', action: 'RESOLVED', update: { reason_code: '100.001' } },
      automatic: { decision: { result: 'refunded' } },
    });
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: false }, { isFinal: true }]);
  });

  it('waits while a connection cannot be asked, its merchant for five minutes at most', async () => {
    await using stripe = await startFakeStripe();
    const credentials = { secret_key: 'rk_test_ofSomebodyElse', base_url: stripe.url };
    await connect({ kind: 'sandbox', label: 'Trial' }, { kind: 'stripe', label: 'The shop', credentials });
    const alertId = await dispute('19.99', coded('01'));
    await decide(alertId);
    const nextAt = async () => (await getItem(keys.decision(alertId)))?.['nextAt'];
    expect(await nextAt()).toBe('2026-05-02T22:30:30.000Z');
    expect((await noticesAt(alertId)).delivery).toBeUndefined();
    // A message that comes early changes nothing.
    expect(await decide(alertId)).toBe('2026-05-02T22:30:30.000Z');
    advance(5 * milliseconds.minute);
    await decide(alertId);
    expect(await shown(alertId)).toMatchObject({ action: 'REVIEW' });
    expect(await nextAt()).toBe('2026-05-02T22:40:00.000Z');
    expect(await readAlertRefund(alertId)).toBeUndefined();
    await connect({ kind: 'sandbox', label: 'Trial' });
    advance(5 * milliseconds.minute);
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', update: { reason_code: '100.001' } });
    expect(await shown(alertId)).toMatchObject({ action: 'REVIEW' });
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: true }]);
    expect(await isOwed(alertId)).toBe(false);
  });

  it('sends nothing of an alert any more that it has answered', async () => {
    await using stripe = await startFakeStripe();
    const credentials = { secret_key: 'rk_test_ofSomebodyElse', base_url: stripe.url };
    await connect({ kind: 'sandbox', label: 'Trial' }, { kind: 'stripe', label: 'The shop', credentials });
    const alertId = await dispute('19.99', coded('01'));
    advance(5 * milliseconds.minute);
    await decide(alertId);
    expect((await noticesAt(alertId)).delivery).toMatchObject({ state: 'PENDING' });
    await connect({ kind: 'sandbox', label: 'Trial' });
    advance(5 * milliseconds.minute);
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    expect((await noticesAt(alertId)).delivery).toMatchObject({ state: 'CANCELLED' });
  });

  it('says of a refund that is under way, and answers nothing any more, that it is', async () => {
    const alertId = await dispute('12.61', coded('09'));
    let transactions = 0;
    beforeTransactions(async () => {
      transactions += 1;
      if (transactions !== 2) return;
      const body = { alert_id: String(alertId), status: 'DECLINED', reason_code: '902.002' };
      await ask('alerts/update-alert', { as: 'nobody', headers: { rcode: makeRcode(site.sid) }, body });
    });
    await decide(alertId);
    beforeTransactions();
    expect(await alertAt(alertId)).toMatchObject({
      ...{ status: 'DECLINED', automatic: { decision: { result: 'refund_pending', reason: null }, refund: null } },
    });
    advance(2 * milliseconds.minute);
    await settleDueRefund({ alertId });
    const alert = await alertAt(alertId);
    expect(alert).toMatchObject({
      ...{ status: 'DECLINED' },
      automatic: { decision: { result: 'left_to_merchant', reason: 'answered_before_refund' }, refund: {} },
    });
    expect(ruleNote(alert.automatic)).toContain('refunded after you answered');
    // The answer is its merchant's, and no rule's.
    const { text } = letterText(newAlertMail(alert));
    expect(text).toMatch(/rule \d+ \(Refund\) has refunded the transaction; the alert is answered with 902\.002\n/);
  });

  it('leaves the alert to its merchant two hours before the deadline at the latest', async () => {
    await using stripe = await startFakeStripe();
    const credentials = { secret_key: 'rk_test_ofSomebodyElse', base_url: stripe.url };
    await connect({ kind: 'stripe', label: 'The shop', credentials });
    const alertId = await dispute('19.99', { ...coded('01'), type: 'CONFIRMED_FRAUD' });
    const { deadlineAt } = await alertAt(alertId);
    const last = Date.parse(deadlineAt ?? '') - 2 * milliseconds.hour;
    for (let round = 0; round < 60 && (await isOwed(alertId)); round += 1) {
      const next = String((await getItem(keys.decision(alertId)))?.['nextAt'] ?? nowIso());
      expect(Date.parse(next)).toBeLessThanOrEqual(last);
      const time = Math.max(Date.parse(next), Date.parse('2026-05-02T22:30:00Z'));
      setClock(() => time);
      await decide(alertId);
    }
    expect(await isOwed(alertId)).toBe(false);
    expect(await alertAt(alertId)).toMatchObject({
      status: 'OPEN',
      automatic: { decision: { result: 'left_to_merchant', reason: 'connection_unavailable' } },
    });
    expect((await noticesAt(alertId)).delivery).toBeDefined();
  });

  it('refunds once and tells it once, wherever it is killed', async () => {
    const first = await dispute('19.99', coded('01'));
    const calls = await countCalls(() => decide(first));
    expect(calls).toBeGreaterThan(5);
    for (let dieAt = 1; dieAt <= calls; dieAt += 1) {
      for (const how of ['before', 'after'] as const) {
        // Each merchant has the sample charges to itself.
        shop = await newShop();
        site = await seedSite({ sid: 7000 + fresh(), mid: shop.mid, alert: settings({ max_daily_refunds: 1000 }) });
        await seedClaims('provider_a', 'EXACT', `SHOP ${site.sid}`, site);
        await connect({ kind: 'sandbox', label: 'Trial' });
        await ask('rules/create-rule', {
          body: { sid: site.sid, name: 'Refund', conditions: always, action: { type: 'refund' } },
        });
        const alertId = await dispute('45.20', coded('02'));
        await untilKilled(dieAt, how, () => decide(alertId));
        advance(10 * milliseconds.minute);
        await settleDueRefund({ alertId }).catch(() => undefined);
        await decide(alertId).catch(() => undefined);
        advance(10 * milliseconds.minute);
        await decide(alertId);
        expect(await isOwed(alertId)).toBe(false);
        expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
        const charge = await getItem(keys.sandboxCharge(shop.mid, 'sbc_20260502_02'));
        expect(charge).toMatchObject({ charge: { refunds: [{ state: 'done' }] } });
        expect((await noticesAt(alertId)).delivery).toBeDefined();
      }
    }
  });
});
