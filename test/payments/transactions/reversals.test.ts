import { beforeEach, describe, expect, it, vi } from 'vitest';
import { milliseconds, nowIso, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, queryItems } from '#core/platform/table/table.ts';
import { refundDispute } from '#disputes/refunds/refund-dispute-flow.ts';
import { dueMessage } from '#jobs/due-routing.ts';
import { captureHash } from '#payments/payments/order/hashes.ts';
import type { QueryOutcome } from '#payments/processors/ports/processor.ts';
import { captureThroughLedger } from '#payments/transactions/follow-up/capture-flow.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import { refundable } from '#payments/transactions/ledger/ledger.ts';
import { holdForDispute, releaseDispute, withChargeback } from '#payments/transactions/ledger/ledger-changes.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import type { Notice } from '#test/support/fake-adyen.ts';
import { useOperations } from '#test/support/operations.ts';
import { settle } from '#test/support/settle.ts';
import { adyenRoute, routeTo, stripeRoute, useAccounts } from './accounts.ts';
import { expectedVrfy, newShop, pay, preauth, type Result, readStatus } from './shop.ts';
import { advance, advanceUntilDecided, changeLedger, fakeProcessor, fundsAt, ledgerAt, paymentAt } from './support.ts';

const byDispute = (alertId: number | null) => (alertId === null ? null : refundDispute({ alertId, by: 'test' }));

useOperations();
const accounts = useAccounts();

let shop: Tenant;
beforeEach(async () => {
  shop = await newShop();
});

const refund = (parentTxid: number, minor: bigint, alertId: number | null = null) =>
  refundThroughLedger({ parentTxid, money: { minor, currency: 'USD' }, dispute: byDispute(alertId), by: 'test' });
const capture = async (txid: number) => {
  const order = { sid: shop.sid, parentTxid: txid, amount: '10.00', proof: captureHash(shop.sid, '10.00', shop.rcode) };
  return (await captureThroughLedger(order)).transaction;
};
/** Returns the merchant's notifications of a transaction, in this order. */
const readPosts = async (txid: number): Promise<Result[]> => {
  const { items } = await queryItems({
    IndexName: 'list4',
    KeyConditionExpression: 'list4Pk = :list',
    ExpressionAttributeValues: { ':list': `DELIVERY#S${shop.sid}` },
  });
  const rows = await Promise.all(items.map(({ pk, sk }) => getItem({ pk: String(pk), sk: String(sk) })));
  const results = rows.map((row) => JSON.parse(String(row?.['body'])) as Result);
  return results.filter((result) => result.txid === txid);
};

describe("a refund at Stripe that the cardholder's bank returns", () => {
  it('is no refund any more: the merchant is notified once, and the amount can be refunded again', async () => {
    await routeTo(shop, stripeRoute(accounts.stripe));
    const { txid } = await pay(shop, '10.00');
    const made = await refund(txid, 400n);
    await refund(txid, 100n);
    expect(made).toMatchObject({ status: 'OK' });
    const webhook = accounts.stripe.webhook(accounts.stripe.returnRefund(made.processorReference ?? ''));
    // Processors send everything twice.
    await accounts.tell(shop, 'stripe', webhook, webhook);
    const result = await readStatus(shop, made.txid);
    expect(result).toMatchObject({ status: 'EXC', error_code: 'refund_failed', tx_action: 'REFUND' });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 1000n, refunded: 100n, inFlight: {} });
    expect(await fundsAt(shop.sid)).toEqual({ available: 900, reserved: 0 });
    const told = await readPosts(made.txid);
    expect(told.map(({ status }) => status).sort()).toEqual(['EXC', 'OK']);
    for (const one of told) expect(one.vrfy).toBe(expectedVrfy(shop, one));
    expect(await refund(txid, 900n)).toMatchObject({ status: 'OK' });
  });

  describe('while Stripe cannot be asked', () => {
    const returned = async () => {
      await routeTo(shop, stripeRoute(accounts.stripe));
      const { txid } = await pay(shop, '10.00');
      const made = await refund(txid, 400n);
      const webhook = accounts.stripe.webhook(accounts.stripe.returnRefund(made.processorReference ?? ''));
      accounts.stripe.fail(503, /refunds/);
      return { made, webhook };
    };

    it('is asked for again a minute later, by the one message that was sent for it', async () => {
      const { made, webhook } = await returned();
      await accounts.tell(shop, 'stripe', webhook);
      expect(await paymentAt(made.txid)).toEqual(made);
      const [again, ...others] = accounts.told.splice(0);
      if (!again) throw new Error('Nobody is to ask again');
      expect([again.txid, others]).toEqual([made.txid, []]);
      // Too early: it is sent on as it is.
      await settle(again);
      expect(accounts.told.splice(0)).toEqual([again]);
      advanceUntilDecided();
      await settle(again);
      expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'EXC', error_code: 'refund_failed' });
      await settle(again);
      expect(accounts.told).toEqual([]);
    });

    it('is brought up by the sweep where the message is lost, until Stripe has answered', async () => {
      const { made, webhook } = await returned();
      await accounts.send(shop, 'stripe', webhook);
      accounts.told.length = 0;
      const news = async () => getItem(keys.transactionNews(made.txid));
      const row = await news();
      if (!row) throw new Error('Nothing is owed');
      expect(row).toHaveProperty('duePk');
      const { queue, body } = dueMessage(row, '2026-05-05T12:00:00Z');
      expect({ queue, body }).toEqual({ queue: 'settlement', body: { txid: made.txid, told: true } });
      await settle({ txid: made.txid, told: true });
      advanceUntilDecided();
      await settle({ txid: made.txid, told: true });
      expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'EXC', error_code: 'refund_failed' });
      expect(await news()).toBeUndefined();
    });

    it('is asked for no more after a week', async () => {
      const { made, webhook } = await returned();
      await accounts.tell(shop, 'stripe', webhook);
      accounts.told.length = 0;
      advance(8 * milliseconds.day);
      accounts.stripe.fail(503, /refunds/);
      await settle({ txid: made.txid, told: true });
      expect(await getItem(keys.transactionNews(made.txid))).toBeUndefined();
      expect(accounts.told).toEqual([]);
    });
  });
});

describe('at Adyen', () => {
  let refundsSent = 0;
  beforeEach(async () => {
    await routeTo(shop, adyenRoute(accounts.adyen));
    refundsSent = accounts.adyen.performed.refund;
    accounts.adyen.takeWebhooks();
  });

  const tellAll = () => accounts.tell(shop, 'adyen', ...accounts.adyen.takeWebhooks());
  const at = (day: number) => ({ eventDate: `2026-05-${String(day).padStart(2, '0')}T12:00:00+02:00` });
  const notice = (eventCode: string, about: Transaction, payment: Transaction): Notice => ({
    ...{ eventCode, success: true, pspReference: about.processorReference ?? '' },
    originalReference: payment.processorReference ?? '',
    // Of modifications Adyen may send the payment's.
    merchantReference: accounts.adyen.payments.at(-1)?.reference ?? '',
  });

  it('a refund that was done and fails is none any more', async () => {
    const { txid } = await pay(shop, '10.00', { card_no: '4000000000005126' });
    const made = await refund(txid, 1000n);
    const [authorised, done, returned] = accounts.adyen.takeWebhooks();
    if (!authorised || !done || !returned) throw new Error('Adyen sent less than three webhooks');
    await accounts.tell(shop, 'adyen', authorised, done);
    expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'OK' });
    expect(await fundsAt(shop.sid)).toEqual({ available: 0, reserved: 0 });
    await accounts.tell(shop, 'adyen', returned, returned);
    expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'EXC', error_code: 'refund_failed' });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 1000n, refunded: 0n });
    expect(await fundsAt(shop.sid)).toEqual({ available: 1000, reserved: 0 });
    expect(await readPosts(made.txid)).toHaveLength(2);
  });

  it('a capture that was done and fails leaves the authorisation as it was', async () => {
    const { txid } = await preauth(shop, '10.00');
    const made = await capture(txid);
    await tellAll();
    await changeLedger(txid, (ledger) => holdForDispute(ledger, 31));
    expect(await fundsAt(shop.sid)).toEqual({ available: 0, reserved: 1000 });
    const payment = await paymentAt(txid);
    await accounts.tell(shop, 'adyen', accounts.adyen.sign([notice('CAPTURE_FAILED', made, payment)]));
    expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'EXC', error_code: 'capture_failed' });
    expect(await ledgerAt(txid)).toMatchObject({ authorized: 1000n, captured: 0n });
    expect(await fundsAt(shop.sid)).toEqual({ available: 0, reserved: 0 });
    expect(await capture(txid)).toMatchObject({ status: 'PEND', action: 'CAPTURE' });
  });

  /** Of a payment Adyen captures by itself what it says last: it names the payment, and a capture that we never asked for. */
  const captureFailed = (payment: Transaction): Notice => ({
    ...{ eventCode: 'CAPTURE_FAILED', success: true, pspReference: `FAILED${payment.txid}` },
    originalReference: payment.processorReference ?? '',
    merchantReference: accounts.adyen.payments.at(-1)?.reference ?? '',
  });

  it('a payment whose own capture fails days later is none any more, and the merchant is notified once', async () => {
    const { txid } = await pay(shop, '10.00');
    await tellAll();
    await changeLedger(txid, (ledger) => holdForDispute(ledger, 31));
    expect(await fundsAt(shop.sid)).toEqual({ available: 0, reserved: 1000 });
    const failure = accounts.adyen.sign([captureFailed(await paymentAt(txid))]);
    await accounts.tell(shop, 'adyen', failure, failure);
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'EXC', error_code: 'capture_failed' });
    expect(await ledgerAt(txid)).toMatchObject({ authorized: 0n, captured: 0n, inFlight: {} });
    expect((await ledgerAt(txid)).disputes[31]).toMatchObject({ held: 0n });
    expect(await fundsAt(shop.sid)).toEqual({ available: 0, reserved: 0 });
    const told = await readPosts(txid);
    expect(told.map(({ status }) => status).sort()).toEqual(['EXC', 'OK']);
    for (const one of told) expect(one.vrfy).toBe(expectedVrfy(shop, one));
    await expect(refund(txid, 1000n)).rejects.toThrow('The payment failed.');
  });

  it.each([
    ['in order', [2, 3, 4]],
    ['the repeat before the failure', [2, 4, 3]],
    ['the failure last, and everything twice', [4, 2, 3, 4, 2, 3]],
  ])('counts a capture as done once Adyen has repeated it after a failure: %s', async (_, days) => {
    const { txid } = await preauth(shop, '10.00');
    const made = await capture(txid);
    await tellAll();
    const payment = await paymentAt(txid);
    const told: Record<number, Notice> = {
      2: { ...notice('CAPTURE', made, payment), ...at(2) },
      3: { ...notice('CAPTURE_FAILED', made, payment), ...at(3) },
      4: { ...notice('CAPTURE', made, payment), ...at(4), reason: 'Transaction Recaptured' },
    };
    await accounts.tell(shop, 'adyen', ...days.map((day) => accounts.adyen.sign([told[day] as Notice])));
    expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'OK' });
    expect(await ledgerAt(txid)).toMatchObject({ authorized: 1000n, captured: 1000n, captureTxid: made.txid });
    expect(await fundsAt(shop.sid)).toEqual({ available: 1000, reserved: 0 });
    expect(await refund(txid, 1000n)).toMatchObject({ status: 'PEND', action: 'REFUND' });
  });

  it.each([
    ['under the same reference', {}],
    ['under a reference of its own', { pspReference: 'AGAIN00000000001' }],
    ['in the second of the failure', at(3)],
  ])('counts a payment as made once Adyen has repeated its own capture %s', async (_, change) => {
    const { txid } = await pay(shop, '10.00');
    await tellAll();
    const failure = captureFailed(await paymentAt(txid));
    const again = { ...failure, eventCode: 'CAPTURE', ...at(9), reason: 'Transaction Auto-recaptured', ...change };
    await accounts.tell(shop, 'adyen', accounts.adyen.sign([{ ...failure, ...at(3) }]));
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'EXC', error_code: 'capture_failed' });
    await accounts.tell(shop, 'adyen', accounts.adyen.sign([again]), accounts.adyen.sign([again]));
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'OK' });
    expect(await ledgerAt(txid)).toMatchObject({ authorized: 1000n, captured: 1000n });
    expect((await readPosts(txid)).map(({ status }) => status).sort()).toEqual(['EXC', 'OK', 'OK']);
    await accounts.tell(shop, 'adyen', accounts.adyen.sign([{ ...failure, ...at(12) }]));
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'EXC', error_code: 'capture_failed' });
  });

  it.each(['REFUND_FAILED', 'REFUNDED_REVERSED'])(
    'never sends a refund again that Adyen has sent again after %s',
    async (eventCode) => {
      const { txid } = await pay(shop, '10.00');
      const made = await refund(txid, 700n);
      await tellAll();
      const payment = await paymentAt(txid);
      const tellOf = (code: string, day: number) =>
        accounts.tell(shop, 'adyen', accounts.adyen.sign([{ ...notice(code, made, payment), ...at(day) }]));
      await tellOf('REFUND', 4);
      await tellOf(eventCode, 3);
      expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'OK' });
      await tellOf(eventCode, 5);
      expect(await ledgerAt(txid)).toMatchObject({ refunded: 0n });
      await changeLedger(txid, (ledger) => holdForDispute(ledger, 31));
      await tellOf('REFUND', 6);
      expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'OK' });
      expect(await ledgerAt(txid)).toMatchObject({ refunded: 700n, disputes: { 31: { held: 300n } } });
      await expect(refund(txid, 700n)).rejects.toThrow();
      expect(accounts.adyen.performed.refund).toBe(refundsSent + 1);
    },
  );

  it('notifies an operator of a refund that Adyen and the merchant have both sent again', async () => {
    const { txid } = await pay(shop, '10.00');
    const made = await refund(txid, 1000n);
    await tellAll();
    const payment = await paymentAt(txid);
    const told = (code: string, day: number) => accounts.adyen.sign([{ ...notice(code, made, payment), ...at(day) }]);
    await accounts.tell(shop, 'adyen', told('REFUND_FAILED', 3));
    Object.assign(accounts.adyen.payments.at(-1) ?? {}, { refunded: 0 });
    const second = await refund(txid, 1000n);
    await accounts.send(shop, 'adyen', told('REFUND', 4));
    const message = { txid: made.txid, told: true } as const;
    expect(accounts.told.splice(0)).toContainEqual(message);
    await expect(settle(message)).rejects.toThrow('by its processor and by its merchant');
    await accounts.tell(shop, 'adyen', accounts.adyen.sign([{ ...notice('REFUND', second, payment), success: false }]));
    await settle(message);
    expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'OK' });
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 1000n, inFlight: {} });
  });

  it('stops asking about a refund that the merchant repeated for good, and leaves the books to a person', async () => {
    const { txid } = await pay(shop, '10.00');
    const made = await refund(txid, 1000n);
    await tellAll();
    const payment = await paymentAt(txid);
    const told = (code: string, day: number) => accounts.adyen.sign([{ ...notice(code, made, payment), ...at(day) }]);
    await accounts.tell(shop, 'adyen', told('REFUND_FAILED', 3));
    Object.assign(accounts.adyen.payments.at(-1) ?? {}, { refunded: 0 });
    await refund(txid, 1000n);
    await tellAll();
    await accounts.send(shop, 'adyen', told('REFUND', 4));
    const message = { txid: made.txid, told: true } as const;
    await expect(settle(message)).rejects.toThrow('by its processor and by its merchant');
    const ledger = await ledgerAt(txid);
    const later = Date.parse(nowIso()) + 31 * milliseconds.day;
    setClock(() => later);
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await settle(message);
    const lines = written.mock.calls.map(([line]) => String(line));
    written.mockRestore();
    expect(lines).toContainEqual(expect.stringContaining('repeated_by_processor_and_merchant'));
    expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'EXC' });
    expect(await ledgerAt(txid)).toEqual(ledger);
    setClock();
  });

  it('books a refund that Adyen repeats although the payment is charged back by then', async () => {
    const { txid } = await pay(shop, '10.00');
    const made = await refund(txid, 700n);
    await tellAll();
    const payment = await paymentAt(txid);
    const tellOf = (code: string, day: number) =>
      accounts.tell(shop, 'adyen', accounts.adyen.sign([{ ...notice(code, made, payment), ...at(day) }]));
    await tellOf('REFUND_FAILED', 3);
    await changeLedger(txid, (ledger) => withChargeback(ledger, 'dp_1', { minor: 1000n, taken: true }));
    await tellOf('REFUND', 4);
    expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'OK' });
    const ledger = await ledgerAt(txid);
    expect(ledger).toMatchObject({ refunded: 700n, inFlight: {} });
    expect(refundable(withChargeback(ledger, 'dp_1', null))).toBe(300n);
  });

  it('a payment stays one whatever else Adyen reports about it', async () => {
    const { txid } = await pay(shop, '10.00');
    const before = await paymentAt(txid);
    await tellAll();
    const about = captureFailed(before);
    await accounts.tell(
      shop,
      'adyen',
      // A capture that a person requests by hand is refused, as there has been one.
      accounts.adyen.sign([{ ...about, eventCode: 'CAPTURE', success: false }]),
      accounts.adyen.sign([{ ...about, success: false }]),
      accounts.adyen.sign([{ ...about, eventCode: 'REPORT_AVAILABLE' }]),
    );
    expect(await paymentAt(txid)).toEqual(before);
  });

  it('a payment whose capture fails after refunds is for a person: the books stay, and an operator is notified', async () => {
    const { txid } = await pay(shop, '10.00');
    await refund(txid, 300n);
    await tellAll();
    const [before, ledger] = [await paymentAt(txid), await ledgerAt(txid)];
    await accounts.send(shop, 'adyen', accounts.adyen.sign([captureFailed(before)]));
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const settled = settle({ txid, told: true });
    await expect(settled).rejects.toThrow('after refunds were made of it');
    const lines = written.mock.calls.map(([line]) => String(line));
    written.mockRestore();
    expect(lines).toContainEqual(expect.stringMatching(/"level":"error".*"capture_failed_after_refunds".*"txid"/));
    expect(await paymentAt(txid)).toEqual(before);
    expect(await ledgerAt(txid)).toEqual(ledger);
  });

  it('a capture that fails after refunds of it has to wait until those have failed', async () => {
    const { txid } = await preauth(shop, '10.00');
    const made = await capture(txid);
    await tellAll();
    const refunded = await refund(txid, 300n);
    await tellAll();
    const payment = await paymentAt(txid);
    const failure = accounts.adyen.sign([notice('CAPTURE_FAILED', made, payment)]);
    await accounts.send(shop, 'adyen', failure);
    const message = { txid: made.txid, told: true } as const;
    expect(accounts.told.splice(0)).toContainEqual(message);
    await expect(settle(message)).rejects.toThrow('after refunds were made of it');
    expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'OK' });
    await accounts.tell(shop, 'adyen', accounts.adyen.sign([notice('REFUND_FAILED', refunded, payment)]));
    await settle(message);
    expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'EXC' });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 0n, refunded: 0n });
  });
});

describe('a refund for a dispute alert that is returned', () => {
  const failed: QueryOutcome = { outcome: 'EXC', code: 'refund_failed', reference: null };
  const tell = (txid: number, says: QueryOutcome) =>
    settle({ txid, told: true }, { processorFor: async () => fakeProcessor({ query: async () => says }) });

  it('leaves its alert as if it had not been refunded: it holds the amount while it is open, and may try again', async () => {
    const { txid } = await pay(shop, '10.00');
    await changeLedger(txid, (ledger) => holdForDispute(ledger, 31));
    const made = await refund(txid, 1000n, 31);
    expect((await ledgerAt(txid)).disputes[31]).toMatchObject({ refundTxid: made.txid, held: 0n });
    await Promise.all([tell(made.txid, failed), tell(made.txid, failed)]);
    expect((await ledgerAt(txid)).disputes[31]).toMatchObject({ refundTxid: null, held: 1000n });
    expect(await fundsAt(shop.sid)).toEqual({ available: 0, reserved: 1000 });
    expect(await refund(txid, 1000n, 31)).toMatchObject({ action: 'REFUND', alertId: 31 });
  });

  it('is none either where an older answer was recorded while its processor said that it failed', async () => {
    const { txid } = await pay(shop, '10.00');
    const made = await refund(txid, 562n);
    expect(made).toMatchObject({ status: 'PEND' });
    let isFirst = true;
    const query = async (): Promise<QueryOutcome> => {
      if (isFirst) {
        isFirst = false;
        await tell(made.txid, { outcome: 'OK', reference: 'r' });
        expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'OK' });
      }
      return failed;
    };
    await settle({ txid: made.txid, told: true }, { processorFor: async () => fakeProcessor({ query }) });
    expect(await readStatus(shop, made.txid)).toMatchObject({ status: 'EXC', error_code: 'refund_failed' });
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 0n, inFlight: {} });
  });

  it('gives the amount back to the site where the alert is over', async () => {
    const { txid } = await pay(shop, '10.00');
    await changeLedger(txid, (ledger) => holdForDispute(ledger, 31));
    const made = await refund(txid, 1000n, 31);
    await changeLedger(txid, (ledger) => releaseDispute(ledger, 31));
    await tell(made.txid, failed);
    expect((await ledgerAt(txid)).disputes[31]).toMatchObject({ refundTxid: null, held: 0n, open: false });
    expect(await fundsAt(shop.sid)).toEqual({ available: 1000, reserved: 0 });
  });

  it.each<QueryOutcome>([
    { outcome: 'OK', reference: 'r' },
    { outcome: 'PEND', reference: 'r' },
    { outcome: 'UNKNOWN', detail: 'no answer' },
    { outcome: 'NOT_FOUND' },
  ])('stays a refund unless the processor says outright that it failed: $outcome', async (says) => {
    const { txid } = await pay(shop, '10.00');
    const made = await refund(txid, 1000n);
    await tell(made.txid, says);
    expect(await paymentAt(made.txid)).toEqual(made);
  });

  it('is queried only after a report, and never is a payment or a void', async () => {
    const paid = await pay(shop, '10.00');
    const made = await refund(paid.txid, 1000n);
    const voided = await refund((await preauth(shop, '10.00')).txid, 1000n);
    const silent = { processorFor: async () => expect.fail('nobody is to be asked') };
    await settle({ txid: made.txid }, silent);
    for (const txid of [paid.txid, voided.txid]) await settle({ txid, told: true }, silent);
    expect(await paymentAt(made.txid)).toEqual(made);
  });
});
