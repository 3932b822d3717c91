import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { setClock } from '#core/kernel/clock.ts';
import { parseAmount } from '#core/kernel/money/money.ts';
import { reviewMailId } from '#core/platform/mail/mail.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, queryItems } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { newDecisionWrite, waitingDecisionWrite } from '#disputes/alerts/automatic/decision-row.ts';
import type { TransactionSearch, TransactionStanding } from '#disputes/alerts/automatic/gateway-transaction.ts';
import type { RefundPort } from '#disputes/alerts/automatic/refund-port.ts';
import { withdrawCase } from '#disputes/alerts/intake/withdrawal-store.ts';
import { withdrawnCase } from '#disputes/providers/provider-alert.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { handler } from '#disputes/rules/jobs/decide/handler.ts';
import { dueMessage, messagesFor } from '#jobs/due-routing.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import {
  alertAt,
  callsDuring,
  deliveriesAt,
  formFields,
  fresh,
  makeRcode,
  noticesAt,
  outcomesAt,
  seedClaims,
  seedSite,
  take,
} from '#test/disputes/alerts/seed.ts';
import { sqsEvent } from '#test/messaging/support.ts';
import { makeArn } from '#test/support/arns.ts';
import { letterText } from '#test/support/letters.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { always, amountBelow, aRule, noProcessor } from './samples.ts';

useOperations();
afterEach(() => setClock());

let site: Site;
let descriptor: string;
const enrolled = async (change: Parameters<typeof seedSite>[0] = {}) => {
  site = await seedSite(change);
  descriptor = `SHOP ${site.sid}`;
  for (const name of ['provider_a', 'provider_b', 'rdr']) await seedClaims(name, 'EXACT', descriptor, site);
};
beforeEach(() => enrolled());

const rule = async (change: Record<string, unknown> = {}): Promise<number> => {
  const body = { sid: site.sid, name: 'A rule', conditions: always, action: { type: 'notify' }, ...change };
  const answer = await ask('rules/create-rule', { body });
  expect(answer).toMatchObject({ status: 200 });
  return (answer.body as { rule_id: number }).rule_id;
};
const number = () => makeArn(fresh());
const takeA = async (change: Record<string, unknown> = {}) => {
  const sent = { alertId: `A${fresh()}`, merchantDescriptor: descriptor, arn: number(), type: 'CUSTOMER_DISPUTE' };
  return (await take('provider_a', { ...sent, authCode: '', ...change })).alert_id;
};
const decided = async (change: Record<string, unknown> = {}, port: RefundPort = noProcessor): Promise<Alert> => {
  const alertId = await takeA(change);
  await decideAlert(alertId, port, false);
  return alertAt(alertId);
};
const readHistory = async (alertId: number) => {
  const { items } = await queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :history)',
    ExpressionAttributeValues: { ':pk': keys.alert(alertId).pk, ':history': 'HISTORY#' },
  });
  return items as { by: string; via: string; change: { event: string; decisions?: unknown[] } }[];
};
const isOwed = async (alertId: number) => (await getItem(keys.decision(alertId))) !== undefined;
/** Returns what the site receives, or will once the provider has answered; `outcome`: what waits for that. */
const listKinds = async (alertId: number) => [
  ...(await deliveriesAt(alertId)).map(({ kind }) => kind).toSorted(),
  ...(await outcomesAt(alertId)).flatMap(({ statusDueAt }) => (statusDueAt === null ? [] : ['outcome'])),
];
const detailsIn = async (alertId: number) => {
  const { delivery } = await noticesAt(alertId);
  const fields = formFields(delivery?.body);
  const [details] = JSON.parse(fields['txdetails'] ?? '[]');
  return { action: fields['alert_action'], details };
};

const transaction = (reference: string) => ({
  payment_gateway_reference: reference,
  payment_gateway_reference2: `${reference}-order`,
  payment_gateway_tx_type: 'sale',
  payment_gateway_transaction_date: '2026-04-30T08:15:00.000Z',
});
const aRefund = (reference: string) => ({ ...transaction(reference), payment_gateway_tx_type: 'refund' });
/** A transaction of an alert's amount of which nothing was refunded. */
const untouched = (
  { providerAlert: { amount, currency } }: Alert,
  change: Partial<TransactionStanding> = {},
): TransactionStanding => {
  const money = parseAmount(amount, currency);
  const captured = typeof money === 'string' ? 0n : money.minor;
  return {
    ...{ currency, captured, refunded: 0n, left: captured },
    ...{ isChargedBack: false, isSettledForAlert: false, isNamed: true },
    ...change,
  };
};
const foundOne = (reference: string, standing: TransactionStanding): TransactionSearch => ({
  ...{ found: 'one', transaction: transaction(reference), standing },
  match: { score: 60, traits: [{ trait: 'arn', verdict: 'agrees' }] },
});
/** A processor that has one transaction for each alert and remembers what it refunded, by key. */
const processor = (change: Partial<RefundPort> = {}) => {
  const refunds = new Map<string, string>();
  const port: RefundPort = {
    findTransactions: async (alert) => foundOne('T1', untouched(alert)),
    refund: async ({ idempotencyKey, amount, currency }) => {
      refunds.set(idempotencyKey, `${amount} ${currency}`);
      return { refunded: true, transaction: aRefund('R1') };
    },
    ...change,
  };
  return { port, refunds };
};

describe('an alert of a site with rules', () => {
  it('is taken in as few calls as without, and its site told once the rules were asked', async () => {
    await rule();
    let alertId = 0;
    expect(await callsDuring(async () => (alertId = await takeA()))).toBeLessThanOrEqual(3);
    expect(await isOwed(alertId)).toBe(true);
    expect(await noticesAt(alertId)).toEqual({ delivery: undefined, mail: undefined });
    expect(await callsDuring(() => decideAlert(alertId, noProcessor, false))).toBe(3);
    expect(await isOwed(alertId)).toBe(false);
    const { delivery, mail } = await noticesAt(alertId);
    expect([delivery?.state, mail?.state]).toEqual(['PENDING', 'PENDING']);
  });

  it('is reported immediately if all rules are disabled, or if it needs no answer', async () => {
    const id = await rule();
    const { alert_id } = await take('rdr', { decisionId: `R${fresh()}`, paymentDescriptor: descriptor, arn: number() });
    const informed = await takeA({ type: 'FRAUD_NOTICE' });
    await ask('rules/disable-rule', { params: { id } });
    const other = await takeA();
    for (const one of [alert_id, informed, other]) {
      expect(await isOwed(one)).toBe(false);
      expect(await listKinds(one)).toEqual(['new_alert']);
    }
  });

  it('goes to the merchant if no rule matches', async () => {
    await rule({ conditions: amountBelow(1), action: { type: 'review' } });
    const alert = await decided();
    expect(alert).toMatchObject({ status: 'OPEN', action: 'REFUND', automatic: null });
    expect((await readHistory(alert.alertId)).map(({ change }) => change.event)).toEqual(['received']);
    expect(await listKinds(alert.alertId)).toEqual(['new_alert']);
  });

  it.each([
    ['resolve', '103.002', 'RESOLVED', 'resolved'],
    ['decline', '902.002', 'DECLINED', 'declined'],
  ])(
    'gets its outcome from a rule that says %s, and its site is told of both',
    async (type, reason_code, status, result) => {
      const id = await rule({
        action: { type, reason_code, comments: 'By rule' },
        conditions: amountBelow(500),
        providers: ['provider_a'],
      });
      const alert = await decided();
      expect(alert).toMatchObject({
        status,
        action: status,
        update: { status, reason_code, comments: 'By rule' },
        automatic: { decision: { ruleId: id, version: 1, result, reason: null, facts: { amount: 361.56 } } },
      });
      const [, entry] = await readHistory(alert.alertId);
      expect(entry).toMatchObject({
        by: `rule ${id}`,
        via: 'rules',
        change: {
          event: 'decided by rule',
          from: { status: 'OPEN', alert_action: 'REFUND' },
          to: { status, alert_action: status, reason_code },
          decisions: [{ ruleId: id, version: 1, result, facts: { currency: 'USD', alert_type: 'DISPUTE' } }],
        },
      });
      expect(await listKinds(alert.alertId)).toEqual(['new_alert', 'outcome']);
      const [owed] = await outcomesAt(alert.alertId);
      expect(owed).toMatchObject({ isFinal: true, update: { status, reason_code, comments: 'By rule' } });
      expect((await detailsIn(alert.alertId)).action).toBe(status);
    },
  );

  it('shows in the list what its rule said, and nothing where none has', async () => {
    const other = await takeA({ type: 'FRAUD_NOTICE' });
    const id = await rule({ name: 'Small ones', action: { type: 'refund' } });
    const { alertId } = await decided();
    const { body } = await ask('alerts/list-alerts', { as: { mid: site.mid }, body: {} });
    const said = (body as { list: { alert_id: number; rule: unknown }[] }).list.map((one) => [one.alert_id, one.rule]);
    const outcome = { result: 'left_to_merchant', reason: 'no_processor' };
    expect(said).toEqual([
      [alertId, { rule_id: id, name: 'Small ones', ...outcome }],
      [other, null],
    ]);
  });

  it('is reviewed or notified when a rule says so, and stays open', async () => {
    await rule({ conditions: amountBelow(50), action: { type: 'review' } });
    await rule({ action: { type: 'notify' } });
    await rule({ action: { type: 'decline', reason_code: '902.002' } });
    const small = await decided({ amount: { value: '20.00', currencyCode: 'USD' } });
    expect(small).toMatchObject({ status: 'OPEN', action: 'REVIEW', automatic: { decision: { result: 'review' } } });
    expect(await decided()).toMatchObject({ action: 'REFUND', automatic: { decision: { result: 'notified' } } });
  });

  it('is asked about by its site’s rules before its merchant’s', async () => {
    const merchant = { mid: site.mid, name: 'Merchant', createdAt: '2026-01-01T00:00:00.000Z', profile: {} };
    await putItem(toMerchantItem(merchant));
    await ask('rules/create-rule', {
      body: { mid: site.mid, name: 'All', conditions: always, action: { type: 'review' } },
    });
    const own = await rule({ conditions: amountBelow(50), action: { type: 'notify' } });
    expect((await decided({ amount: { value: '20.00', currencyCode: 'USD' } })).automatic?.decision?.ruleId).toBe(own);
    expect((await decided()).automatic?.decision).toMatchObject({ sid: null, result: 'review' });
  });

  it('shows what shadow rules would have done, and lets them do nothing', async () => {
    const shadow = await rule({ mode: 'shadow', action: { type: 'decline', reason_code: '902.002' } });
    const only = await decided();
    expect(only).toMatchObject({
      status: 'OPEN',
      automatic: { decision: null, shadows: [{ ruleId: shadow, result: 'recorded', mode: 'shadow' }] },
    });
    expect((await readHistory(only.alertId))[1]).toMatchObject({
      by: 'rules',
      change: { event: 'matched by shadow rule' },
    });
    const live = await rule({ action: { type: 'resolve', reason_code: '103.002' }, providers: ['provider_a'] });
    expect(await decided()).toMatchObject({
      status: 'RESOLVED',
      automatic: { decision: { ruleId: live }, shadows: [{ ruleId: shadow }] },
    });
  });

  it('counts itself among the volumes its rules ask for', async () => {
    const third = { fact: 'volume_count', operator: 'equal', value: 3, params: { of: 'card', window: '24h' } };
    await rule({ conditions: { all: [third] }, action: { type: 'review' } });
    const actions = [];
    for (let n = 0; n < 4; n += 1) actions.push((await decided()).action);
    expect(actions).toEqual(['REFUND', 'REFUND', 'REVIEW', 'REFUND']);
  });

  it('declines a duplicate by naming the alert it repeats, and nothing else with that code', async () => {
    const duplicate = { all: [{ fact: 'is_duplicate', operator: 'equal', value: true }] };
    await rule({ conditions: duplicate, action: { type: 'decline', reason_code: '940.002' } });
    await rule({ action: { type: 'decline', reason_code: '940.002' } });
    const arn = number();
    const first = await decided({ arn });
    expect(first).toMatchObject({
      status: 'OPEN',
      automatic: { decision: { result: 'left_to_merchant', reason: 'not_a_duplicate' } },
    });
    expect(await decided({ arn })).toMatchObject({
      status: 'DECLINED',
      update: { tx_details: [{ duplicate_alertid: String(first.alertId) }] },
    });
  });

  it('is decided when an administrator assigns it, as when it is a test', async () => {
    await rule({ action: { type: 'resolve', reason_code: '103.002' }, providers: ['provider_a', 'service_dummy'] });
    const { alert_id } = await take('provider_a', {
      alertId: `N${fresh()}`,
      merchantDescriptor: 'NOBODY',
      arn: number(),
    });
    expect(await ask('alerts/assign-alert', { params: { alert_id }, body: { sid: site.sid } })).toMatchObject({
      status: 200,
    });
    const sent = { alert_type: 'FRAUD', currency: 'USD', amount: '5.00', descriptor };
    const test = await ask('alerts/create-test-alert', { as: { mid: site.mid }, body: sent });
    for (const alertId of [alert_id, (test.body as { alert_id: number }).alert_id]) {
      await decideAlert(alertId, noProcessor, false);
      expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', owner: { sid: site.sid } });
    }
  });
});

describe('a rule that refunds', () => {
  beforeEach(async () => void (await rule({ action: { type: 'refund' } })));

  it('leaves the alert to the merchant where there is no processor, and says so', async () => {
    const alert = await decided();
    expect(alert).toMatchObject({
      status: 'OPEN',
      action: 'REFUND',
      automatic: { decision: { result: 'left_to_merchant', reason: 'no_processor' } },
    });
    const { action, details } = await detailsIn(alert.alertId);
    expect(action).toBe('REFUND');
    expect(details).toEqual({
      alert_transaction: null,
      transaction_action: null,
      transaction_potential_matches: null,
      comment: expect.stringMatching(/^Rule \d+ \(version 1\): no automatic refund, no_processor$/),
    });
  });

  it('refunds the one transaction there is, and tells which and how much', async () => {
    const { port, refunds } = processor();
    const alert = await decided({}, port);
    expect([...refunds]).toEqual([[`alert-${alert.alertId}`, '361.56 USD']]);
    expect(alert).toMatchObject({
      status: 'RESOLVED',
      action: 'RESOLVED',
      update: { reason_code: '100.001', alert_outcome_amount: '361.56', alert_outcome_currency: 'USD' },
    });
    expect((await detailsIn(alert.alertId)).details).toEqual({
      alert_transaction: transaction('T1'),
      transaction_action: aRefund('R1'),
      transaction_potential_matches: null,
      comment: expect.stringMatching(/^Rule \d+ \(version 1\): match 60 of 100: ARN agrees$/),
    });
  });

  it('refunds none of several, and shows them all', async () => {
    const transactions = [transaction('T1'), transaction('T2')];
    const { port, refunds } = processor({ findTransactions: async () => ({ found: 'many', transactions }) });
    const alert = await decided({}, port);
    expect(refunds.size).toBe(0);
    expect(alert).toMatchObject({ status: 'OPEN', automatic: { decision: { reason: 'several_matches' } } });
    expect((await detailsIn(alert.alertId)).details).toMatchObject({
      alert_transaction: null,
      transaction_action: null,
      transaction_potential_matches: transactions,
    });
  });

  it('never refunds a duplicate', async () => {
    const { port, refunds } = processor();
    const arn = number();
    await decided({ arn }, port);
    const second = await decided({ arn }, port);
    expect(refunds.size).toBe(1);
    expect(second).toMatchObject({
      status: 'OPEN',
      action: 'MATCHED',
      automatic: { decision: { reason: 'duplicate' }, transaction: transaction('T1'), refund: null },
    });
    expect((await detailsIn(second.alertId)).action).toBe('MATCHED');
  });

  it('tells those who review by hand what it leaves to people, and what it knows of it', async () => {
    await enrolled({ alert: settings({ shieldrdr_review_email: ['review@merchant.example'] }) });
    await rule({ action: { type: 'refund' } });
    const { port } = processor({ refund: async () => ({ refunded: false, reason: 'too_old' }) });
    const { alertId } = await decided({}, port);
    const mail = fromMailItem((await getItem(keys.mail(reviewMailId(alertId)))) ?? {});
    expect(mail).toMatchObject({ to: ['review@merchant.example'], state: 'PENDING' });
    expect(letterText(mail.letter).text).toMatch(/Rule: +\d+ \(.+\): left to merchant, too old/);
  });

  it('never refunds a test alert, nor asks a processor about it', async () => {
    const findTransactions = vi.fn(noProcessor.findTransactions);
    const sent = { alert_type: 'FRAUD', currency: 'USD', amount: '5.00', descriptor };
    const test = await ask('alerts/create-test-alert', { as: { mid: site.mid }, body: sent });
    const { alert_id } = test.body as { alert_id: number };
    await decideAlert(alert_id, { ...processor().port, findTransactions }, false);
    expect((await alertAt(alert_id)).automatic?.decision?.reason).toBe('test_alert');
    expect(findTransactions).not.toHaveBeenCalled();
  });

  it('ends no alert that the processor would not refund', async () => {
    const { port } = processor({ refund: async () => ({ refunded: false, reason: 'too_old' }) });
    expect(await decided({}, port)).toMatchObject({
      status: 'OPEN',
      action: 'MATCHED',
      automatic: { decision: { reason: 'too_old' } },
    });
  });
});

describe('the limits of refunds', () => {
  const limited = async (change: Parameters<typeof settings>[0]) => {
    await enrolled({ alert: settings(change) });
    await rule({ action: { type: 'refund' } });
    return processor();
  };
  const money = (value: string, currencyCode = 'USD') => ({ amount: { value, currencyCode } });

  it('are the site’s largest amount, to the cent and in its currency', async () => {
    const { port, refunds } = await limited({ max_refund_amount: '100.00' });
    expect(await decided(money('100.00'), port)).toMatchObject({ status: 'RESOLVED' });
    const above = await decided(money('100.01'), port);
    expect(above.automatic?.decision?.reason).toBe('above_max_refund_amount');
    const other = await decided(money('1.00', 'EUR'), port);
    expect(other.automatic?.decision?.reason).toBe('max_refund_amount_of_other_currency');
    expect(refunds.size).toBe(1);
  });

  it('are so many a day, however many alerts come at once; the next day has its own', async () => {
    const { port, refunds } = await limited({ max_daily_refunds: 3 });
    setClock(() => Date.parse('2026-05-02T23:00:00Z'));
    const ids = [];
    for (let n = 0; n < 6; n += 1) ids.push(await takeA());
    await Promise.all(ids.map((alertId) => decideAlert(alertId, port, false)));
    expect(refunds.size).toBe(3);
    const alerts = await Promise.all(ids.map(alertAt));
    const reasons = alerts.map(({ automatic }) => automatic?.decision?.reason ?? 'refunded').toSorted();
    expect(reasons).toEqual(['daily_cap', 'daily_cap', 'daily_cap', 'refunded', 'refunded', 'refunded']);
    setClock(() => Date.parse('2026-05-03T00:00:00Z'));
    expect(await decided({}, port)).toMatchObject({ status: 'RESOLVED' });
  });

  it('may be none at all', async () => {
    const { port, refunds } = await limited({ max_daily_refunds: 0 });
    expect((await decided({}, port)).automatic?.decision?.reason).toBe('daily_cap');
    expect(refunds.size).toBe(0);
  });
});

describe('a decision that is interrupted', () => {
  it('is made once, however often and by how many it is asked for', async () => {
    await rule({ action: { type: 'resolve', reason_code: '103.002' }, providers: ['provider_a'] });
    const alertId = await takeA();
    await Promise.all([1, 2, 3].map(() => decideAlert(alertId, noProcessor, false)));
    await decideAlert(alertId, noProcessor, false);
    expect(await readHistory(alertId)).toHaveLength(2);
    expect(await listKinds(alertId)).toEqual(['new_alert', 'outcome']);
  });

  it('continues the refund it began before a crash, even if the rules have changed since', async () => {
    const id = await rule({ action: { type: 'refund' } });
    const { port, refunds } = processor();
    const alertId = await takeA();
    const dying = async (request: Parameters<RefundPort['refund']>[0]) => {
      await port.refund(request);
      throw new Error('The machine is gone');
    };
    await expect(decideAlert(alertId, { ...port, refund: dying }, false)).rejects.toThrow('gone');
    expect([refunds.size, await isOwed(alertId)]).toEqual([1, true]);
    await ask('rules/disable-rule', { params: { id } });
    await rule({ action: { type: 'decline', reason_code: '902.002' } });
    await decideAlert(alertId, port, false);
    expect(await alertAt(alertId)).toMatchObject({
      status: 'RESOLVED',
      automatic: { decision: { ruleId: id, version: 1, result: 'refunded' } },
    });
    expect(refunds.size).toBe(1);
    expect(
      await getItem(
        keys.dailyRefunds(site.sid, new Date((await alertAt(alertId)).receivedAt).toISOString().slice(0, 10)),
      ),
    ).toMatchObject({ n: 1 });
  });

  it('leaves the alert to its merchant when the processor fails to the last', async () => {
    await rule({ action: { type: 'refund' } });
    const failing = async () => {
      throw new Error('Out of order');
    };
    const { port } = processor({ refund: failing });
    const alertId = await takeA();
    await expect(decideAlert(alertId, port, false)).rejects.toThrow('Out of order');
    await decideAlert(alertId, port, true);
    expect((await alertAt(alertId)).automatic?.decision).toMatchObject({ reason: 'refund_unclear' });
    expect(await listKinds(alertId)).toEqual(['new_alert']);
  });

  const standing = (change: Partial<TransactionStanding>) =>
    processor({
      findTransactions: async (alert) => foundOne('T1', untouched(alert, change)),
    });

  it('is answered as charged back, and not refunded, where it is', async () => {
    await rule({ action: { type: 'refund' } });
    const { port, refunds } = standing({ isChargedBack: true });
    const alert = await decided({}, port);
    expect(alert).toMatchObject({
      status: 'DECLINED',
      update: { status: 'DECLINED', reason_code: '952.002' },
      automatic: { decision: { result: 'declined', reason: 'already_charged_back' }, refund: null },
    });
    expect(alert.update).not.toHaveProperty('alert_outcome_amount');
    expect(alert.update).not.toHaveProperty('alert_outcome_action_date');
    expect(refunds.size).toBe(0);
    const chargedBackAt = '2026-04-30T00:00:00.000Z';
    expect(await decided({}, standing({ isChargedBack: true, chargedBackAt }).port)).toMatchObject({
      update: { reason_code: '952.002', alert_outcome_action_date: chargedBackAt },
    });
  });

  it('is left to its merchant there by a rule that says so, and as a duplicate', async () => {
    await rule({ action: { type: 'refund', already: 'leave' } });
    const { port } = standing({ isChargedBack: true });
    expect(await decided({}, port)).toMatchObject({
      ...{ status: 'OPEN', action: 'MATCHED', update: null },
      automatic: { decision: { result: 'left_to_merchant', reason: 'already_charged_back' } },
    });
    const refunded = standing({ refunded: 10_000_000n, left: 0n });
    await enrolled();
    await rule({ action: { type: 'refund' } });
    const arn = number();
    await decided({ arn }, refunded.port);
    expect(await decided({ arn }, refunded.port)).toMatchObject({ status: 'OPEN', update: null });
  });

  it('is refunded once by one rule, however many decide at once and whatever the processor finds', async () => {
    await rule({ action: { type: 'refund' } });
    let asked = 0;
    const { port } = processor({
      findTransactions: async (alert) => {
        asked += 1;
        return foundOne(`T${asked}`, untouched(alert));
      },
    });
    const refunded: string[] = [];
    const alertId = await takeA();
    const deciding = {
      ...port,
      refund: async (request: Parameters<RefundPort['refund']>[0]) => {
        refunded.push(`${request.idempotencyKey} ${request.transaction.payment_gateway_reference}`);
        return port.refund(request);
      },
    };
    await Promise.all([1, 2, 3].map((n) => decideAlert(alertId, deciding, n === 3)));
    expect(new Set(refunded).size).toBe(1);
    expect(await alertAt(alertId)).toMatchObject({
      status: 'RESOLVED',
      automatic: { decision: { result: 'refunded' } },
    });
  });

  it('reports a refund made while the merchant answered, and keeps the answer', async () => {
    const id = await rule({ action: { type: 'refund' } });
    const alertId = await takeA();
    const body = { alert_id: alertId, status: 'DECLINED', reason_code: '902.002' };
    const { port, refunds } = processor({
      refund: async ({ idempotencyKey }) => {
        if (refunds.size === 0)
          await ask('alerts/update-alert', { as: 'nobody', body, headers: { rcode: makeRcode(site.sid) } });
        refunds.set(idempotencyKey, '');
        return { refunded: true, transaction: aRefund('R1') };
      },
    });
    await decideAlert(alertId, port, false);
    expect(refunds.size).toBe(1);
    expect(await alertAt(alertId)).toMatchObject({
      status: 'DECLINED',
      update: { reason_code: '902.002' },
      automatic: {
        decision: { ruleId: id, result: 'left_to_merchant', reason: 'answered_before_refund' },
        refund: aRefund('R1'),
      },
    });
    expect((await readHistory(alertId)).map(({ change }) => change.event)).toEqual([
      'received',
      'updated',
      'decided by rule',
    ]);
    expect(await isOwed(alertId)).toBe(false);
  });

  it('leaves the alert to its merchant when its rules cannot be asked to the last', async () => {
    await rule();
    const broken = {
      ...aRule({ ...site, id: 1 }),
      conditions: { all: [{ fact: 'gone', operator: 'equal', value: 1 }] },
    };
    const owner = { mid: site.mid, sid: site.sid };
    await putItem({ ...keys.ruleBook(`S${site.sid}`), version: 2, book: { owner, version: 2, rules: [broken] } });
    const alertId = await takeA();
    const message = [{ alertId }];
    expect((await handler(sqsEvent(message))).batchItemFailures).toHaveLength(1);
    expect(await isOwed(alertId)).toBe(true);
    expect(await handler(sqsEvent(message, 5))).toEqual({ batchItemFailures: [] });
    expect(await listKinds(alertId)).toEqual(['new_alert']);
  });

  it('shows at most 20 potential matches', async () => {
    await rule({ action: { type: 'refund' } });
    const transactions = Array.from({ length: 500 }, (_, n) => transaction(`T${n}`));
    const { port } = processor({ findTransactions: async () => ({ found: 'many', transactions }) });
    expect((await decided({}, port)).automatic?.potentialMatches).toHaveLength(20);
  });

  it('yields to the merchant who answers first, also at the last moment', async () => {
    await rule({ action: { type: 'decline', reason_code: '902.002' } });
    const alertId = await takeA();
    const body = { alert_id: alertId, status: 'RESOLVED', reason_code: '100.001' };
    let answered = false;
    beforeTransactions(async () => {
      if (answered) return;
      answered = true;
      await ask('alerts/update-alert', { as: 'nobody', body, headers: { rcode: makeRcode(site.sid) } });
    });
    await decideAlert(alertId, noProcessor, false);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', automatic: null });
    expect(await isOwed(alertId)).toBe(false);
    expect(await listKinds(alertId)).toEqual(['new_alert', 'outcome']);
    expect((await noticesAt(alertId)).delivery).toMatchObject({ state: 'CANCELLED', nextAttemptAt: null });
  });

  it('yields to the provider that takes its case back', async () => {
    await rule({ action: { type: 'decline', reason_code: '902.002' } });
    const sent = { caseId: `B${fresh()}`, descriptor, arn: number() };
    const { alert_id } = await take('provider_b', sent);
    await withdrawCase('provider_b', withdrawnCase(sent.caseId));
    await decideAlert(alert_id, noProcessor, false);
    expect(await alertAt(alert_id)).toMatchObject({ status: 'REVOKED', automatic: null });
    expect(await isOwed(alert_id)).toBe(false);
    expect(await listKinds(alert_id)).toEqual(['status_update']);
  });

  it('does nothing for an alert without due rules', async () => {
    const alertId = await takeA();
    expect(await handler(sqsEvent([{ alertId }, { alertId: 1 }]))).toEqual({ batchItemFailures: [] });
    expect(await alertAt(alertId)).toMatchObject({ version: 1 });
  });
});

describe('a case that was taken back and is open again', () => {
  const take10 = async () => {
    setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
    const sent = { caseId: `B${fresh()}`, descriptor, arn: number() };
    const { alert_id: alertId } = await take('provider_b', sent);
    return { sent, alertId };
  };
  const reopen = async (sent: { caseId: string }) => {
    await withdrawCase('provider_b', withdrawnCase(sent.caseId));
    setClock(() => Date.parse('2026-05-04T10:00:00.000Z'));
    await take('provider_b', sent);
  };
  const answer = (alertId: number) =>
    ask('alerts/update-alert', {
      as: 'nobody',
      headers: { rcode: makeRcode(site.sid) },
      body: { alert_id: alertId, status: 'DECLINED', reason_code: '957.002' },
    });

  it('needs another answer, and its rules are evaluated again', async () => {
    const { sent, alertId } = await take10();
    expect((await answer(alertId)).status).toBe(200);
    await rule({ action: { type: 'resolve', reason_code: '103.002' }, providers: ['provider_a'] });
    await rule({ action: { type: 'decline', reason_code: '956.002' }, providers: ['provider_b'] });
    await reopen(sent);
    expect(await alertAt(alertId)).toMatchObject({
      ...{ status: 'OPEN', update: null, updatedAt: null, withdrawnAt: null, deadlineAt: '2026-05-07T10:00:00.000Z' },
    });
    expect((await noticesAt(alertId)).delivery).toMatchObject({ state: 'PENDING' });
    expect(await isOwed(alertId)).toBe(true);
    const item = (await getItem(keys.decision(alertId))) ?? {};
    expect(messagesFor({ before: undefined, after: item }, '2026-05-04T10:00:00.000Z')).toMatchObject([
      { queue: 'rules', body: { alertId } },
    ]);
    await decideAlert(alertId, noProcessor, false);
    expect(await alertAt(alertId)).toMatchObject({ status: 'DECLINED', update: { reason_code: '956.002' } });
    expect((await outcomesAt(alertId)).map(({ update }) => update.reason_code)).toEqual(['957.002', '956.002']);
    expect((await noticesAt(alertId)).delivery).toMatchObject({ state: 'CANCELLED' });
    expect(await isOwed(alertId)).toBe(false);
  });

  it('that a rule refunded is answered so again, and not refunded twice', async () => {
    await rule({ action: { type: 'refund' }, providers: ['provider_b'] });
    const { sent, alertId } = await take10();
    const { port, refunds } = processor();
    await decideAlert(alertId, port, false);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    await reopen(sent);
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN', update: null, automatic: null });
    await decideAlert(alertId, port, false);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', update: { reason_code: '100.001' } });
    expect(refunds.size).toBe(1);
  });

  it('is the merchant’s to answer where there are no rules', async () => {
    const { sent, alertId } = await take10();
    expect((await answer(alertId)).status).toBe(200);
    await reopen(sent);
    expect(await isOwed(alertId)).toBe(false);
    expect((await answer(alertId)).status).toBe(200);
    expect(await alertAt(alertId)).toMatchObject({ status: 'DECLINED', update: { reason_code: '957.002' } });
  });

  it('keeps a decision due that was due before', async () => {
    await rule();
    const { sent, alertId } = await take10();
    const before = await getItem(keys.decision(alertId));
    await reopen(sent);
    expect(await getItem(keys.decision(alertId))).toEqual(before);
    await decideAlert(alertId, noProcessor, false);
    expect(await listKinds(alertId)).toContain('new_alert');
  });

  it('leaves a decision that is postponed meanwhile to its new time', async () => {
    await rule();
    const { sent, alertId } = await take10();
    await withdrawCase('provider_b', withdrawnCase(sent.caseId));
    const waiting = { isNotified: false, tries: 3, nextAt: '2026-05-04T11:00:00.000Z' };
    const postponed = waitingDecisionWrite({ alertId, sid: site.sid }, undefined, waiting).Put?.Item ?? {};
    let isPostponed = false;
    beforeTransactions(async () => {
      if (!isPostponed) await putItem(postponed);
      isPostponed = true;
    });
    setClock(() => Date.parse('2026-05-04T10:00:00.000Z'));
    await take('provider_b', sent);
    expect(isPostponed).toBe(true);
    expect(await getItem(keys.decision(alertId))).toEqual(postponed);
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
  });
});

describe('the due rules of an alert', () => {
  const owed = newDecisionWrite(7, 12, '2026-05-02T10:00:00.000Z').Put?.Item ?? {};

  it('goes to the queue when it is written, and not when it ends', () => {
    const message = { queue: 'rules', body: { alertId: 7 } };
    expect(messagesFor({ before: undefined, after: owed }, '2026-05-02T10:00:00.000Z')).toEqual([message]);
    expect(messagesFor({ before: owed, after: undefined }, '2026-05-02T10:00:00.000Z')).toEqual([]);
  });

  it('is found by the sweep if the message is lost', () => {
    expect(owed).toMatchObject({ duePk: expect.stringMatching(/^DUE#/), dueSk: '2026-05-02T10:00:00.000Z#DECISION#7' });
    expect(dueMessage(owed, '2026-05-02T12:00:00.000Z')).toEqual({ queue: 'rules', body: { alertId: 7 } });
  });
});
