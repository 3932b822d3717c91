import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { nowIso, setClock } from '#core/kernel/clock.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, putItem, transact } from '#core/platform/table/table.ts';
import type { RefundPort } from '#disputes/alerts/automatic/refund-port.ts';
import { maxRulesPerOwner, type Rule } from '#disputes/alerts/automatic/rule.ts';
import { bookWrites, fromBookItem, ownerName, ownersOf } from '#disputes/alerts/automatic/rule-row.ts';
import { newAlertMail } from '#disputes/alerts/outbox/alert-mail.ts';
import { settleDispute, unlinkDispute } from '#disputes/holds/dispute-hold-store.ts';
import { answering } from '#disputes/refunds/alert-answer-store.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import type { Delivery, DeliveryAttempt } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import {
  cardSearchScopes,
  type TransactionSummary,
  transactionEntity,
} from '#payments/transactions/transaction/transaction-row.ts';
import { readKnown, recordReversal } from '#payments/transactions/transaction/transaction-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import {
  alertAt,
  formFields,
  fresh,
  makeRcode,
  noticesAt,
  seedClaims,
  seedSite,
  take,
} from '#test/disputes/alerts/seed.ts';
import { itemsWritten } from '#test/disputes/enrollments/item-writes.ts';
import { newShop, pay, preauth } from '#test/payments/transactions/shop.ts';
import { ledgerAt, paymentAt, settleEverything, useSandbox } from '#test/payments/transactions/support.ts';
import { letterText } from '#test/support/letters.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { always, aRule } from './samples.ts';

useOperations();
useSandbox();
afterEach(() => setClock());

let shop: Tenant;
let alertSite: Site;
let descriptor: string;
const merchant = async (rule = true): Promise<void> => {
  shop = await newShop();
  alertSite = await seedSite({ mid: shop.mid, alert: settings({ max_daily_refunds: 1000 }) });
  descriptor = `SHOP ${alertSite.sid}`;
  await seedClaims('provider_a', 'EXACT', descriptor, alertSite);
  if (!rule) return;
  const body = { sid: alertSite.sid, name: 'Refund', conditions: always, action: { type: 'refund' } };
  expect(await ask('rules/create-rule', { body })).toMatchObject({ status: 200 });
};
beforeEach(() => merchant());

const takeA = async (change: Record<string, unknown> = {}): Promise<number> => {
  const providerAlert = {
    alertId: `A${fresh()}`,
    type: 'CUSTOMER_DISPUTE',
    merchantDescriptor: descriptor,
    cardBin: '424242',
    cardLast4: '4242',
    amount: { value: '10.00', currencyCode: 'USD' },
    transactionTimestamp: nowIso(),
    arn: '',
    authCode: '',
    ...change,
  };
  return (await take('provider_a', providerAlert)).alert_id;
};
const decide = (alertId: number, isLastTry = false) => decideAlert(alertId, paymentRefunds, isLastTry);
const takeAndDecide = async (): Promise<number> => {
  const alertId = await takeA();
  await decide(alertId);
  return alertId;
};
const readDetails = async (alertId: number) => {
  const { delivery } = await noticesAt(alertId);
  return JSON.parse(formFields(delivery?.body)['txdetails'] ?? '[]')[0];
};
const isOwed = async (alertId: number) => (await getItem(keys.decision(alertId))) !== undefined;
const processrefund = (parent: number, body: Record<string, unknown>) =>
  ask('refunds/processrefund', { as: shop.as, params: { parentxid: parent }, body: { currency: 'USD', ...body } });

/** Everything that was refunded of a payment, for whomever. */
const listRefunds = async (parent: number): Promise<Transaction[]> => {
  const list = {
    entity: transactionEntity,
    scopeIndex: 1,
    scope: cardSearchScopes.merchant(shop.mid),
    order: 'DESC',
    size: 100,
  } as const;
  const found = await readFirst<TransactionSummary>(list);
  const rows = await Promise.all(found.map(({ txid }) => paymentAt(txid)));
  return rows.filter(({ parentTxid, action }) => parentTxid === parent && action === 'REFUND');
};

describe('a rule that refunds', () => {
  it("refunds the merchant's own payment and says which, in the words of the notification", async () => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await takeAndDecide();
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', action: 'RESOLVED' });
    const payment = await paymentAt(txid);
    const ledger = await ledgerAt(txid);
    expect(ledger).toMatchObject({ refunded: 1000n, inFlight: {} });
    const refundTxid = ledger.disputes[alertId]?.refundTxid ?? 0;
    const refund = await paymentAt(refundTxid);
    expect(refund).toMatchObject({ action: 'REFUND', status: 'OK', alertId, by: 'rules' });
    expect(await readDetails(alertId)).toMatchObject({
      alert_transaction: {
        payment_gateway_reference: payment.processorReference,
        payment_gateway_reference2: String(txid),
        payment_gateway_tx_type: 'sale',
        payment_gateway_transaction_date: payment.createdAt,
      },
      transaction_action: {
        payment_gateway_reference: refund.processorReference,
        payment_gateway_reference2: String(refundTxid),
        payment_gateway_tx_type: 'refund',
        payment_gateway_transaction_date: refund.createdAt,
      },
      transaction_potential_matches: null,
    });
    await settleDispute(alertId);
    expect((await ledgerAt(txid)).disputes[alertId]).toMatchObject({ open: false, held: 0n });
  });

  it('does not refund a payment that a person released while the rule ran', async () => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await takeA();
    await settleDispute(alertId);
    const releasedFirst: RefundPort = {
      ...paymentRefunds,
      refund: async (request) => {
        await unlinkDispute(request.alert, null, 'someone');
        return paymentRefunds.refund(request);
      },
    };
    await decideAlert(alertId, releasedFirst, false);
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 0n, inFlight: {}, disputes: {} });
    expect((await alertAt(alertId)).action).not.toBe('RESOLVED');
  });

  it('does not refund a payment that a person releases just before the refund is reserved', async () => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await takeA();
    await settleDispute(alertId);
    beforeTransactions(async ({ TransactItems: parts }) => {
      if (!parts?.some(({ Put }) => Put?.Item?.['entity'] === transactionEntity)) return;
      beforeTransactions();
      await unlinkDispute(await alertAt(alertId), null, 'someone');
    });
    await decide(alertId);
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 0n, inFlight: {}, disputes: {} });
    expect(await readDetails(alertId)).toMatchObject({ transaction_action: null });
    expect((await alertAt(alertId)).action).not.toBe('RESOLVED');
  });

  it('says of each end what its merchant is still to do, why and until when', async () => {
    const told = async (action: object, paid: boolean) => {
      await merchant(false);
      await ask('rules/create-rule', { body: { sid: alertSite.sid, name: 'Ours', conditions: always, action } });
      if (paid) await pay(shop, '10.00');
      const alertId = await takeAndDecide();
      const alert = await alertAt(alertId);
      const { delivery } = await noticesAt(alertId);
      const { text } = letterText(newAlertMail(alert));
      return {
        ...{ status: alert.status, action: formFields(delivery?.body)['alert_action'] },
        asks: /What to do: +(.*)/.exec(text)?.[1],
        by: /Answer by: +(.*) UTC/.exec(text)?.[1],
      };
    };
    const refund = { type: 'refund' };
    expect(await told(refund, true)).toMatchObject({
      ...{ status: 'RESOLVED', action: 'RESOLVED', by: undefined },
      asks: expect.stringMatching(/^nothing: rule \d+ \(Ours\) has refunded the transaction .* 100\.001$/),
    });
    expect(await told({ type: 'decline', reason_code: '902.002' }, true)).toMatchObject({
      ...{ status: 'DECLINED', action: 'DECLINED', by: undefined },
      asks: expect.stringMatching(/^nothing: rule \d+ \(Ours\) has answered the alert with 902\.002$/),
    });
    expect(await told(refund, false)).toMatchObject({
      ...{ status: 'OPEN', action: 'REFUND', by: expect.stringMatching(/^\d+ \w+ 20\d\d, /) },
      asks: expect.stringMatching(/^find the transaction, then refund it or decline: rule \d+ \(Ours\) did not, no /),
    });
  });

  it('says of what it found and left that it is for its merchant, why and until when', async () => {
    await merchant(false);
    await ask('rules/create-rule', {
      body: { sid: alertSite.sid, name: 'Ours', conditions: always, action: { type: 'refund', already: 'leave' } },
    });
    const { txid } = await pay(shop, '10.00');
    expect(await processrefund(txid, { amount: '10.00' })).toMatchObject({ status: 200 });
    const alertId = await takeAndDecide();
    const alert = await alertAt(alertId);
    const { delivery } = await noticesAt(alertId);
    expect(formFields(delivery?.body)).toMatchObject({ alert_action: 'MATCHED' });
    const { text } = letterText(newAlertMail(alert));
    expect(text).toMatch(
      /What to do: +refund the transaction that was found, or decline: rule \d+ \(Ours\) did not, already refunded/,
    );
    expect(text).toMatch(/Answer by: +\d+ \w+ 20\d\d/);
  });

  it('answers with a date that is not before its refund', async () => {
    await pay(shop, '10.00');
    const alertId = await takeA();
    let now = Date.now();
    setClock(() => {
      now += 1000;
      return now;
    });
    await decide(alertId);
    const { update } = await alertAt(alertId);
    const { transaction_action: made } = await readDetails(alertId);
    expect(update).toMatchObject({ reason_code: '100.001' });
    expect(String(update?.alert_outcome_action_date) >= made.payment_gateway_transaction_date).toBe(true);
  });

  it('stops reporting a refund that was returned before its network was notified', async () => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await takeAndDecide();
    const { delivery: first } = await noticesAt(alertId);
    expect(formFields(first?.body)).toMatchObject({ alert_action: 'RESOLVED' });
    const refundTxid = (await ledgerAt(txid)).disputes[alertId]?.refundTxid ?? 0;
    await recordReversal(await readKnown(await paymentAt(refundTxid)), 'refund_failed', 'rcode', answering());
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP', action: 'MATCHED' });
    const { delivery } = await noticesAt(alertId);
    expect(delivery).toMatchObject({ state: 'PENDING', nextAttemptAt: first?.nextAttemptAt, attempts: [] });
    expect(formFields(delivery?.body)).toMatchObject({ alert_action: 'MATCHED' });
    expect(await readDetails(alertId)).toMatchObject({
      alert_transaction: expect.any(Object),
      transaction_action: null,
      comment: expect.stringContaining('no automatic refund, refund_failed'),
    });
  });

  const timedOut: DeliveryAttempt = {
    ...{ id: 'att_1', at: '2026-05-02T10:00:00.000Z', slot: '2026-05-02T10:00:00.000Z', url: 'https://a.example' },
    ...{ status: null, latencyMilliseconds: 15_000, error: 'timeout', response: '', responseTruncated: false },
    replyUpdate: null,
  };
  const told: readonly [string, (delivery: Delivery) => Delivery][] = [
    ['delivered', (first) => ({ ...first, state: 'DELIVERED', nextAttemptAt: null })],
    ['sent without an answer', (first) => ({ ...first, attempts: [timedOut] })],
    ['just being sent', (first) => ({ ...first, lease: { attemptId: 'att_1', until: '2026-05-02T10:01:00.000Z' } })],
  ];
  it.each(told)(
    'has its merchant told that the alert is theirs again, where they were told of the refund: %s',
    async (_, sent) => {
      const { txid } = await pay(shop, '10.00');
      const alertId = await takeAndDecide();
      const { delivery: first } = await noticesAt(alertId);
      if (first) await putItem(toDeliveryItem(sent(first)));
      const refundTxid = (await ledgerAt(txid)).disputes[alertId]?.refundTxid ?? 0;
      const reversed = async () =>
        recordReversal(await readKnown(await paymentAt(refundTxid)), 'refund_failed', 'rcode', answering());
      const mails = await itemsWritten('MAIL', reversed);
      expect(await alertAt(alertId)).toMatchObject({
        status: 'WIP',
        automatic: { refund: null, decision: { result: 'left_to_merchant', reason: 'refund_failed' } },
      });
      const { delivery } = await noticesAt(alertId);
      expect(delivery).toMatchObject({ state: 'PENDING', kind: 'new_alert', lease: null });
      // At once, as a message of its own: receivers that know the first one do not drop it.
      expect(delivery?.nextAttemptAt).toBe((await alertAt(alertId)).updatedAt);
      expect(delivery?.messageId).not.toBe(first?.messageId ?? first?.id);
      expect(formFields(delivery?.body)).toMatchObject({ alert_action: 'MATCHED' });
      expect(mails).toHaveLength(1);
      expect(JSON.stringify(mails)).toContain(`Alert ${alertId} is open again`);
      expect(JSON.stringify(mails)).toContain('refund the transaction that was found, or decline');
    },
  );

  it.each(['is given back while its rules find it answered', 'is found answered while it is given back'] as const)(
    'leaves nobody untold of an alert that %s',
    async (order) => {
      const { txid } = await pay(shop, '10.00');
      const alertId = await takeA();
      await settleDispute(alertId);
      // A person refunds it before its rules are asked; the bank sends the money back.
      expect(await processrefund(txid, { amount: '10.00', alert_id: alertId })).toMatchObject({ status: 200 });
      const refundTxid = (await ledgerAt(txid)).disputes[alertId]?.refundTxid ?? 0;
      const comesBack = async () =>
        recordReversal(await readKnown(await paymentAt(refundTxid)), 'refund_failed', 'rcode', answering());
      const asked = () => decide(alertId);
      const [first, second] = order.startsWith('is given back') ? [comesBack, asked] : [asked, comesBack];
      beforeTransactions(async () => {
        beforeTransactions();
        await first();
      });
      await second();
      await decide(alertId);
      expect(await alertAt(alertId)).toMatchObject({ status: 'WIP', withdrawnAt: null });
      const { delivery } = await noticesAt(alertId);
      expect(delivery).toMatchObject({ state: 'PENDING', kind: 'new_alert' });
      expect(formFields(delivery?.body)['alert_action']).not.toBe('RESOLVED');
    },
  );

  it('voids what was only authorised', async () => {
    const { txid } = await preauth(shop, '10.00');
    const alertId = await takeAndDecide();
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    expect(await ledgerAt(txid)).toMatchObject({ voided: 1000n, refunded: 0n });
    expect((await readDetails(alertId)).transaction_action.payment_gateway_tx_type).toBe('void');
  });

  it('refunds none of several and shows them', async () => {
    const payments = [await pay(shop, '10.00'), await pay(shop, '10.00')];
    const alertId = await takeAndDecide();
    expect(await alertAt(alertId)).toMatchObject({
      status: 'OPEN',
      automatic: { decision: { reason: 'several_matches' } },
    });
    const { transaction_potential_matches: matches } = await readDetails(alertId);
    expect(matches.map((one: Record<string, string>) => Number(one['payment_gateway_reference2'])).toSorted()).toEqual(
      payments.map(({ txid }) => txid).toSorted(),
    );
    for (const { txid } of payments) expect((await ledgerAt(txid)).refunded).toBe(0n);
  });

  it('tells a merchant without payments here from one whose payment is not found', async () => {
    const first = await takeA();
    await decide(first);
    expect((await alertAt(first)).automatic?.decision?.reason).toBe('no_processor');
    await pay(shop, '11.00');
    const second = await takeA();
    await decide(second);
    expect((await alertAt(second)).automatic?.decision?.reason).toBe('no_transaction');
  });

  it('leaves the alert to its merchant when the processor refuses, and holds the payment for it', async () => {
    const { txid } = await pay(shop, '10.65');
    const alertId = await takeA({ amount: { value: '10.65', currencyCode: 'USD' } });
    await decide(alertId);
    expect(await alertAt(alertId)).toMatchObject({
      status: 'OPEN',
      action: 'MATCHED',
      automatic: { decision: { result: 'left_to_merchant', reason: 'refund_failed' } },
    });
    expect((await ledgerAt(txid)).disputes[alertId]).toEqual({ open: true, held: 1065n, refundTxid: null });
  });

  it('refunds what is left, and says that it is a part', async () => {
    const { txid } = await pay(shop, '10.00');
    expect(await processrefund(txid, { amount: '0.01' })).toMatchObject({ status: 200 });
    const alertId = await takeAndDecide();
    expect(await alertAt(alertId)).toMatchObject({
      status: 'RESOLVED',
      update: { reason_code: '101.001', alert_outcome_amount: '9.99', alert_outcome_currency: 'USD' },
      automatic: { decision: { result: 'refunded', reason: null } },
    });
    expect((await ledgerAt(txid)).refunded).toBe(1000n);
  });

  it('answers for a payment that was refunded or voided before that it was, and refunds nothing', async () => {
    const paid = await pay(shop, '10.00');
    expect(await processrefund(paid.txid, { amount: '10.00' })).toMatchObject({ status: 200 });
    const authorised = await preauth(shop, '11.00');
    expect(await processrefund(authorised.txid, { amount: '11.00' })).toMatchObject({ status: 200 });
    for (const [txid, value] of [
      [paid.txid, '10.00'],
      [authorised.txid, '11.00'],
    ] as const) {
      const before = await ledgerAt(txid);
      const alertId = await takeA({ amount: { value, currencyCode: 'USD' } });
      await decide(alertId);
      expect(await alertAt(alertId)).toMatchObject({
        status: 'RESOLVED',
        // By the time of the refund, the price of the alert can be claimed.
        update: { reason_code: '951.001', alert_outcome_action_date: expect.stringMatching(/^20\d\d-.*Z$/) },
        automatic: { decision: { result: 'resolved', reason: 'already_refunded' }, refund: null },
      });
      expect((await alertAt(alertId)).update).not.toHaveProperty('alert_outcome_amount');
      expect((await ledgerAt(txid)).refunded).toBe(before.refunded);
    }
  });

  it('refunds what is disputed, not what was paid', async () => {
    const { txid } = await pay(shop, '39.00');
    await seedClaims('provider_b', 'EXACT', descriptor, alertSite);
    const { alert_id: alertId } = await take('provider_b', {
      ...{
        caseId: `B${fresh()}`,
        descriptor,
        accountNumber: '424242xxxxxx4242',
        transactionDate: nowIso(),
        arn: '',
        authorizationCode: '',
      },
      ...{ transactionAmount: '39.00', transactionCurrency: 'USD', caseAmount: '20.00', caseCurrency: 'USD' },
    });
    await decide(alertId);
    expect((await alertAt(alertId)).providerAlert).toMatchObject({ disputeAmount: '20.00', disputeCurrency: 'USD' });
    expect(await alertAt(alertId)).toMatchObject({
      update: { reason_code: '100.001', alert_outcome_amount: '20.00', alert_outcome_currency: 'USD' },
    });
    expect((await ledgerAt(txid)).refunded).toBe(2000n);
  });

  it('keeps to what the payment’s site allows', async () => {
    shop = await newShop({ allow_refund: 0 });
    await pay(shop, '10.00');
    alertSite = await seedSite({ mid: shop.mid });
    descriptor = `SHOP ${alertSite.sid}`;
    await seedClaims('provider_a', 'EXACT', descriptor, alertSite);
    await ask('rules/create-rule', {
      body: { sid: alertSite.sid, name: 'Refund', conditions: always, action: { type: 'refund' } },
    });
    const alertId = await takeAndDecide();
    expect((await alertAt(alertId)).automatic?.decision?.reason).toBe('refund_not_allowed');
  });

  it.each([
    ['DECLINED', '902.002'],
    ['WIP', '999.002'],
  ])('does not refund once its merchant has answered %s, however late before it is reserved', async (status, code) => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await takeA();
    let isAnswered = false;
    beforeTransactions(async ({ TransactItems = [] }) => {
      if (isAnswered || !TransactItems.some(({ Put }) => Put?.Item?.['transaction']?.action === 'REFUND')) return;
      isAnswered = true;
      const body = { alert_id: String(alertId), status, reason_code: code };
      const { status: answered } = await ask('alerts/update-alert', {
        ...{ as: 'nobody', body, headers: { rcode: makeRcode(alertSite.sid) } },
      });
      expect(answered).toBe(200);
    });
    await decide(alertId);
    beforeTransactions();
    expect(isAnswered).toBe(true);
    await settleEverything();
    expect((await ledgerAt(txid)).refunded).toBe(0n);
    expect(await listRefunds(txid)).toEqual([]);
    expect(await alertAt(alertId)).toMatchObject({
      ...{ status, update: { reason_code: code } },
      automatic: { decision: { result: 'left_to_merchant', reason: 'alert_closed' } },
    });
    expect(await isOwed(alertId)).toBe(false);
  });

  it('stores the evidence of a hundred large rules within the row limit of the table', async () => {
    await pay(shop, '10.00');
    const shadow = (id: number) => ({
      ...aRule({ id, mode: 'shadow', name: `Shadow ${id}` }),
      conditions: { any: [always, { fact: 'descriptor', operator: 'in', value: texts }] },
      action: { type: 'decline', reason_code: '902.002', comments: 'ü'.repeat(1900) },
    });
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(190, 'x'));
    for (const owner of ownersOf({ sid: alertSite.sid, mid: shop.mid })) {
      const book = fromBookItem(await getItem(keys.ruleBook(ownerName(owner))), owner);
      const shadows = Array.from({ length: maxRulesPerOwner - 1 }, (_, index) => ({
        ...shadow(1000 + index),
        ...owner,
      }));
      const rules = [...shadows, ...book.rules] as Rule[];
      // The merchant's rules come after the site's, so its live one decides.
      const live = rules.map((rule) =>
        owner.sid !== null && rule.mode === 'live' ? { ...rule, enabled: false } : rule,
      );
      if (owner.sid === null) live.push(aRule({ id: 5000, ...owner, action: { type: 'refund' } }));
      await transact({ rows: bookWrites({ ...book, version: book.version + 1, rules: live }, undefined) });
    }
    const alertId = await takeAndDecide();
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', automatic: { decision: { ruleId: 5000 } } });
    const { shadows } = (await alertAt(alertId)).automatic ?? {};
    expect(shadows).toHaveLength(2 * (maxRulesPerOwner - 1));
    const rows = await getItems([keys.refund(alertId), keys.alert(alertId)]);
    for (const row of rows) expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThan(200_000);
  });

  it.each([
    ['100.001', '10.00', 0n],
    ['101.001', '9.99', 1n],
  ])(
    'repeats a refund with an unknown result, and answers %s with the result of the same refund',
    async (reason_code, amount, before) => {
      const { txid } = await pay(shop, '10.00');
      if (before > 0n) await processrefund(txid, { amount: '0.01' });
      const alertId = await takeA();
      let writes = 0;
      beforeTransactions(async ({ TransactItems = [] }) => {
        if (!TransactItems.some((part) => part.Put?.Item?.['transaction']?.action === 'REFUND')) return;
        writes += 1;
        if (writes === 2) throw new Error('the table is gone after the processor was asked');
      });
      // No failure: the message comes again.
      await expect(decide(alertId)).rejects.toThrow(RetryLaterError);
      beforeTransactions();
      await expect(decide(alertId)).rejects.toThrow('not known yet');
      expect(await isOwed(alertId)).toBe(true);
      expect((await ledgerAt(txid)).refunded).toBe(before);
      await decide(alertId, true);
      expect(await alertAt(alertId)).toMatchObject({
        ...{ status: 'WIP', update: { reason_code: '999.002' } },
        automatic: { decision: { result: 'refund_pending' } },
      });
      const again = await processrefund(txid, { amount, alert_id: alertId });
      expect(again).toMatchObject({ status: 409 });
      // Once it is known, the alert is answered with it.
      await settleEverything();
      expect((await ledgerAt(txid)).refunded).toBe(1000n);
      expect(await alertAt(alertId)).toMatchObject({
        ...{ status: 'RESOLVED', action: 'RESOLVED', update: { reason_code, alert_outcome_amount: amount } },
        automatic: { decision: { result: 'refunded', reason: null } },
      });
    },
  );
});

describe('whoever refunds for a dispute', () => {
  it('is the only one: after the merchant the rule does not, after the rule the merchant cannot', async () => {
    const { txid } = await pay(shop, '10.00');
    const first = await takeA();
    await settleDispute(first);
    expect(await processrefund(txid, { amount: '4.00' })).toMatchObject({ status: 200 });
    expect(await alertAt(first)).toMatchObject({ status: 'RESOLVED', update: { reason_code: '101.001' } });
    await decide(first);
    expect((await alertAt(first)).automatic).toBeNull();
    expect((await ledgerAt(txid)).refunded).toBe(400n);
  });

  it('refunds once, however rules, merchant, holds and answers race', async () => {
    type Step = 'decide' | 'refund' | 'refundForAlert' | 'settle' | 'resolve';
    const step = fc.constantFrom<Step>('decide', 'decide', 'refund', 'refundForAlert', 'settle', 'resolve');
    const race = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(race, async (rounds) => {
        await merchant();
        const { txid } = await pay(shop, '10.00');
        const alertId = await takeA();
        const steps: Record<Step, () => Promise<unknown>> = {
          decide: () => decide(alertId),
          settle: () => settleDispute(alertId),
          refund: () => processrefund(txid, { amount: '10.00' }),
          refundForAlert: () => processrefund(txid, { amount: '4.00', alert_id: alertId }),
          resolve: () =>
            ask('alerts/update-alert', {
              as: 'nobody',
              headers: { rcode: makeRcode(alertSite.sid) },
              body: { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.003' },
            }),
        };
        for (const round of rounds) await Promise.allSettled(round.map((one) => steps[one]()));
        await decide(alertId, true);
        await settleDispute(alertId);
        const ledger = await ledgerAt(txid);
        const refunds = (await listRefunds(txid)).filter((one) => one.alertId === alertId && one.status === 'OK');
        expect(refunds.length).toBeLessThanOrEqual(1);
        expect(['0', '400', '1000']).toContain(String(ledger.refunded));
        expect(ledger.inFlight).toEqual({});
        const alert = await alertAt(alertId);
        const refundTxid = ledger.disputes[alertId]?.refundTxid ?? null;
        if (alert.automatic?.refund) {
          expect(String(refundTxid)).toBe(alert.automatic.refund.payment_gateway_reference2);
          expect(ledger.refunded).toBe(1000n);
        }
        expect(await isOwed(alertId)).toBe(false);
        expect(Object.values(ledger.disputes).every(({ open, held }) => open || held === 0n)).toBe(true);
      }),
      { numRuns: 12 },
    );
  });
});
