import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds, nowIso, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import { handler as settleAlerts } from '#jobs/settle/handler.ts';
import { setRate } from '#payments/pricing/rates/rate-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { alertAt, fresh, makeRcode, noticesAt, outcomesAt, take } from '#test/disputes/alerts/seed.ts';
import { always } from '#test/disputes/rules/samples.ts';
import { sqsEvent } from '#test/messaging/support.ts';
import { adyenRoute, routeTo, stripeRoute, useAccounts } from '#test/payments/transactions/accounts.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { ledgerAt, paymentAt } from '#test/payments/transactions/support.ts';
import type { Notice } from '#test/support/fake-adyen.ts';
import type { FakeDispute } from '#test/support/fake-stripe-disputes.ts';
import { letterText } from '#test/support/letters.ts';
import { readMails } from '#test/support/mails.ts';
import { type As, ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { settle } from '#test/support/settle.ts';
import { lookAt, newDisputedMerchant } from './merchant.ts';

/** Chargebacks as processors tell them, and what follows from them. */

useOperations();
const accounts = useAccounts();

const noon = Date.parse('2026-05-02T12:00:00.000Z');
let shop: Tenant;
let alertSite: Site;
let descriptor: string;

const newMerchant = async (cbm = true) => {
  ({ shop, alertSite, descriptor } = await newDisputedMerchant(cbm));
};
beforeEach(async () => {
  setClock(() => noon);
  beforeTransactions();
  await newMerchant();
});
const later = (time: number) => setClock(() => noon + time);

/** Has the processor report a dispute, and the worker process what the queue got. */
const told = async (processor: 'stripe' | 'adyen', webhook: Parameters<typeof accounts.send>[2]) => {
  expect(await accounts.send(shop, processor, webhook)).toMatchObject({ status: 200 });
  expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
};
const tellStripe = (dispute: FakeDispute) => told('stripe', accounts.stripe.webhook({ ...dispute }));

const paidAtStripe = async (amount = '10.00') => {
  await routeTo(shop, stripeRoute(accounts.stripe));
  const { txid } = await pay(shop, amount);
  const intent = accounts.stripe.intents.get((await paymentAt(txid)).processorReference ?? '');
  if (!intent) throw new Error('Stripe does not know the payment');
  return { txid, intent };
};
const disputedAlert = async (amount = '10.00'): Promise<number> => {
  const { alert_id } = await take('provider_a', {
    ...{ alertId: `A${fresh()}`, type: 'CUSTOMER_DISPUTE', merchantDescriptor: descriptor },
    ...{ cardBin: '424242', cardLast4: '4242', amount: { value: amount, currencyCode: 'USD' } },
    ...{ transactionTimestamp: nowIso(), arn: '', authCode: '' },
  });
  await settleDispute(alert_id);
  return alert_id;
};

type Row = Record<string, unknown>;
const list = async (body: object = {}, as: As = shop.as): Promise<Row[]> =>
  ((await ask('chargebacks/list-chargebacks', { as, body })).body as { list: Row[] }).list;
const refund = (parentxid: number, body: object = {}) =>
  ask('refunds/processrefund', {
    as: shop.as,
    params: { parentxid },
    body: { amount: '1.00', currency: 'USD', ...body },
  });
const available = async () => {
  const rows = await Promise.all(Array.from({ length: 8 }, (_, shard) => getItem(keys.balance(shop.sid, shard))));
  return rows.reduce((sum, row) => sum + Number(row?.['available#USD'] ?? 0), 0);
};

describe('a dispute at Stripe', () => {
  it('becomes a chargeback once it was asked for there, takes the money off the funds, and shuts refunds', async () => {
    const { txid, intent } = await paidAtStripe();
    await tellStripe(accounts.stripe.disputes.open(intent));
    expect(await list()).toEqual([
      {
        ...{ chargeback_id: expect.stringMatching(/^cb_[\da-f]{24}$/), processor: 'stripe', reference: intent.id },
        ...{ dispute_reference: expect.stringMatching(/^dp_/), txid, alert_id: null, mid: shop.mid, sid: shop.sid },
        connection: null,
        ...{ reason_code: '10.4', network: 'visa', amount: '10.00', currency: 'USD', stage: 'chargeback' },
        ...{ status: 'open', due_by: '2026-05-09T12:00:00.000Z', opened_at: nowIso(), closed_at: null },
        unmapped_state: null,
        ...{
          evidence_submitted_at: null,
          evidence_kinds: [],
          assignee: null,
          ...{ card: '424242******4242', buyer: 'jenny.rosen@example.com', items: [] },
        },
      },
    ]);
    expect(await available()).toBe(0);
    expect(await refund(txid)).toMatchObject({ status: 409, body: { msg: 'The payment was charged back' } });
    const [row] = await list();
    expect(await ask('transactions/transaction-details', { as: shop.as, params: { parentxid: txid } })).toMatchObject({
      body: {
        ledger: {
          chargebacks: [
            { chargeback_id: row?.['chargeback_id'], amount: '10.00', money_taken: true, refunded_by_network: false },
          ],
        },
      },
    });
  });

  it('has evidence without an order, where its merchant keeps none', async () => {
    const { intent } = await paidAtStripe();
    await tellStripe(accounts.stripe.disputes.open(intent));
    const [row] = await list();
    const asked = { as: shop.as, params: { id: String(row?.['chargeback_id']) } };
    expect(await ask('chargebacks/chargeback-evidence', asked)).toMatchObject({
      status: 200,
      body: { order_evidence: null },
    });
  });

  it.each<[string, number, string | undefined, string, bigint, boolean]>([
    ['by the rate in force', 15_000, '0.0066', 'jpy', 9900n, false],
    ['by the rate in force', 9000, '1.08', 'eur', 9720n, false],
    ['as the whole payment where no rate is set', 31_000, undefined, 'kwd', 10_000n, true],
    ['as the whole payment where no rate is set', 3_000_000, undefined, 'huf', 10_000n, true],
    ['in the minor units of its own currency', 4000, undefined, 'usd', 4000n, false],
  ])('is booked %s: %i, rate %s from %s', async (_, amount, rate, currency, minor, isAlarm) => {
    if (rate) await setRate({ from: currency.toUpperCase(), to: 'USD', rate, source: 'a test' }, 'admin');
    const { txid, intent } = await paidAtStripe('100.00');
    vi.mocked(process.stdout.write).mockClear();
    const dispute = accounts.stripe.disputes.open({ ...intent, amount, currency });
    await tellStripe(dispute);
    const booked = async () => Object.values((await ledgerAt(txid)).chargebacks ?? {});
    expect(await booked()).toMatchObject([{ minor, taken: true }]);
    expect(await list()).toMatchObject([{ currency: currency.toUpperCase() }]);
    const alarms = () =>
      vi.mocked(process.stdout.write).mock.calls.filter(([line]) => String(line).includes('ChargebacksWithoutRate'));
    expect(alarms()).toHaveLength(isAlarm ? 1 : 0);
    // What was booked stays, whatever the rate is when it is reported again.
    const later = Date.parse(nowIso()) + 1000;
    setClock(() => later);
    if (currency !== 'usd')
      await setRate({ from: currency.toUpperCase(), to: 'USD', rate: '2', source: 'a test' }, 'admin');
    dispute.status = 'under_review';
    await tellStripe(dispute);
    expect(await booked()).toMatchObject([{ minor, taken: true }]);
    expect(alarms()).toHaveLength(isAlarm ? 1 : 0);
  });

  it('gives the money back when it is won, and lets refunds be made', async () => {
    const { txid, intent } = await paidAtStripe();
    const dispute = accounts.stripe.disputes.open(intent);
    await tellStripe(dispute);
    dispute.status = 'under_review';
    await tellStripe(dispute);
    expect(await list({ status: 'under_review' })).toHaveLength(1);
    dispute.status = 'won';
    await tellStripe(dispute);
    expect(await list()).toMatchObject([{ status: 'won', closed_at: nowIso() }]);
    expect(await available()).toBe(1000);
    expect(await refund(txid)).toMatchObject({ status: 200 });
  });

  it("is reported once to the site's addresses for chargebacks", async () => {
    shop = await newShop({ cbreportemail: 'disputes@shop.example' }, { cbm: true });
    const { txid, intent } = await paidAtStripe();
    const dispute = accounts.stripe.disputes.open(intent);
    await tellStripe(dispute);
    await tellStripe(dispute);
    const [row] = await list();
    const [mail, ...more] = await readMails(shop);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      ...{ kind: 'chargeback_raised', to: ['disputes@shop.example'], sid: shop.sid, state: 'PENDING' },
      letter: { subject: 'Chargeback of 10.00 USD', link: { path: `#/chargebacks/${row?.['chargeback_id']}` } },
    });
    const { text } = letterText(mail?.letter);
    expect(text).toContain(String(txid));
    expect(text).toMatch(/Answer by: +\d+ \w+ \d{4}, \d\d:\d\d UTC/);
  });

  const prevented = (case_type: string) => ({
    status: 'prevented',
    payment_method_details: { type: 'card', card: { brand: 'visa', network_reason_code: '10.4', case_type } },
  });

  it('that the network refunded leaves no money, shuts refunds, and is reported as what it is', async () => {
    shop = await newShop({ cbreportemail: 'disputes@shop.example' }, { cbm: true });
    const { txid, intent } = await paidAtStripe();
    await tellStripe(accounts.stripe.disputes.open(intent, prevented('resolution')));
    const [row] = await list();
    expect(row).toMatchObject({ status: 'refunded_by_network', closed_at: nowIso() });
    expect(await available()).toBe(0);
    expect(await refund(txid)).toMatchObject({ status: 409, body: { msg: 'This dispute has been refunded' } });
    expect(await ask('transactions/transaction-details', { as: shop.as, params: { parentxid: txid } })).toMatchObject({
      body: {
        ledger: { refundable: '0.00', chargebacks: [{ money_taken: true, refunded_by_network: true }] },
        history: expect.not.arrayContaining([expect.objectContaining({ event: 'charged_back' })]),
      },
    });
    expect(await readMails(shop)).toMatchObject([{ letter: { subject: 'Refund by the network of 10.00 USD' } }]);
  });

  it.each<[string, string[], FakeDispute['status'], string[]]>([
    [
      'an appeal',
      ['lost', 'appeal_needs_response', 'lost', 'appeal_needs_response'],
      'open',
      ['Arbitration', 'Arbitration'],
    ],
    ['an inquiry, raised twice', ['warning_needs_response', 'needs_response'], 'open', ['Chargeback']],
  ])('in a stage that repeats keeps its state and is reported each time: %s', async (_, statuses, status, subjects) => {
    shop = await newShop({ cbreportemail: 'disputes@shop.example' }, { cbm: true });
    const { intent } = await paidAtStripe();
    const dispute = accounts.stripe.disputes.open(intent);
    await tellStripe(dispute);
    for (const [index, next] of statuses.entries()) {
      later((index + 1) * milliseconds.hour);
      dispute.status = next;
      await tellStripe(dispute);
    }
    expect(await list()).toMatchObject([{ status }]);
    expect((await readMails(shop)).map(({ letter }) => letter?.subject)).toEqual(
      ['Chargeback', ...subjects].map((what) => `${what} of 10.00 USD`),
    );
  });

  it('that a network blocked costs nothing and shuts nothing', async () => {
    const { txid, intent } = await paidAtStripe();
    await tellStripe(accounts.stripe.disputes.open(intent, prevented('block')));
    expect([await available(), (await refund(txid)).status]).toEqual([1000, 200]);
  });

  it.each(['needs_response', 'won'])('keeps %s and shows the state when Stripe names an unknown one', async (known) => {
    const { intent } = await paidAtStripe();
    const dispute = accounts.stripe.disputes.open(intent, { status: known });
    await tellStripe(dispute);
    const [before] = await list();
    const funds = await available();
    dispute.status = 'something_new';
    const logged = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await tellStripe(dispute);
    const lines = logged.mock.calls.join('');
    logged.mockRestore();
    expect(lines).toContain('dispute_state_unknown');
    expect(await list()).toEqual([{ ...before, unmapped_state: 'something_new' }]);
    expect(await available()).toBe(funds);
    dispute.status = 'lost';
    await tellStripe(dispute);
    expect(await list()).toMatchObject([{ status: 'lost', unmapped_state: null }]);
  });

  it('that is an inquiry takes nothing, and a refund may end it', async () => {
    const { txid, intent } = await paidAtStripe();
    await tellStripe(accounts.stripe.disputes.open(intent, { status: 'warning_needs_response' }));
    expect(await list()).toMatchObject([{ stage: 'inquiry', status: 'open' }]);
    expect([await available(), (await refund(txid)).status]).toEqual([1000, 200]);
  });

  it('is asked for: what the webhook itself says is not believed', async () => {
    const { intent } = await paidAtStripe();
    const dispute = accounts.stripe.disputes.open(intent);
    await tellStripe({ ...dispute, status: 'won', amount: 1 });
    expect(await list()).toMatchObject([{ status: 'open', amount: '10.00' }]);
    await told('stripe', accounts.stripe.webhook({ id: 'dp_nobody_knows', object: 'dispute' }));
    expect(await list()).toHaveLength(1);
  });

  it('is counted once when it is reported repeatedly and concurrently', async () => {
    const { txid, intent } = await paidAtStripe();
    const dispute = accounts.stripe.disputes.open(intent);
    const webhook = accounts.stripe.webhook({ ...dispute });
    await Promise.all([accounts.send(shop, 'stripe', webhook), accounts.send(shop, 'stripe', webhook)]);
    const [noted] = accounts.noted.splice(0);
    if (!noted) throw new Error('Nothing was noted');
    await Promise.all([lookAt(noted), lookAt(noted), lookAt(noted)]);
    await tellStripe(dispute);
    expect(await list()).toHaveLength(1);
    expect((await ledgerAt(txid)).chargebacks).toEqual({
      [noted.noticeId]: { minor: 1000n, taken: true, openedAt: expect.any(String) },
    });
    expect(await available()).toBe(0);
  });

  it('is brought up again by the sweep while Stripe cannot be asked', async () => {
    const { intent } = await paidAtStripe();
    const dispute = accounts.stripe.disputes.open(intent);
    await accounts.send(shop, 'stripe', accounts.stripe.webhook({ ...dispute }));
    const [noted] = accounts.noted.splice(0);
    if (!noted) throw new Error('Nothing was noted');
    accounts.stripe.fail(503, /disputes/);
    expect(await lookAt(noted)).toEqual([{ itemIdentifier: '0' }]);
    const notice = keys.disputeNotice(noted.noticeId);
    expect(await getItem(notice)).toMatchObject({ duePk: expect.any(String), id: noted.noticeId });
    expect(await lookAt(noted)).toEqual([]);
    expect(await getItem(notice)).toBeUndefined();
    expect(await list()).toHaveLength(1);
  });

  it('is asked about every day until it is over, should Stripe not tell', async () => {
    const { intent } = await paidAtStripe();
    const dispute = accounts.stripe.disputes.open(intent);
    await tellStripe(dispute);
    const [{ chargeback_id: chargebackId } = {}] = await list();
    const due = async () => (await getItem(keys.chargeback(String(chargebackId))))?.['dueSk'];
    expect(await due()).toMatch(/^2026-05-03T12:00/);
    later(milliseconds.day);
    expect(await lookAt({ chargebackId })).toEqual([]);
    expect(await due()).toMatch(/^2026-05-04T12:00/);
    dispute.status = 'lost';
    later(2 * milliseconds.day);
    expect(await lookAt({ chargebackId })).toEqual([]);
    expect([await due(), (await list())[0]?.['status']]).toEqual([undefined, 'lost']);
  });

  it('of a merchant without chargeback management is left alone', async () => {
    await newMerchant(false);
    const { txid, intent } = await paidAtStripe();
    await tellStripe(accounts.stripe.disputes.open(intent));
    expect([await list(), (await ledgerAt(txid)).chargebacks]).toEqual([[], undefined]);
  });

  it('is ignored if its payment is unknown', async () => {
    await paidAtStripe();
    await tellStripe(accounts.stripe.disputes.open({ id: 'pi_elsewhere', amount: 1000, currency: 'usd' }));
    expect(await list()).toEqual([]);
  });

  it('is checked by sweeps for a day if its payment is not known yet', async () => {
    await routeTo(shop, stripeRoute(accounts.stripe));
    accounts.stripe.fail('lost', /POST .*payment_intents/);
    const { txid } = await pay(shop, '10.00');
    const [intent] = [...accounts.stripe.intents.values()].slice(-1);
    if (!intent) throw new Error('Stripe does not know the payment');
    await accounts.send(shop, 'stripe', accounts.stripe.webhook({ ...accounts.stripe.disputes.open(intent) }));
    const [noted] = accounts.noted.splice(0);
    if (!noted) throw new Error('Nothing was noted');
    const notice = () => getItem(keys.disputeNotice(noted.noticeId));
    expect([await lookAt(noted), await list(), await notice()]).toEqual([
      [],
      [],
      expect.objectContaining({ id: noted.noticeId }),
    ]);
    later(milliseconds.minute);
    await settle({ txid });
    expect([await lookAt(noted), await list(), await notice()]).toEqual([
      [],
      [expect.objectContaining({ txid })],
      undefined,
    ]);
  });

  it('is checked by sweeps for a day if its processor does not know it yet', async () => {
    const { intent } = await paidAtStripe();
    const dispute = accounts.stripe.disputes.open(intent);
    await accounts.send(shop, 'stripe', accounts.stripe.webhook({ ...dispute }));
    const [noted] = accounts.noted.splice(0);
    if (!noted) throw new Error('Nothing was noted');
    accounts.stripe.disputes.disputes.delete(dispute.id);
    expect([await lookAt(noted), await list()]).toEqual([[], []]);
    later(12 * milliseconds.hour);
    accounts.stripe.disputes.disputes.set(dispute.id, dispute);
    await lookAt(noted);
    expect(await list()).toHaveLength(1);
    expect(await getItem(keys.disputeNotice(noted.noticeId))).toBeUndefined();
  });

  it('is no longer checked if its payment is still unknown after a day', async () => {
    await paidAtStripe();
    const dispute = accounts.stripe.disputes.open({ id: 'pi_elsewhere', amount: 1000, currency: 'usd' });
    await accounts.send(shop, 'stripe', accounts.stripe.webhook({ ...dispute }));
    const [noted] = accounts.noted.splice(0);
    if (!noted) throw new Error('Nothing was noted');
    const notice = () => getItem(keys.disputeNotice(noted.noticeId));
    await lookAt(noted);
    expect(await notice()).toBeDefined();
    later(25 * milliseconds.hour);
    await lookAt(noted);
    expect(await notice()).toBeUndefined();
  });
});

it('is what the signed webhooks of Adyen say, whatever order they come in', async () => {
  shop = await newShop({ cbreportemail: 'disputes@shop.example' }, { cbm: true });
  await routeTo(shop, adyenRoute(accounts.adyen));
  const { txid } = await pay(shop, '20.00');
  await accounts.tell(shop, 'adyen', ...accounts.adyen.takeWebhooks());
  const originalReference = (await paymentAt(txid)).processorReference ?? '';
  const tell = (eventCode: string, more: Record<string, string> = {}) => {
    const notice = { eventCode, success: true, pspReference: `DISPUTE${txid}`, originalReference };
    return told('adyen', accounts.adyen.sign([{ ...notice, merchantReference: 'ignored', more }]));
  };
  const more = { chargebackReasonCode: '10.4', defensePeriodEndsAt: '2026-05-20T00:00:00+02:00' };
  await tell('NOTIFICATION_OF_CHARGEBACK', more);
  expect(await list()).toMatchObject([
    { status: 'open', stage: 'chargeback', amount: '20.00', txid, due_by: '2026-05-19T22:00:00.000Z' },
  ]);
  expect([await available(), (await refund(txid)).status]).toEqual([2000, 409]);
  await tell('INFORMATION_SUPPLIED', { disputeStatus: 'Pending' });
  expect(await list()).toMatchObject([{ status: 'under_review', due_by: '2026-05-19T22:00:00.000Z' }]);
  await tell('CHARGEBACK_REVERSED');
  await tell('CHARGEBACK', more);
  expect(await list()).toMatchObject([{ status: 'under_review', closed_at: null }]);
  expect(await available()).toBe(2000);
  await tell('PREARBITRATION_OPEN', { ...more, defensePeriodEndsAt: '2026-06-20T00:00:00+02:00' });
  expect(await list()).toMatchObject([{ status: 'open', stage: 'arbitration', due_by: '2026-06-19T22:00:00.000Z' }]);
  const letters = (await readMails(shop)).map(({ letter }) => letter);
  expect(letters).toContainEqual(
    expect.objectContaining({ subject: 'Arbitration of 20.00 USD', dueAt: '2026-06-19T22:00:00.000Z' }),
  );
  await tell('SECOND_CHARGEBACK');
  expect(await list()).toMatchObject([{ status: 'lost', stage: 'arbitration' }]);
  expect(await available()).toBe(0);
});

describe('a chargeback at Adyen of a payment whose answer was lost', () => {
  /** Adyen accepts the payment, but its answer is lost. */
  const unheard = async () => {
    await routeTo(shop, adyenRoute(accounts.adyen));
    accounts.adyen.fail('lost', /POST \/v71\/payments$/);
    const { txid } = await pay(shop, '20.00');
    accounts.adyen.takeWebhooks();
    const { psp: originalReference, reference: merchantReference } = accounts.adyen.payments.at(-1) ?? expect.fail();
    const tell = (eventCode: string, change: Partial<Notice> = {}) => {
      const about = { pspReference: `DISPUTE${txid}`, originalReference, merchantReference, ...change };
      return told('adyen', accounts.adyen.sign([{ eventCode, success: true, ...about }]));
    };
    const settleAll = async () => {
      for (const message of accounts.told.splice(0)) await settle(message);
    };
    return { txid, originalReference, tell, settle: settleAll };
  };
  const givenUp = async () => {
    const unknown = await unheard();
    later(16 * milliseconds.minute);
    await settle({ txid: unknown.txid });
    accounts.adyen.takeWebhooks();
    const cancelled = { success: false, pspReference: `CANCEL${unknown.txid}`, originalReference: '' };
    await unknown.tell('TECHNICAL_CANCEL', cancelled);
    await unknown.settle();
    expect(await paymentAt(unknown.txid)).toMatchObject({ status: 'EXC' });
    return unknown;
  };

  it('proves the payment, and is its own', async () => {
    const { txid, originalReference, tell, settle } = await unheard();
    await tell('CHARGEBACK');
    await settle();
    expect(await paymentAt(txid)).toMatchObject({ status: 'OK', processorReference: originalReference });
    await tell('CHARGEBACK');
    expect(await list()).toMatchObject([{ txid, status: 'open' }]);
    expect(await available()).toBe(0);
  });

  it('is its payment’s, though that was given up; what was taken and taken back is nothing in the funds', async () => {
    const { txid, tell } = await givenUp();
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await tell('CHARGEBACK');
    expect(await list()).toMatchObject([{ txid, status: 'open', amount: '20.00' }]);
    expect((await ledgerAt(txid)).chargebacks).toMatchObject({
      [String((await list())[0]?.['chargeback_id'])]: { taken: false },
    });
    expect(await available()).toBe(0);
    expect(written.mock.calls.flat().join('\n')).toContain('"ContradictedOutcomes":1');
    written.mockRestore();
  });

  it('takes from the funds where Adyen had given the payment back before', async () => {
    const { txid, tell } = await givenUp();
    await tell('CANCEL_OR_REFUND', { pspReference: `REVERSAL${txid}` });
    await tell('CHARGEBACK');
    expect(await available()).toBe(-2000);
    await tell('CHARGEBACK_REVERSED');
    expect(await available()).toBe(0);
  });

  it('is ignored if it belongs to another stage that shares the account', async () => {
    const { txid, tell } = await givenUp();
    await tell('CHARGEBACK', { merchantReference: `${txid}-0123456789abcdef` });
    expect(await list()).toEqual([]);
  });

  it('is ignored if it names a refund made here', async () => {
    await routeTo(shop, adyenRoute(accounts.adyen));
    const { txid } = await pay(shop, '20.00');
    await refund(txid);
    await accounts.tell(shop, 'adyen', ...accounts.adyen.takeWebhooks());
    for (const message of accounts.told.splice(0)) await settle(message);
    const sent = accounts.adyen.requests.findLast(({ path }) => path.endsWith('/refunds'));
    const { reference: merchantReference } = JSON.parse(sent?.body ?? '{}');
    expect(merchantReference).toMatch(/^\d+-[\da-f]{16}$/);
    const about = { pspReference: `DISPUTE${txid}`, originalReference: 'ELSEWHERE0000001', merchantReference };
    await told('adyen', accounts.adyen.sign([{ eventCode: 'CHARGEBACK', success: true, ...about }]));
    expect(await list()).toEqual([]);
  });

  it('waits longer than a day while the state of the payment is unknown', async () => {
    const { txid, originalReference } = await unheard();
    const { reference: merchantReference = '' } = accounts.adyen.payments.at(-1) ?? {};
    const about = { pspReference: `DISPUTE${txid}`, originalReference, merchantReference };
    await accounts.send(shop, 'adyen', accounts.adyen.sign([{ eventCode: 'CHARGEBACK', success: true, ...about }]));
    const [noted] = accounts.noted.splice(0);
    if (!noted) throw new Error('Nothing was noted');
    later(25 * milliseconds.hour);
    expect([await lookAt(noted), await list()]).toEqual([[], []]);
    await settle({ txid });
    expect([await lookAt(noted), await list()]).toEqual([[], [expect.objectContaining({ txid })]]);
  });
});

describe('an alert about a payment that is charged back', () => {
  const rule = (action: object) =>
    ask('rules/create-rule', { body: { sid: alertSite.sid, name: 'Refund', conditions: always, action } });
  type Intent = Awaited<ReturnType<typeof paidAtStripe>>['intent'];
  const chargedBack = async (intent: Intent, change: Row = {}) => {
    const dispute = accounts.stripe.disputes.open(intent, change);
    await tellStripe(dispute);
    return dispute;
  };
  const shown = async (alertId: number) =>
    (await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } })).body as Row & {
      history: Row[];
    };

  it('is lost, and names it; not once that was won', async () => {
    const { intent } = await paidAtStripe();
    const alertId = await disputedAlert();
    later(milliseconds.hour);
    const dispute = await chargedBack(intent);
    const [chargeback] = await list({ alert_id: alertId });
    const named = { chargeback_id: chargeback?.['chargeback_id'], lost: true };
    expect(await shown(alertId)).toMatchObject({ ...named, status: 'OPEN' });
    expect((await shown(alertId)).history.at(-1)).toMatchObject({ via: 'chargebacks', change: { to: named } });
    dispute.status = 'won';
    await tellStripe(dispute);
    expect(await shown(alertId)).toMatchObject({ ...named, lost: false });
  });

  it('is left open by rules, neither lost nor charged back, when the network refunded the payment', async () => {
    const { intent } = await paidAtStripe();
    const alertId = await disputedAlert();
    await rule({ type: 'refund' });
    await chargedBack(intent, {
      status: 'prevented',
      payment_method_details: { type: 'card', card: { brand: 'visa', case_type: 'resolution' } },
    });
    expect(await shown(alertId)).toMatchObject({ status: 'OPEN', lost: false, chargeback_id: null });
  });

  it('stays open if the chargeback is first reported as won', async () => {
    const { intent } = await paidAtStripe();
    const alertId = await disputedAlert();
    await rule({ type: 'refund' });
    await chargedBack(intent, { status: 'won' });
    expect(await shown(alertId)).toMatchObject({ status: 'OPEN', lost: false, chargeback_id: expect.any(String) });
  });

  it('came too late if the chargeback was there before', async () => {
    const { intent } = await paidAtStripe();
    const created = Math.floor((noon - milliseconds.hour) / 1000);
    const alertId = await disputedAlert();
    await chargedBack(intent, { created });
    expect(await shown(alertId)).toMatchObject({ lost: false, chargeback_id: expect.any(String) });
  });

  it.each([[[2, 1]], [[1, 2]]])('names the earliest of chargebacks from %j hours before it', async (hours) => {
    const { intent } = await paidAtStripe();
    const opened = hours.map((count) =>
      accounts.stripe.disputes.open(intent, {
        created: Math.floor((noon - count * milliseconds.hour) / 1000),
        amount: 400,
      }),
    );
    for (const dispute of opened) await tellStripe(dispute);
    const alertId = await disputedAlert();
    expect(await settleAlerts(sqsEvent([{ alertId }]))).toEqual({ batchItemFailures: [] });
    const earliest = (await list()).find(({ opened_at: at }) => at === '2026-05-02T10:00:00.000Z');
    expect(await shown(alertId)).toMatchObject({ lost: false, chargeback_id: earliest?.['chargeback_id'] });
  });

  it('names it although the alert was answered before that could be recorded', async () => {
    const { intent } = await paidAtStripe();
    await tellStripe(accounts.stripe.disputes.open(intent, { created: Math.floor(noon / 1000) - 3600 }));
    // As a worker leaves it that was cut off after it had held the payment.
    const alertId = await disputedAlert();
    const body = { alert_id: String(alertId), status: 'DECLINED', reason_code: '952.002' };
    const headers = { rcode: makeRcode(alertSite.sid) };
    expect(await ask('alerts/update-alert', { as: 'nobody', headers, body })).toMatchObject({ status: 200 });
    expect(await settleAlerts(sqsEvent([{ alertId }]))).toEqual({ batchItemFailures: [] });
    const [chargeback] = await list();
    expect(await shown(alertId)).toMatchObject({ chargeback_id: chargeback?.['chargeback_id'] });
  });

  it('holds nothing any more, and is answered 952.002 by a rule that would refund', async () => {
    const { txid, intent } = await paidAtStripe();
    await rule({ type: 'refund' });
    const alertId = await disputedAlert();
    await chargedBack(intent);
    expect((await ledgerAt(txid)).disputes[alertId]).toMatchObject({ open: true, held: 0n });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
    await decideAlert(alertId, paymentRefunds, false);
    expect(await alertAt(alertId)).toMatchObject({ status: 'DECLINED', update: { reason_code: '952.002' } });
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 0n, inFlight: {} });
  });

  it.each([
    [{ type: 'refund' }, 'DECLINED'],
    [{ type: 'refund', already: 'leave' }, 'OPEN'],
    [{ type: 'notify' }, 'OPEN'],
  ])('that the merchant still has to answer is, with a rule %j, %s', async (action, status) => {
    const { intent } = await paidAtStripe('11.00');
    const alertId = await disputedAlert('11.00');
    await rule(action);
    await chargedBack(intent);
    expect(await alertAt(alertId)).toMatchObject({ status });
    // What the merchant is no longer asked to answer is not sent.
    const { delivery } = await noticesAt(alertId);
    expect(delivery).toMatchObject({ state: status === 'OPEN' ? 'PENDING' : 'CANCELLED' });
    const answers = (await outcomesAt(alertId)).map(({ update }) => update.reason_code);
    expect(answers).toEqual(status === 'OPEN' ? [] : ['952.002']);
  });
});

describe('the sandbox', () => {
  const rowOf = (txid: number, alertId: number) => getItem(keys.sandboxDispute(`sbd_${txid}_${alertId}`));
  const dayAfterDeadline = 4 * milliseconds.day;

  it('charges .71 back a day after the deadline of its alert', async () => {
    const { txid } = await pay(shop, '10.71');
    const alertId = await disputedAlert('10.71');
    const message = { sandboxDispute: `sbd_${txid}_${alertId}` };
    expect(await rowOf(txid, alertId)).toMatchObject({ dueSk: expect.stringMatching(/^2026-05-04T10:00/) });
    await lookAt(message);
    expect(await list()).toEqual([]);
    later(dayAfterDeadline);
    expect([await lookAt(message), await lookAt(message)]).toEqual([[], []]);
    expect(await list()).toMatchObject([{ processor: 'sandbox', status: 'open', txid, alert_id: alertId }]);
    expect(await rowOf(txid, alertId)).not.toHaveProperty('duePk');
  });

  it.each([
    ['10.71', 0],
    ['10.72', 1],
  ])('charges %s, once refunded, back %i times', async (amount, times) => {
    const { txid } = await pay(shop, amount);
    const alertId = await disputedAlert(amount);
    expect((await refund(txid, { amount, alert_id: alertId })).status).toBe(200);
    later(dayAfterDeadline);
    await lookAt({ sandboxDispute: `sbd_${txid}_${alertId}` });
    expect(await list()).toHaveLength(times);
  });

  it('expects none of another amount', async () => {
    const { txid } = await pay(shop, '10.70');
    expect(await rowOf(txid, await disputedAlert('10.70'))).toBeUndefined();
  });

  it('expects none of a payment at another processor', async () => {
    const { txid } = await paidAtStripe('10.71');
    const alertId = await disputedAlert('10.71');
    expect((await ledgerAt(txid)).disputes[alertId]).toMatchObject({ open: true, held: 1071n });
    expect(await rowOf(txid, alertId)).toBeUndefined();
  });

  it('charges one card back at once', async () => {
    const { txid } = await pay(shop, '10.00', { card_no: '4000000000000259' });
    later(3 * milliseconds.second);
    expect(await lookAt({ sandboxDispute: `sbd_${txid}_0` })).toEqual([]);
    expect(await list()).toMatchObject([{ processor: 'sandbox', txid, alert_id: null }]);
  });
});

describe('chargebacks', () => {
  const made = async () => {
    const { intent } = await paidAtStripe();
    await tellStripe(accounts.stripe.disputes.open(intent));
    return String((await list())[0]?.['chargeback_id']);
  };

  it('are shown with how they came to stand as they do', async () => {
    const id = await made();
    expect((await ask('chargebacks/chargeback-details', { as: shop.as, params: { id } })).body).toMatchObject({
      ...{ chargeback_id: id, money_taken: true, accepted: null },
      history: [{ at: nowIso(), by: 'stripe', stage: 'chargeback', status: 'open' }],
    });
  });

  it('are listed as they are where an earlier release stored the entry of the list without any one field', async () => {
    const id = await made();
    const [row = {}] = await list();
    const item = (await getItem(keys.chargeback(id))) ?? expect.fail('it was stored');
    for (const name of Object.keys(row).filter((one) => one !== 'chargeback_id')) {
      const { [name]: _, ...summary } = item['summary'] as Row;
      await putItem({ ...item, summary });
      expect(await list(), name).toEqual([row]);
    }
  });

  it('are filtered by status, stage, site, alert and date', async () => {
    await made();
    const count = async (body: object, as: As = shop.as) => (await list(body, as)).length;
    expect(await count({ status: ['open'], stage: 'chargeback', sid: shop.sid })).toBe(1);
    expect([await count({ status: 'won' }), await count({ date_to: '2026-05-01' })]).toEqual([0, 0]);
    const owned = [{ mid: shop.mid }, { sid: shop.sid }, { offset: 80 }];
    expect(await Promise.all(owned.map((body) => count(body)))).toEqual([1, 1, 0]);
    const alertId = await disputedAlert('33.00');
    expect([await count({ alert_id: alertId }), await count({ alert_id: alertId, status: 'open' })]).toEqual([0, 0]);
    expect(
      (await ask('chargebacks/list-chargebacks', { as: shop.as, body: { alert_id: alertId, sid: shop.sid } })).status,
    ).toBe(400);
    expect(await count({ mid: shop.mid, sid: (await newShop()).sid }, 'admin')).toBe(0);
    expect(await count({}, 'admin')).toBeGreaterThan(0);
    expect(await count({ status: 'open' }, 'admin')).toBeGreaterThan(0);
  });

  it('are accepted once, and the processor is notified', async () => {
    const id = await made();
    const accept = () => ask('chargebacks/accept-chargeback', { as: shop.as, params: { id } });
    expect((await accept()).body).toEqual({ status: 'ok', chargeback_id: id, chargeback_status: 'accepted' });
    expect((await accept()).body).toMatchObject({ chargeback_status: 'accepted' });
    expect(await list()).toMatchObject([{ status: 'accepted' }]);
    accounts.stripe.fail('lost', /disputes\/\w+\/close/);
    await lookAt({ chargebackId: id });
    expect(await lookAt({ chargebackId: id })).toEqual([]);
    expect([...accounts.stripe.disputes.disputes.values()].at(-1)?.status).toBe('lost');
    expect(await list()).toMatchObject([{ status: 'lost', closed_at: nowIso() }]);
    const { body } = await ask('chargebacks/chargeback-details', { as: shop.as, params: { id } });
    expect(body).toMatchObject({ accepted: { by: `merchant-${shop.mid}`, at: nowIso() } });
  });

  it('are not accepted once they are over, by another tenant, or while others keep changing them', async () => {
    const { intent } = await paidAtStripe();
    const dispute = accounts.stripe.disputes.open(intent);
    await tellStripe(dispute);
    const id = String((await list())[0]?.['chargeback_id']);
    expect(await ask('chargebacks/accept-chargeback', { as: { mid: 4242 }, params: { id } })).toMatchObject({
      status: 404,
    });
    beforeTransactions(async () => {
      const item = await getItem(keys.chargeback(id));
      const chargeback = item?.['chargeback'] as { version: number };
      await putItem({ ...item, chargeback: { ...chargeback, version: chargeback.version + 1 } });
    });
    expect(await ask('chargebacks/accept-chargeback', { as: shop.as, params: { id } })).toMatchObject({ status: 409 });
    beforeTransactions();
    dispute.status = 'won';
    await tellStripe(dispute);
    expect(await ask('chargebacks/accept-chargeback', { as: shop.as, params: { id } })).toMatchObject({
      body: { msg: 'The chargeback is closed' },
    });
  });

  it('are hidden from other merchants', async () => {
    const id = await made();
    const alertId = await disputedAlert('34.00');
    const as = { mid: 4242 };
    expect(await list({}, as)).toEqual([]);
    const theirs = [{ mid: shop.mid }, { sid: shop.sid }, { alert_id: alertId }];
    const answers = await Promise.all(theirs.map((body) => ask('chargebacks/list-chargebacks', { as, body })));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const [found, none] = await Promise.all(
      [id, 'cb_none'].map((one) => ask('chargebacks/chargeback-details', { as, params: { id: one } })),
    );
    expect([found?.status, found?.body]).toEqual([404, none?.body]);
  });
});

it.each(['chargebacks/list-chargebacks', 'chargebacks/chargeback-details', 'chargebacks/accept-chargeback'])(
  '%s is declared as it is',
  (name) => expectDeclared(name),
);
