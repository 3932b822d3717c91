import { describe, expect, it } from 'vitest';
import { withChargeback } from '#payments/transactions/ledger/ledger-changes.ts';
import { getTransaction } from '#payments/transactions/transaction/transaction-store.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { letterText } from '#test/support/letters.ts';
import { readMails } from '#test/support/mails.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { newShop, pay, preauth, testCards, tryPay } from './shop.ts';
import { changeLedger, settleEverything, useSandbox } from './support.ts';

/** The effects of the settings of a payment site on its payments. */

useOperations();
useSandbox();

const mailKinds = async (shop: Tenant) => (await readMails(shop)).map(({ kind }) => kind).toSorted();
const notify_email = 'till@shop.example,owner@shop.example';

describe('notify_email', () => {
  it('is notified of each successful payment, and of nothing else', async () => {
    const shop = await newShop({ notify_email });
    const { txid } = await pay(shop, '10.00', { tid: 'order 1', card_name: 'Jenny Rosen' });
    await pay(shop, '11.00', { card_no: testCards.declined });
    const body = { amount: '1.00', currency: 'USD' };
    expect(await ask('refunds/processrefund', { as: shop.as, params: { parentxid: txid }, body })).toMatchObject({
      status: 200,
    });
    await preauth(shop, '12.00');
    const [paid, held, ...more] = await readMails(shop);
    expect(more).toEqual([]);
    expect(paid).toMatchObject({
      ...{ kind: 'payment_made', to: ['till@shop.example', 'owner@shop.example'] },
      letter: { subject: 'Payment of 10.00 USD' },
    });
    expect(letterText(paid?.letter).text).toMatch(/order 1\n(?:.*\n)*?.*424242\*+4242/);
    expect(held).toMatchObject({ letter: { subject: 'Authorisation of 12.00 USD' } });
  });

  it('is notified of a payment once its result is known', async () => {
    const shop = await newShop({ notify_email });
    await pay(shop, '10.61');
    expect(await readMails(shop)).toEqual([]);
    await settleEverything();
    expect(await mailKinds(shop)).toEqual(['payment_made']);
  });
});

describe('first_transaction_alert', () => {
  it('reports the first successful payment of the site, once', async () => {
    const shop = await newShop({ notify_email, first_transaction_alert: 1 });
    await pay(shop, '9.00', { card_no: testCards.declined });
    expect(await readMails(shop)).toEqual([]);
    await Promise.all([pay(shop, '10.00'), pay(shop, '11.00'), pay(shop, '12.00')]);
    await pay(shop, '13.00');
    const mails = await readMails(shop);
    expect(mails.filter(({ kind }) => kind === 'first_payment')).toMatchObject([
      { id: `eml_first_${shop.sid}`, letter: { subject: `The first payment of site ${shop.sid}` } },
    ]);
    expect(mails.filter(({ kind }) => kind === 'payment_made')).toHaveLength(4);
  });
});

describe('stop_send_email', () => {
  it('sends nothing to anybody', async () => {
    const shop = await newShop({ notify_email, first_transaction_alert: 1, stop_send_email: 1 });
    await pay(shop, '10.00');
    expect(await readMails(shop)).toEqual([]);
  });
});

describe('shipping_n_tracking', () => {
  it('has a payment say where it is shipped to', async () => {
    const shop = await newShop({ shipping_n_tracking: 1 });
    expect(await tryPay(shop, '10.00', { shipping_country: 'US' })).toMatchObject({
      status: 400,
      body: { error_msg: expect.stringMatching(/^shipping_address: is required/) },
    });
    const shipping = { shipping_address: '1 Main Street', shipping_country: 'US', shipping_state: 'NY' };
    expect(await pay(shop, '10.00', shipping)).toMatchObject({ status: 'OK' });
  });
});

describe('allow_rebilling', () => {
  const withoutCode = { card_ccv: undefined };
  const refused = { status: 400, body: { error_msg: expect.stringContaining('card_ccv') } };

  it('charges a card again without its security code, once it has paid at the site', async () => {
    const shop = await newShop({ allow_rebilling: 1 });
    expect(await tryPay(shop, '10.00', withoutCode)).toMatchObject(refused);
    await pay(shop, '10.00', { card_no: testCards.declined });
    expect(await tryPay(shop, '10.00', { ...withoutCode, card_no: testCards.declined })).toMatchObject(refused);
    await pay(shop, '10.00');
    expect(await pay(shop, '11.00', withoutCode)).toMatchObject({ status: 'OK', amount: 11 });
    expect(await tryPay(shop, '10.00', { ...withoutCode, card_no: testCards.mastercard })).toMatchObject(refused);
  });

  it('sends the reference of the first payment with each repeat, also with a repeat of a repeat', async () => {
    const shop = await newShop({ allow_rebilling: 1 });
    const stored = await getTransaction((await pay(shop, '10.00')).txid);
    const second = await getTransaction((await pay(shop, '11.00', withoutCode)).txid);
    const third = await getTransaction((await pay(shop, '12.00', withoutCode)).txid);
    const first = {
      processor: 'sandbox',
      reference: stored?.processorReference,
      routeId: stored?.routeId,
      networkReference: stored?.networkReference,
    };
    expect(stored?.networkReference).toMatch(/^\d{15}$/);
    expect(stored).not.toHaveProperty('firstPayment');
    expect([second?.firstPayment, third?.firstPayment]).toEqual([first, first]);
  });

  it('does not charge a card again whose payment was made before the setting was on', async () => {
    const shop = await newShop();
    await pay(shop, '10.00');
    const { as, mid, rid, sid } = shop;
    await ask('merchants/set-payment-settings', { as, params: { mid, rid, sid }, body: { allow_rebilling: 1 } });
    expect(await tryPay(shop, '10.00', withoutCode)).toMatchObject(refused);
    await pay(shop, '10.00');
    expect(await pay(shop, '11.00', withoutCode)).toMatchObject({ status: 'OK' });
  });

  it('does not charge a card again whose latest payment was charged back', async () => {
    const shop = await newShop({ allow_rebilling: 1 });
    await pay(shop, '10.00');
    const { txid } = await pay(shop, '11.00', withoutCode);
    await changeLedger(txid, (ledger) => withChargeback(ledger, 'cb_1', { minor: 1100n, taken: true }));
    expect(await tryPay(shop, '10.00', withoutCode)).toMatchObject(refused);
  });

  it('charges none again where it is off', async () => {
    const shop = await newShop();
    await pay(shop, '10.00');
    expect(await tryPay(shop, '10.00', withoutCode)).toMatchObject(refused);
  });
});
