import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { nowIso, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { adviceMail } from '#disputes/alerts/outbox/advice-mail.ts';
import { settleDueRefund } from '#disputes/refunds/connection-refund-flow.ts';
import { readAlertRefund } from '#disputes/refunds/refund-store.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import { fromLedgerItem } from '#payments/transactions/ledger/ledger-row.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { alertAt, disputeAt, noticesAt, seedEnrolledSite } from '#test/disputes/alerts/seed.ts';
import { countCalls, untilKilled, useMortality } from '#test/payments/transactions/killed-process.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { paymentAt, useSandbox } from '#test/payments/transactions/support.ts';
import { makeArn } from '#test/support/arns.ts';
import { type FakeMerchantService, startFakeMerchantService } from '#test/support/fake-merchant-service.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { always } from './samples.ts';

/** Rules about early fraud warnings: they hold the order, end the subscription, advise, and refund only where that is chosen. */

useOperations();
useMortality();
useSandbox();

let service: FakeMerchantService;
let shop: Tenant;
let site: Site;
beforeAll(async () => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  service = await startFakeMerchantService();
});
afterAll(async () => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  setClock(() => Date.parse('2026-05-02T20:00:00.000Z'));
  shop = await newShop();
  site = await seedEnrolledSite(shop.mid, {
    ...{ max_daily_refunds: 1000, alert_triggeremail: true, alert_email: ['people@shop.example'] },
  });
  const credentials = { base_url: service.url, secret: service.secret };
  const connections = [{ kind: 'http', label: 'Ours', credentials }];
  await ask('connections/set-connections', { as: shop.as, params: { mid: shop.mid }, body: { connections } });
});

type Json = Record<string, unknown>;
let arns = 40;
/** A charge at the merchant's service, and the issuer's warning about it. */
const warned = async (change: Json = {}) => {
  arns += 1;
  const arn = makeArn(String(arns));
  const charge = service.charge({
    minor: 4200,
    arn,
    subscription: `sub_${arns}`,
    at: Date.parse(nowIso()) - 86_400_000,
  });
  service.subscriptions.add(`sub_${arns}`);
  const alertId = await disputeAt(site, '42.00', { type: 'FRAUD_NOTICE', arn, ...change });
  return { alertId, charge };
};
const rule = (action: Json, more: Json = {}) =>
  ask('rules/create-rule', {
    body: { sid: site.sid, about: 'warnings', name: 'Warn', conditions: always, action, ...more },
  });
const decide = (alertId: number) => decideAlert(alertId, paymentRefunds, false);
const readDecision = async (alertId: number) => (await alertAt(alertId)).automatic?.decision;

describe('a rule about early fraud warnings', () => {
  it('holds the order, ends the subscription and advises people, and refunds nothing', async () => {
    const comments = 'Call the customer before you ship';
    await rule({ type: 'notify', comments, hold_order: true, cancel_subscription: true });
    const { alertId, charge } = await warned();
    expect((await noticesAt(alertId)).delivery).toBeDefined();
    await decide(alertId);
    await decide(alertId);
    // The rule answers nothing, so its merchant is still notified of the warning.
    expect((await noticesAt(alertId)).delivery).toMatchObject({ state: 'PENDING' });
    const said = ['order held by your service', `subscription ${charge.subscription} ended`];
    expect(await readDecision(alertId)).toMatchObject({ result: 'notified', reason: null, afterwards: said });
    expect(await alertAt(alertId)).toMatchObject({ status: 'INFORM', update: null });
    expect([charge.fate, service.subscriptions.has(charge.subscription ?? ''), charge.refunded]).toEqual([
      'held',
      false,
      0,
    ]);
    expect(await getItem(keys.decision(alertId))).toBeUndefined();
    const decision = (await readDecision(alertId)) ?? expect.fail('No decision');
    expect(adviceMail(await alertAt(alertId), decision).quote).toBe(
      [comments, ...said.map((one) => `${one}.`)].join('\n'),
    );
  });

  it('refunds where that is chosen, once for two warnings, and answers no network', async () => {
    await rule({ type: 'refund' });
    const { alertId, charge } = await warned();
    const second = await disputeAt(site, '42.00', { type: 'FRAUD_NOTICE', arn: charge.arn ?? '' });
    const before = service.refunds.size;
    for (const id of [alertId, second, alertId]) await decide(id);
    expect([charge.refunded, service.refunds.size - before]).toEqual([4200, 1]);
    expect(await readDecision(alertId)).toMatchObject({ result: 'refunded', reason: null });
    expect(await readDecision(second)).toMatchObject({ result: 'left_to_merchant', reason: 'already_refunded' });
    expect(await alertAt(alertId)).toMatchObject({ status: 'INFORM', update: null, outcomes: 0 });
  });

  it('refunds a payment that was taken here once, without holding it', async () => {
    const { txid } = await pay(shop, '10.00');
    const { processorReference, card } = await paymentAt(txid);
    await rule({ type: 'refund' });
    const about = { cardBin: card?.first6, cardLast4: card?.last4, transactionId: processorReference };
    const taken = await disputeAt(site, '10.00', { type: 'FRAUD_NOTICE', ...about });
    for (const _ of [1, 2]) await decide(taken);
    expect(await readDecision(taken)).toMatchObject({ result: 'refunded', reason: null });
    const ledger = fromLedgerItem((await getItem(keys.ledger(txid))) ?? {});
    expect([ledger.refunded, ledger.disputes]).toEqual([1000n, {}]);
    expect(await alertAt(taken)).toMatchObject({ status: 'INFORM', update: null });
  });

  it('does what is left after a kill at any call, and refunds once', async () => {
    await rule({ type: 'refund', hold_order: true, cancel_subscription: true });
    const probe = await warned();
    const calls = await countCalls(() => decide(probe.alertId));
    const { alertId, charge } = await warned();
    for (let at = 1; at <= calls; at += 1) {
      await untilKilled(at, 'before', () => decide(alertId));
      setClock(() => Date.parse('2026-05-02T20:00:00.000Z') + at * 600_000);
    }
    await decide(alertId);
    const { refund } = (await readAlertRefund(alertId)) ?? {};
    if (refund?.nextCheckAt) await settleDueRefund({ alertId, slot: refund.nextCheckAt });
    expect([charge.refunded, charge.fate]).toEqual([4200, 'held']);
    expect((await readDecision(alertId))?.result).toBe('refunded');
  });

  it('waits for a connection that does not answer, and does it later', async () => {
    await rule({ type: 'notify', hold_order: true });
    const { alertId, charge } = await warned();
    service.fail(503, /search/, 1);
    await decide(alertId);
    expect([charge.fate, await readDecision(alertId)]).toEqual([null, undefined]);
    setClock(() => Date.parse('2026-05-02T20:10:00.000Z'));
    for (let turn = 0; turn < 3; turn += 1) await decide(alertId);
    expect([charge.fate, (await readDecision(alertId))?.result]).toEqual(['held', 'notified']);
  });

  it('in shadow mode records what it would have done, and does nothing', async () => {
    await rule({ type: 'refund', hold_order: true }, { mode: 'shadow' });
    const { alertId, charge } = await warned();
    await decide(alertId);
    const { automatic } = await alertAt(alertId);
    expect(automatic).toMatchObject({ decision: null, shadows: [{ result: 'recorded', mode: 'shadow' }] });
    expect([charge.fate, charge.refunded]).toEqual([null, 0]);
  });

  it('is not asked about alerts and dispute notices, and rules about alerts are not asked about warnings', async () => {
    await ask('rules/create-rule', {
      body: { sid: site.sid, name: 'Alerts', conditions: always, action: { type: 'review' } },
    });
    const { alertId: warning } = await warned();
    expect(await getItem(keys.decision(warning))).toBeUndefined();
    const other = await seedEnrolledSite(shop.mid);
    await ask('rules/create-rule', {
      body: { sid: other.sid, about: 'warnings', name: 'W', conditions: always, action: { type: 'refund' } },
    });
    expect(await getItem(keys.decision(await disputeAt(other, '7.00', {})))).toBeUndefined();
  });

  it('is tried on the warnings of the last days', async () => {
    const { alertId } = await warned();
    const alert = await disputeAt(site, '5.00', {});
    const body = {
      sid: site.sid,
      about: 'warnings',
      days: 1,
      rule: { conditions: always, action: { type: 'refund' } },
    };
    const { body: shown } = await ask('rules/dry-run', { as: shop.as, body });
    const lines = (shown as { list: Json[] }).list.filter(({ alert_id: id }) => id === alertId || id === alert);
    expect(lines).toMatchObject([{ alert_id: alertId, would: 'refund', alert_type: 'FRAUD_NOTICE' }]);
  });

  it.each([
    ['an answer', { type: 'decline', reason_code: '902.002' }, 'action.type'],
    ['a reason code', { type: 'refund', reason_code: '100.001' }, 'reason_code'],
    ['what to do with an earlier refund', { type: 'refund', already: 'leave' }, 'already'],
    ['comments on a refund', { type: 'refund', comments: 'Hello' }, 'comments'],
    ['an act of its own for review', { type: 'review', hold_order: true }, 'review'],
    ['evidence', { type: 'notify', floor: 'any' }, 'floor'],
  ])('takes no %s', async (_, action, words) => {
    expect(await rule(action)).toMatchObject({ status: 400, body: { details: expect.stringContaining(words) } });
  });

  it('compares the provider of the warning, and names no providers', async () => {
    const isStripe = { all: [{ fact: 'provider', operator: 'equal', value: 'Stripe' }] };
    expect(await rule({ type: 'notify' }, { conditions: isStripe })).toMatchObject({
      status: 200,
      body: { about: 'warnings', providers: [] },
    });
    expect(await rule({ type: 'notify' }, { providers: ['provider_a'] })).toMatchObject({ status: 400 });
    const { body } = await ask('rules/list-rules', { as: shop.as, body: { sid: site.sid, about: 'warnings' } });
    expect((body as { list: Json[] }).list).toHaveLength(1);
  });
});
