import { beforeAll, describe, expect, it } from 'vitest';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { milliseconds, nowIso } from '#core/kernel/clock.ts';
import { currencies } from '#core/kernel/money/currencies.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact, type Write } from '#core/platform/table/table.ts';
import { refundDispute } from '#disputes/refunds/refund-dispute-flow.ts';
import { planCapture, planPaymentRefund } from '#payments/transactions/follow-up/follow-up.ts';
import {
  type BeginGuards,
  beginFollowUp,
  readAround,
  readTransactionSite,
  transactionMade,
} from '#payments/transactions/follow-up/follow-up-store.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import {
  bookElsewhere,
  holdForDispute,
  releaseDispute,
  withChargeback,
} from '#payments/transactions/ledger/ledger-changes.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { changedTransactionWrite } from '#payments/transactions/transaction/transaction-row.ts';
import { readKnown, recordReversal } from '#payments/transactions/transaction/transaction-store.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import { fresh, seedClaims, seedSite, take } from '#test/disputes/alerts/seed.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { newShop, pay, preauth, type Result } from './shop.ts';
import {
  advance,
  changeLedger,
  fakeProcessor,
  fundsAt,
  keepWriting,
  ledgerAt,
  paymentAt,
  settleEverything,
  useSandbox,
} from './support.ts';

useOperations();
useSandbox();

let site: Tenant;
beforeAll(async () => {
  site = await newShop();
});

type Body = { amount?: string; currency?: string; alert_id?: number; tid?: string };
const refund = async (parent: number, body: Body = {}, as: Tenant['as'] = site.as) => {
  const answer = await ask('refunds/processrefund', {
    as,
    params: { parentxid: parent },
    body: new URLSearchParams(
      Object.entries({ amount: '10.00', currency: 'USD', ...body }).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
    ),
  });
  return { status: answer.status, body: answer.body as Result & { msg: string; details: string; comment: string } };
};

describe('a payment in a currency that has ended since', () => {
  it.each([
    ['BGN', 2],
    ['ANG', 2],
    ['CUC', 2],
  ])('is refunded in %s as it was paid', async (currency, exponent) => {
    // As before its end.
    const present = currencies as Record<string, number>;
    present[currency] = exponent;
    const { txid, status } = await pay(site, '10.00', { currency });
    delete present[currency];
    expect(status).toBe('OK');
    expect(await refund(txid, { amount: '4.00', currency })).toMatchObject({
      status: 200,
      body: { status: 'OK', currency },
    });
    expect(await refund(txid, { amount: '6.00', currency })).toMatchObject({ status: 200, body: { status: 'OK' } });
    expect(await refund(txid, { amount: '1.00', currency: 'XXY' })).toMatchObject({ status: 400 });
    await expect(pay(site, '10.00', { currency })).rejects.toThrow('currency');
  });
});

describe('a payment that is charged back', () => {
  it('is not refunded, for an alert or without one, until that was won', async () => {
    const { txid } = await pay(site, '10.00');
    await changeLedger(txid, (ledger) => withChargeback(ledger, 'cb_1', { minor: 1000n, taken: true }));
    expect(await refund(txid)).toMatchObject({ status: 409, body: { msg: 'The payment was charged back' } });
    await changeLedger(txid, (ledger) => withChargeback(ledger, 'cb_1', null));
    expect(await refund(txid)).toMatchObject({ status: 200 });
  });
});

describe('processrefund', () => {
  it('refunds a payment in parts, up to what was captured and no more', async () => {
    const { txid } = await pay(site, '10.00', { ref1: 'basket 7', dynamic_descriptor: 'SHOP*ONE' });
    const before = await fundsAt(site.sid);
    const first = await refund(txid, { amount: '4.00' });
    expect(first).toMatchObject({
      status: 200,
      body: {
        ...{ sid: site.sid, status: 'OK', parent_txid: txid, tx_action: 'REFUND', amount: 4, currency: 'USD' },
        ...{ tid: '', ref1: 'basket 7', ref2: '', comment: '', descriptor: 'SHOP*ONE', pay_method: 'VISA' },
      },
    });
    expect(first.body.txid).not.toBe(txid);
    expect((await refund(txid, { amount: '6.01' })).body).toEqual({
      code: 'amount_not_available',
      doc: '/errors/amount_not_available',
      msg: 'Less than this amount is left of the transaction',
      details: 'amount: 6.00 USD of 10.00 USD can be refunded.',
    });
    expect((await refund(txid, { amount: '6.00' })).body.status).toBe('OK');
    expect((await refund(txid, { amount: '0.01' })).status).toBe(409);
    expect(await ledgerAt(txid)).toMatchObject({ captured: 1000n, refunded: 1000n, inFlight: {} });
    expect(await fundsAt(site.sid)).toEqual({ ...before, available: before.available - 1000 });
  });

  const refundRest = async (parent: number, body: object = {}) =>
    (await ask('refunds/processrefund', { as: site.as, params: { parentxid: parent }, body })) as {
      status: number;
      body: Result & { details: string };
    };

  it('refunds what is left where no amount is named, once for a tid, and nothing where nothing is left', async () => {
    const { txid } = await pay(site, '10.00');
    await refund(txid, { amount: '3.33' });
    const first = await refundRest(txid, { tid: `rest ${txid}` });
    expect(first).toMatchObject({ status: 200, body: { status: 'OK', amount: 6.67, currency: 'USD' } });
    expect((await refundRest(txid, { tid: `rest ${txid}` })).body.txid).toBe(first.body.txid);
    expect((await refundRest(txid, { tid: `rest ${txid}`, amount: '6.67', currency: 'USD' })).status).toBe(409);
    expect(await refundRest(txid)).toMatchObject({ status: 409, body: { code: 'amount_not_available' } });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 1000n, refunded: 1000n });
  });

  it('refunds only what is left while another refund is under way or an alert holds a part, and once of several calls', async () => {
    const { txid } = await pay(site, '10.00');
    await changeLedger(txid, (ledger) => ({
      ...ledger,
      inFlight: { 77: { kind: 'REFUND', minor: 250n, alertId: null } },
    }));
    expect((await refundRest(txid)).body).toMatchObject({ status: 'OK', amount: 7.5 });
    const { txid: second } = await pay(site, '10.00');
    const all = await Promise.all([refundRest(second), refundRest(second), refundRest(second)]);
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await ledgerAt(second)).toMatchObject({ refunded: 1000n });
  });

  it('voids the whole of an authorisation where no amount is named, and expects the currency that is', async () => {
    const { txid } = await preauth(site, '10.00');
    expect(await refundRest(txid, { currency: 'EUR' })).toMatchObject({ status: 400 });
    expect((await refundRest(txid, { currency: 'USD' })).body).toMatchObject({ tx_action: 'VOID', amount: 10 });
  });

  it.each([
    [{ amount: '' }],
    [{ amount: null }],
    [{ amount: '0' }],
    [{ amount: '1.00' }],
    [{ amount: '', currency: 'USD' }],
  ])('takes %j for a mistake, not for the whole', async (body) => {
    const { txid } = await pay(site, '10.00');
    expect((await refundRest(txid, body)).status).toBe(400);
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 0n });
  });

  it('tells the merchant of the refund at the URL of the payment, and keeps who asked', async () => {
    const { txid } = await pay(site, '10.00');
    const { body } = await refund(txid);
    expect(await paymentAt(body.txid)).toMatchObject({
      postbackUrl: 'https://shop.example.com/postback',
      by: `merchant-${site.mid}`,
      nextCheckAt: null,
    });
  });

  it('voids what is only authorised, and as a whole', async () => {
    const { txid } = await preauth(site, '10.00');
    expect(await refund(txid, { amount: '4.00' })).toMatchObject({
      status: 409,
      body: { details: 'amount: what is not captured can only be voided in full; send 10.00 USD.' },
    });
    expect((await refund(txid)).body).toMatchObject({
      status: 'OK',
      tx_action: 'VOID',
      amount: 10,
      comment: 'The payment was not captured; its authorisation is voided as a whole.',
    });
    expect(await ledgerAt(txid)).toMatchObject({ authorized: 1000n, captured: 0n, voided: 1000n });
    expect((await refund(txid)).body.details).toBe('The authorisation was voided.');
  });

  it('answers what the processor refuses with EXC, and lets it be tried again', async () => {
    const { txid } = await pay(site, '10.65');
    const { status, body } = await refund(txid, { amount: '10.65' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'EXC', error_code: 'refund_failed' });
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 0n, inFlight: {} });
  });

  it('keeps what it reserved while the result of a refund is unknown', async () => {
    const { txid } = await pay(site, '10.00');
    const { body } = await refund(txid, { amount: '5.62' });
    expect(body.status).toBe('PEND');
    expect((await ledgerAt(txid)).inFlight[body.txid]).toMatchObject({ kind: 'REFUND', minor: 562n });
    expect((await refund(txid, { amount: '4.39' })).status).toBe(409);
    expect((await refund(txid, { amount: '4.38' })).body.status).toBe('OK');
    expect((await paymentAt(body.txid)).nextCheckAt).not.toBeNull();
  });

  it('does the same tid once, and refuses it for anything else', async () => {
    const { txid } = await pay(site, '10.00', { tid: 'used-by-a-payment' });
    const first = await refund(txid, { amount: '1.00', tid: 'refund-1' });
    const again = await refund(txid, { amount: '1.00', tid: 'refund-1' });
    expect(first.body['tid']).toBe('refund-1');
    expect(again).toEqual(first);
    expect(await refund(txid, { amount: '2.00', tid: 'refund-1' })).toMatchObject({ status: 409 });
    expect(await refund(txid, { amount: '1.00', tid: 'used-by-a-payment' })).toMatchObject({ status: 409 });
    expect((await ledgerAt(txid)).refunded).toBe(100n);
  });

  it('does the same tid once also where both come at the same moment', async () => {
    const { txid } = await pay(site, '10.00');
    const both = await Promise.all([1, 2, 3, 4].map(() => refund(txid, { amount: '1.00', tid: 'at-once' })));
    expect(new Set(both.map(({ body }) => body.txid)).size).toBe(1);
    expect((await ledgerAt(txid)).refunded).toBe(100n);
  });

  it('gives each of many refunds at once a definite answer', async () => {
    const { txid } = await pay(site, '10.00');
    const answers = await Promise.all(Array.from({ length: 12 }, () => refund(txid, { amount: '1.00' })));
    const done = answers.filter(({ status, body }) => status === 200 && body.status === 'OK');
    const refused = answers.filter(({ status }) => status === 409);
    expect([done.length, refused.length]).toEqual([10, 2]);
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 1000n, inFlight: {} });
  });

  it('gives up where others write the ledger again and again', async () => {
    const { txid } = await pay(site, '10.00');
    keepWriting(txid);
    expect(await refund(txid)).toMatchObject({ status: 409, body: { details: 'Send it again.' } });
    beforeTransactions();
    expect((await refund(txid)).body.status).toBe('OK');
  });

  it('refuses what is wrong, field by field', async () => {
    const { txid } = await pay(site, '10.00');
    const details = async (body: Body) => (await refund(txid, body)).body.details;
    expect(await details({ currency: 'EUR' })).toBe(
      'currency: the payment was charged in USD; refund it in that currency.',
    );
    expect(await details({ amount: '0.00' })).toBe('amount: must be above 0');
    expect(await details({ amount: '1.001' })).toBe('amount: has more decimals than USD has (2)');
    expect(await details({ amount: '1e1' })).toMatch('amount: must be a decimal');
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 0n });
  });

  it("answers another merchant's payment, a part of a payment and none alike", async () => {
    const { txid } = await pay(site, '10.00');
    const child = (await refund(txid, { amount: '1.00' })).body.txid;
    const otherTenant = await newTenant();
    const answers = [await refund(txid, {}, otherTenant.as), await refund(child), await refund(txid + 1)];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
    expect((await refund(txid, { amount: '1.00' }, 'admin')).body.status).toBe('OK');
  });

  it('refunds no payment that failed or is not known yet', async () => {
    const failed = await pay(site, '10.00', { card_no: '4000000000000002' });
    expect(await refund(failed.txid)).toMatchObject({ status: 409, body: { details: 'The payment failed.' } });
    const pending = await pay(site, '10.61');
    expect(await refund(pending.txid)).toMatchObject({
      status: 409,
      body: { details: 'The outcome of the payment is not known yet.' },
    });
  });

  it('keeps to what the site allows: no refunds, or for some days; voids are none', async () => {
    const strict = await newShop({ allow_refund: 0 });
    const { txid } = await pay(strict, '10.00');
    expect(await refund(txid, {}, strict.as)).toMatchObject({ status: 409 });
    expect((await refund((await preauth(strict, '10.00')).txid, {}, strict.as)).body.tx_action).toBe('VOID');
    const hasty = await newShop({ allow_refund: 1, allow_refund_time: 3 });
    advance(0);
    const paid = await pay(hasty, '10.00');
    advance(3 * milliseconds.day);
    expect((await refund(paid.txid, { amount: '1.00' }, hasty.as)).body.status).toBe('OK');
    advance(1);
    expect((await refund(paid.txid, { amount: '1.00' }, hasty.as)).body.details).toBe(
      'The settings of the site allow refunds within 3 days of the payment (allow_refund_time).',
    );
  });

  it('refunds once for the alert that holds the payment', async () => {
    const { txid } = await pay(site, '10.00');
    await changeLedger(txid, (ledger) => holdForDispute(ledger, 77));
    await changeLedger(txid, (ledger) => holdForDispute(ledger, 79));
    const refused = await refund(txid, { alert_id: 79 });
    expect(refused).toMatchObject({ status: 409, body: { msg: 'An open dispute alert holds the amount' } });
    expect(refused.body.details).toBe(
      'alert_id: dispute alert 77 holds 10.00 USD; to refund for it, send alert_id=77. Free are 0.00 USD.',
    );
    await changeLedger(txid, (ledger) => releaseDispute(ledger, 79));
    expect(await refund(txid, { alert_id: 78 })).toMatchObject({ status: 404 });
    expect((await refund(txid, { alert_id: 77, amount: '4.00' })).body.status).toBe('OK');
    expect((await refund(txid, { alert_id: 77, amount: '1.00' })).body.details).toMatch(
      'was made for dispute alert 77.',
    );
    await changeLedger(txid, (ledger) => releaseDispute(ledger, 77));
    expect((await refund(txid, { alert_id: 77, amount: '1.00' })).status).toBe(409);
    expect((await refund(txid, { amount: '6.00' })).body.status).toBe('OK');
  });

  it('names the alerts that hold something, apart from the one that it is for', async () => {
    const { txid } = await pay(site, '10.00');
    const holding = (held: bigint) => ({ open: true, held, refundTxid: null });
    const disputes = { 86: holding(400n), 87: holding(600n), 88: holding(0n) };
    await changeLedger(txid, (ledger) => ({ ...ledger, disputes }));
    expect((await refund(txid, { alert_id: 86 })).body.details).toBe(
      'alert_id: dispute alert 87 holds 6.00 USD; to refund for it, send alert_id=87. Free are 4.00 USD.',
    );
  });

  it('says which alert the network has refunded, or its merchant elsewhere', async () => {
    const { txid } = await pay(site, '10.00');
    await changeLedger(txid, (ledger) => holdForDispute(ledger, 81, true));
    expect((await refund(txid, { alert_id: 81 })).body.details).toBe(
      'alert_id: the network has refunded dispute alert 81.',
    );
    expect((await refund(txid)).body.details).toBe(
      'alert_id: the network has refunded dispute alert 81 by itself, 10.00 USD. Free are 0.00 USD.',
    );
    const { txid: other } = await pay(site, '10.00');
    await changeLedger(other, (ledger) => bookElsewhere(releaseDispute(holdForDispute(ledger, 82), 82), 83, null));
    expect((await refund(other)).body.details).toBe(
      'amount: dispute alert 83 was answered as refunded elsewhere; a manager may refund it again, with again=true.',
    );
  });

  it('accepts the id of an alert that has just arrived and is not linked to the payment yet', async () => {
    const alerts = await seedSite({ sid: 5000 + fresh(), mid: site.mid, alert: settings() });
    await seedClaims('provider_a', 'EXACT', `SHOP ${alerts.sid}`, alerts);
    const dispute = async (value: string, cardLast4 = '4242'): Promise<number> => {
      const sent = {
        ...{ alertId: `A${fresh()}`, type: 'CUSTOMER_DISPUTE', merchantDescriptor: `SHOP ${alerts.sid}`, arn: '' },
        ...{ cardBin: '424242', cardLast4, amount: { value, currencyCode: 'USD' }, authCode: '' },
        transactionTimestamp: nowIso(),
      };
      return (await take('provider_a', sent)).alert_id;
    };
    const { txid } = await pay(site, '71.00');
    const alertId = await dispute('71.00');
    expect((await refund(txid, { amount: '71.00', alert_id: alertId })).body).toMatchObject({ status: 'OK' });
    const other = await dispute('72.00', '1111');
    for (const age of [milliseconds.hour, 8 * milliseconds.day]) {
      advance(age);
      expect((await refund(txid, { amount: '1.00', alert_id: other })).status).toBe(404);
    }
  });

  it('uses what its declaration says', () => expectDeclared('refunds/processrefund'));
});

/** Has the next transaction sent twice, as after a lost answer. */
const loseAnswer = (): void =>
  beforeTransactions(async ({ TransactItems = [] }) => {
    beforeTransactions();
    await transact({ all: TransactItems as Write[] });
  });

describe('a refund through the ledger', () => {
  const order = (parentTxid: number, minor = 1000n) => ({
    parentTxid,
    money: { minor, currency: 'USD' },
    dispute: null,
    by: 'test',
  });

  it('of a converted payment takes its part of the original amount, and the last one the rest', async () => {
    const { txid } = await pay(site, '10.00');
    const before = await paymentAt(txid);
    const conversion = { rate: '1.2', margin: '0', source: 'test', at: nowIso() };
    const original = { minor: '833', currency: 'EUR' };
    await transact({ row: changedTransactionWrite(before, { ...before, conversion: { ...conversion, original } }) });
    const parts = [];
    for (const minor of [333n, 333n, 334n]) parts.push(await refundThroughLedger(order(txid, minor)));
    expect(parts.map((part) => part.conversion)).toEqual([
      { ...conversion, original: { minor: '277', currency: 'EUR' } },
      { ...conversion, original: { minor: '278', currency: 'EUR' } },
      { ...conversion, original: { minor: '278', currency: 'EUR' } },
    ]);
  });

  /** A payment of 10.02 USD that its payer was asked 8.35 EUR for. */
  const converted = async (change: Record<string, unknown> = {}, original = { minor: '835', currency: 'EUR' }) => {
    const { txid } = await pay(site, '10.02', change);
    const before = await paymentAt(txid);
    const conversion = { rate: '1.2', margin: '0', source: 'test', at: nowIso() };
    await transact({ row: changedTransactionWrite(before, { ...before, conversion: { ...conversion, original } }) });
    return txid;
  };
  const originalOf = ({ conversion }: Transaction) => Number(conversion?.original.minor);

  it('of a converted payment takes what is left, also after one that failed in between', async () => {
    const txid = await converted();
    const lost = await refundThroughLedger(order(txid, 166n));
    expect([lost.status, originalOf(lost)]).toEqual(['PEND', 138]);
    const second = await refundThroughLedger(order(txid, 100n));
    advance(10 * milliseconds.minute);
    await settleEverything();
    expect(await paymentAt(lost.txid)).toMatchObject({ status: 'EXC' });
    const last = await refundThroughLedger(order(txid, 902n));
    expect(originalOf(second) + originalOf(last)).toBe(835);
  });

  it('of a converted payment takes what is left, also after one that was returned', async () => {
    const txid = await converted();
    const makes = fakeProcessor({ refund: async ({ txid: made }) => ({ outcome: 'OK', reference: `re_${made}` }) });
    const refunded = (minor: bigint) => refundThroughLedger(order(txid, minor), { processorFor: async () => makes });
    const [first, second] = [await refunded(301n), await refunded(100n)];
    await recordReversal(await readKnown(first), 'refund_failed', 'an rcode');
    const last = await refunded(902n);
    expect(originalOf(second) + originalOf(last)).toBe(835);
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 1002n, refundedOriginal: 835n });
  });

  it('of a converted payment may be asked for in the currency that its payer knows, and the last one takes the rest', async () => {
    const txid = await converted();
    const inEuro = (minor: bigint) => ({ ...order(txid), money: { minor, currency: 'EUR' } });
    const first = await refundThroughLedger(inEuro(333n));
    expect([first.money, originalOf(first)]).toEqual([{ minor: '400', currency: 'USD' }, 333]);
    const second = await refundThroughLedger(order(txid, 100n));
    await expect(refundThroughLedger(inEuro(503n))).rejects.toMatchObject({
      code: 'amount_not_available',
      details: 'amount: 4.18 EUR of 8.35 EUR can be refunded.',
    });
    const last = await refundThroughLedger(inEuro(835n - 333n - BigInt(originalOf(second))));
    expect(last.money).toEqual({ minor: '502', currency: 'USD' });
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 1002n, refundedOriginal: 835n });
    await expect(refundThroughLedger({ ...order(txid), money: { minor: 1n, currency: 'GBP' } })).rejects.toMatchObject({
      details: 'currency: the payment was charged in USD, for EUR; refund it in one of these.',
    });
  });

  it('of a converted payment keeps the amount that was asked for, and refuses what rounds to nothing', async () => {
    const txid = await converted({}, { minor: '100000', currency: 'JPY' });
    const inYen = (minor: bigint) => ({ ...order(txid), money: { minor, currency: 'JPY' } });
    const part = await refundThroughLedger(inYen(133n));
    expect([part.money, originalOf(part)]).toEqual([{ minor: '1', currency: 'USD' }, 133]);
    await expect(refundThroughLedger(inYen(1n))).rejects.toMatchObject({
      code: 'request_invalid',
      details: 'amount: rounds to nothing in USD.',
    });
    await expect(refundThroughLedger(order(txid, 1002n))).rejects.toMatchObject({
      code: 'amount_not_available',
      details: 'amount: 10.01 USD of 10.02 USD can be refunded.',
    });
  });

  it('of a converted payment is returned with its amount in both currencies', async () => {
    const { body } = await refund(await converted(), { amount: '3.33', currency: 'EUR' });
    expect(body).toMatchObject({
      ...{ status: 'OK', amount: 4, currency: 'USD' },
      ...{ original_amount: 3.33, original_currency: 'EUR', fxrate: 1.2 },
    });
  });

  it('of a converted authorisation says in either currency that its capture is under way', async () => {
    const txid = await converted({ tx_action: 'PREAUTH' });
    const parent = await paymentAt(txid);
    await changeLedger(txid, (ledger) => planCapture(parent, ledger, 1002n, nowIso()).ledger);
    for (const currency of ['USD', 'EUR']) {
      const asked = { ...order(txid), money: { minor: 100n, currency } };
      await expect(refundThroughLedger(asked)).rejects.toMatchObject({
        code: 'transaction_state_wrong',
        details: 'The capture is under way; send this again once its result is known.',
      });
    }
  });

  it('reserves before the processor is asked, and asks by the reference of the payment', async () => {
    const { txid } = await pay(site, '10.00');
    const seen: unknown[] = [];
    const processor = fakeProcessor({
      refund: async ({ reference, money, txid: child }) => {
        seen.push(reference, money, (await ledgerAt(txid)).inFlight[child]);
        return { outcome: 'OK', reference: 're_1', arn: '74000000000000000000001' };
      },
    });
    const done = await refundThroughLedger(order(txid), { processorFor: async () => processor });
    const parent = await paymentAt(txid);
    const { minor, alertId } = { minor: 1000n, alertId: null };
    expect(seen).toEqual([parent.processorReference, { minor, currency: 'USD' }, { kind: 'REFUND', minor, alertId }]);
    expect(done).toMatchObject({ status: 'OK', processorReference: 're_1', arn: '74000000000000000000001' });
    expect(await getItem(keys.processorReference('sandbox', 're_1'))).toMatchObject({ txid: done.txid });
  });

  it('takes an adapter that throws for one that does not know', async () => {
    const { txid } = await pay(site, '10.00');
    const left = await refundThroughLedger(order(txid), { processorFor: async () => fakeProcessor({}) });
    expect(left.status).toBe('PEND');
    expect((await ledgerAt(txid)).inFlight[left.txid]).toBeDefined();
  });

  it('fails permanently if the account of the payment is no longer known', async () => {
    const { txid } = await pay(site, '10.00');
    const failed = await refundThroughLedger(order(txid), { processorFor: async () => undefined });
    expect(failed).toMatchObject({ status: 'EXC', error: { code: 'no_processor' } });
    expect(await ledgerAt(txid)).toMatchObject({ inFlight: {}, refunded: 0n });
  });

  it('fails permanently if the processor never named the payment', async () => {
    const { txid } = await pay(site, '10.00');
    const before = await paymentAt(txid);
    await transact({ row: changedTransactionWrite(before, { ...before, processorReference: null }) });
    const failed = await refundThroughLedger(order(txid), { processorFor: async () => fakeProcessor({}) });
    expect(failed).toMatchObject({ status: 'EXC', error: { code: 'no_processor' } });
  });

  it('has its alert find the payment only for a caller who names both, and reads the rows that the alert needs', async () => {
    const { txid } = await pay(site, '10.00');
    const seen: unknown[] = [];
    const dispute = {
      ...refundDispute({ alertId: 6, by: 'test' }),
      keys: [null, keys.transaction(txid)],
      findPayment: async () => void seen.push('searched'),
      planAnswer: (rows: readonly (Record<string, unknown> | undefined)[]) =>
        void seen.push(rows.map((row) => row?.['pk'])),
    };
    expect(await refundThroughLedger({ ...order(txid, 100n), dispute })).toMatchObject({ status: 'OK' });
    expect(seen).toEqual([[undefined, keys.transaction(txid).pk]]);
  });

  it('is what an interrupted call with the same key has made', async () => {
    const { txid } = await pay(site, '10.00');
    const made = await refundThroughLedger(order(txid, 100n));
    const claim = { made: made.txid, write: () => ({}), overtaken: () => new Error('overtaken') };
    expect(await refundThroughLedger({ ...order(txid, 100n), claim })).toEqual(made);
    expect((await ledgerAt(txid)).refunded).toBe(100n);
  });

  it('is done once where the answer to its first write was lost', async () => {
    const { txid } = await pay(site, '10.00');
    loseAnswer();
    expect(await refundThroughLedger(order(txid, 100n))).toMatchObject({ status: 'OK' });
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 100n, inFlight: {} });
  });

  it('is done once for a name where the answer to its first write was lost', async () => {
    const { txid } = await pay(site, '10.00');
    loseAnswer();
    expect(await refundThroughLedger({ ...order(txid, 100n), tid: `lost ${txid}` })).toMatchObject({ status: 'OK' });
  });

  it('is done once for an idempotency key', async () => {
    const { txid } = await pay(site, '10.00');
    const once = { ...order(txid, 100n), idempotencyKey: 'alert-5' };
    const all = await Promise.all([1, 2, 3].map(() => refundThroughLedger(once)));
    expect(new Set([...all, await refundThroughLedger(once)].map((one) => one.txid)).size).toBe(1);
    await expect(
      refundThroughLedger({ ...once, dispute: refundDispute({ alertId: 5, by: 'test' }) }),
    ).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect((await ledgerAt(txid)).refunded).toBe(100n);
  });

  it('of a payment that captures at this moment waits', async () => {
    const { txid } = await preauth(site, '10.00');
    await changeLedger(txid, (ledger) => ({
      ...ledger,
      inFlight: { 5: { kind: 'CAPTURE', minor: 1000n, alertId: null } },
    }));
    await expect(refundThroughLedger(order(txid))).rejects.toMatchObject({
      code: 'transaction_state_wrong',
      details: 'The capture is under way; send this again once its result is known.',
    });
  });
});

describe('the beginning of a refund', () => {
  const begin = async (
    txid: number,
    claim?: Parameters<typeof beginFollowUp>[2]['claim'],
    guardsFor?: (txid: number) => BeginGuards,
  ) => {
    const { site: owner } = await readTransactionSite(site.sid);
    const parent = await paymentAt(txid);
    const asked = { money: { minor: 100n, currency: 'USD' }, alertId: null, tid: null, by: 'test' };
    return beginFollowUp(
      await ledgerAt(txid),
      (ledger) => planPaymentRefund(parent, ledger, asked, { site: owner, at: nowIso() }),
      { once: null, claim },
      guardsFor,
    );
  };
  const claimOf = (key: { pk: string; sk: string }) => ({
    made: undefined,
    write: () => ({ Put: { Item: key, ConditionExpression: 'attribute_not_exists(pk)' } }),
    overtaken: () => new Error('overtaken'),
  });
  const changeOnce = (txid: number) =>
    beforeTransactions(async () => {
      beforeTransactions();
      await changeLedger(txid, (ledger) => ledger);
    });
  /** Gives the number of the next transaction to another one. */
  const takeNumber = () =>
    beforeTransactions(async ({ TransactItems = [] }) => {
      beforeTransactions();
      const row = TransactItems.find(({ Put }) => Put?.Item?.['transaction'])?.Put?.Item;
      await putItem({ ...row, transaction: { ...row?.['transaction'], idempotencyKey: 'another' } } as never);
    });

  it('returns the ledger as it is stored, and draws another number if its own is in use', async () => {
    const { txid } = await pay(site, '10.00');
    const alert = {
      write: { ConditionCheck: { Key: keys.transaction(txid), ConditionExpression: 'attribute_exists(pk)' } },
      refusal: new Refusal('alert_closed', 'closed'),
    };
    takeNumber();
    const begun = await begin(txid, undefined, () => ({ alert }));
    const ledger = await ledgerAt(txid);
    expect(begun).toMatchObject({ ledger: { version: ledger.version, inFlight: ledger.inFlight } });
    expect(Object.keys(ledger.inFlight)).toHaveLength(1);
  });

  it('is refused to a call that another attempt has overtaken, and repeated after any other change', async () => {
    const { txid } = await pay(site, '10.00');
    await expect(begin(txid, claimOf(keys.transaction(txid)))).rejects.toThrow('overtaken');
    changeOnce(txid);
    await begin(txid, claimOf(keys.transaction(-txid)));
    expect(Object.keys((await ledgerAt(txid)).inFlight)).toHaveLength(1);
  });

  it('throws where rows that nothing removes are gone', async () => {
    const { txid } = await pay(site, '10.00');
    const payment = await paymentAt(txid);
    await expect(readTransactionSite(999_999)).rejects.toThrow('The site 999999 of a transaction is gone');
    await expect(readAround({ ...payment, sid: 999_999 })).rejects.toThrow('is gone');
    await expect(readAround({ ...payment, txid: 1, parentTxid: 1 })).rejects.toThrow('is gone');
    await expect(transactionMade(1)).rejects.toThrow('Transaction 1 is gone');
    const { sid } = await newShop();
    const { site: owner } = await readTransactionSite(sid);
    await putItem(toSiteItem({ ...owner, rcodes: [] }));
    await expect(readTransactionSite(sid)).rejects.toThrow(`Site ${sid} has no rcode`);
  });
});
