import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { captureHash } from '#payments/payments/order/hashes.ts';
import { nextLapseLook } from '#payments/transactions/follow-up/authorisation-lapse.ts';
import { captureThroughLedger } from '#payments/transactions/follow-up/capture-flow.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { startFakeBraintree } from '#test/support/fake-braintree.ts';
import { startFakeNmi } from '#test/support/fake-nmi.ts';
import { useOperations } from '#test/support/operations.ts';
import { settle } from '#test/support/settle.ts';
import { useServer } from '#test/support/use-server.ts';
import { adyenRoute, braintreeRoute, nmiRoute, routeTo, stripeRoute, useAccounts } from './accounts.ts';
import { newShop, preauth, readStatus } from './shop.ts';
import { ledgerAt, paymentAt } from './support.ts';

/** Authorisations that lapse at the processor. */

useOperations();
const accounts = useAccounts();

let shop: Tenant;
beforeEach(async () => {
  shop = await newShop();
});

/** Stripe gives the authorisation back by itself, and tells so. */
const lapseAtStripe = async (txid: number): Promise<void> => {
  const intent = accounts.stripe.intents.get((await paymentAt(txid)).processorReference ?? '');
  if (!intent) throw new Error('Stripe does not know the payment');
  Object.assign(intent, { status: 'canceled', cancellation_reason: 'automatic' });
  const { number: _, ...shown } = intent;
  await accounts.tell(shop, 'stripe', accounts.stripe.webhook(shown));
};
const capture = async (txid: number) => {
  const order = { sid: shop.sid, parentTxid: txid, amount: '10.00', proof: captureHash(shop.sid, '10.00', shop.rcode) };
  return (await captureThroughLedger(order)).transaction;
};

describe('an authorisation that lapses', () => {
  beforeEach(() => routeTo(shop, stripeRoute(accounts.stripe)));

  it('is over: nothing is authorised any more, and nothing can be captured', async () => {
    const { txid, status } = await preauth(shop, '10.00');
    expect(status).toBe('OK');
    await lapseAtStripe(txid);
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'EXC', error_code: 'authorization_expired' });
    expect(await ledgerAt(txid)).toMatchObject({ authorized: 0n, captured: 0n });
    await expect(capture(txid)).rejects.toMatchObject({ code: 'transaction_state_wrong' });
  });

  it('stays what it was once it was captured or voided: those tell what became of it', async () => {
    const captured = await preauth(shop, '10.00');
    expect((await capture(captured.txid)).status).toBe('OK');
    await settle({ txid: captured.txid, told: true });
    expect(await readStatus(shop, captured.txid)).toMatchObject({ status: 'OK' });
    const voided = await preauth(shop, '10.00');
    const money = { minor: 1000n, currency: 'USD' };
    await refundThroughLedger({ parentTxid: voided.txid, money, dispute: null, by: 'test' });
    await settle({ txid: voided.txid, told: true });
    expect(await readStatus(shop, voided.txid)).toMatchObject({ status: 'OK' });
    expect(await ledgerAt(voided.txid)).toMatchObject({ authorized: 1000n, voided: 1000n });
  });
});

it('that lapses at Adyen is over too', async () => {
  await routeTo(shop, adyenRoute(accounts.adyen));
  const { txid } = await preauth(shop, '10.00');
  await accounts.tell(shop, 'adyen', ...accounts.adyen.takeWebhooks());
  const originalReference = (await paymentAt(txid)).processorReference ?? '';
  const notice = { eventCode: 'EXPIRE', success: true, pspReference: 'EXPIRED000000001', originalReference };
  await accounts.tell(shop, 'adyen', accounts.adyen.sign([{ ...notice, merchantReference: 'ignored' }]));
  expect(await readStatus(shop, txid)).toMatchObject({ status: 'EXC', error_code: 'authorization_expired' });
  expect(await ledgerAt(txid)).toMatchObject({ authorized: 0n });
});

describe('the next look at an authorisation', () => {
  const createdAt = '2026-05-02T10:00:00.000Z';
  const open = { action: 'PREAUTH', status: 'OK', processor: 'nmi', createdAt } as const;

  it('is a week later, for as long as networks hold money', () => {
    expect(nextLapseLook(open, createdAt)).toBe('2026-05-09T10:00:00.000Z');
    expect(nextLapseLook(open, '2026-05-31T10:00:00.000Z')).toBe('2026-06-07T10:00:00.000Z');
    expect(nextLapseLook(open, '2026-05-31T10:00:00.001Z')).toBeUndefined();
  });

  it.each([
    ['is no authorisation', { action: 'PAYMENT' }],
    ['failed', { status: 'EXC' }],
    ['was made at a processor that reports when it lapses', { processor: 'stripe' }],
    ['was made at no processor', { processor: null }],
  ] as const)('is not needed for a payment that %s', (_, change) =>
    expect(nextLapseLook({ ...open, ...change }, createdAt)).toBeUndefined(),
  );
});

describe.each(['nmi', 'braintree'] as const)('that lapses at %s, which sends no event,', async (processor) => {
  const nmi = await useServer(startFakeNmi());
  const braintree = await useServer(startFakeBraintree());
  const began = Date.parse('2026-05-02T10:00:00.000Z');
  beforeEach(async () => {
    setClock(() => began);
    await routeTo(shop, processor === 'nmi' ? nmiRoute(nmi) : braintreeRoute(braintree));
  });
  afterEach(() => setClock());

  /** Returns what the sweep brings up so many days later; undefined: nothing is due then. */
  const lookAfter = async (days: number, txid: number) => {
    setClock(() => began + days * milliseconds.day);
    const row = await getItem(keys.transactionNews(txid));
    const isDue = String(row?.['dueSk'] ?? '9') <= new Date(began + days * milliseconds.day).toISOString();
    if (row && isDue) await settle({ txid, told: true });
    return isDue;
  };

  it('is looked at every week, and is over once it is gone', async () => {
    const { txid, status } = await preauth(shop, '10.00');
    expect(status).toBe('OK');
    expect(await lookAfter(6.9, txid)).toBe(false);
    expect(await lookAfter(7.1, txid)).toBe(true);
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'OK' });
    expect(await lookAfter(8, txid)).toBe(false);
    const reference = (await paymentAt(txid)).processorReference ?? '';
    if (processor === 'braintree')
      Object.assign(braintree.records.get(reference) ?? {}, { status: 'AUTHORIZATION_EXPIRED' });
    for (const days of [14.2, 21.3, 28.4, 35.5]) await lookAfter(days, txid);
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'EXC', error_code: 'authorization_expired' });
    expect(await ledgerAt(txid)).toMatchObject({ authorized: 0n, captured: 0n });
    await expect(capture(txid)).rejects.toMatchObject({ code: 'transaction_state_wrong' });
    expect(await getItem(keys.transactionNews(txid))).toBeUndefined();
  });

  it('stays what it was where it was captured, and is not looked at for ever', async () => {
    const { txid } = await preauth(shop, '10.00');
    expect((await capture(txid)).status).toBe('OK');
    for (const days of [7.1, 14.2, 21.3, 28.4, 35.5]) await lookAfter(days, txid);
    expect(await readStatus(shop, txid)).toMatchObject({ status: 'OK' });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 1000n });
    expect(await getItem(keys.transactionNews(txid))).toBeUndefined();
  });
});
