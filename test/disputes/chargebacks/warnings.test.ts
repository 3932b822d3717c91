import { beforeEach, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { noticesAt } from '#test/disputes/alerts/seed.ts';
import { adyenRoute, routeTo, stripeRoute, useAccounts } from '#test/payments/transactions/accounts.ts';
import { pay } from '#test/payments/transactions/shop.ts';
import { paymentAt } from '#test/payments/transactions/support.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { type DisputedMerchant, lookAt, newDisputedMerchant } from './merchant.ts';

/** Early fraud warnings of issuers, which Stripe and Adyen pass on, and how merchants learn of them. */

useOperations();
const accounts = useAccounts();

let merchant: DisputedMerchant;
beforeEach(async () => {
  setClock(() => Date.parse('2026-05-02T12:00:00.000Z'));
  beforeTransactions();
  merchant = await newDisputedMerchant();
});

const warned = async (change: Record<string, unknown> = {}) => {
  const { shop } = merchant;
  await routeTo(shop, stripeRoute(accounts.stripe));
  const { txid } = await pay(shop, '10.00');
  const intent = accounts.stripe.intents.get((await paymentAt(txid)).processorReference ?? '');
  if (!intent) throw new Error('Stripe does not know the payment');
  return accounts.stripe.disputes.warn(intent, change);
};
const tell = async (warning: Record<string, unknown>) => {
  expect(await accounts.send(merchant.shop, 'stripe', accounts.stripe.webhook(warning))).toMatchObject({ status: 200 });
  return accounts.noted.splice(0);
};
const told = async (warning: Record<string, unknown>) => expect(await lookAt(...(await tell(warning)))).toEqual([]);

type Row = { id: number } & Record<string, unknown>;
const list = async (mid = merchant.shop.mid): Promise<Row[]> =>
  ((await ask('alerts/list-inform-alerts', { as: { mid }, body: {} })).body as { list: Row[] }).list;

it('become informational alerts of the site that has enrolled the descriptor, told as any other', async () => {
  const { descriptor, alertSite, shop } = merchant;
  const warning = await warned({ calculated_statement_descriptor: descriptor });
  await told(warning);
  const [row, ...others] = await list();
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    ...{ alert_type: 'FRAUD_NOTICE', providername: 'stripe', provider_caseid: warning.id, source: 'provider' },
    ...{ cardnumber: '424242xxxxxx4242', transaction_amount: '10.00', transaction_currency: 'USD' },
    ...{ matched_descriptor: descriptor, descriptor },
  });
  const alertId = row?.id ?? 0;
  const { delivery, mail } = await noticesAt(alertId);
  expect([delivery?.sid, delivery?.state, mail?.state]).toEqual([alertSite.sid, 'PENDING', 'PENDING']);
  const { body } = await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } });
  expect(body).toMatchObject({
    status: 'INFORM',
    alert_action: 'REVIEW',
    deadline: null,
    dispute_condition_code_reason: 'made_with_stolen_card',
  });
});

it('Adyen’s report of fraud becomes one, with the card of the payment that was taken here', async () => {
  const { shop } = merchant;
  await routeTo(shop, adyenRoute(accounts.adyen));
  const { txid } = await pay(shop, '20.00');
  const { psp: originalReference, reference: merchantReference } = accounts.adyen.payments.at(-1) ?? expect.fail();
  const about = { pspReference: `FRAUD${txid}`, originalReference, merchantReference, success: true };
  const amount = { value: 2000, currency: 'USD' };
  const webhook = accounts.adyen.sign([{ eventCode: 'NOTIFICATION_OF_FRAUD', ...about, amount }]);
  for (let time = 0; time < 2; time += 1) {
    expect(await accounts.send(shop, 'adyen', webhook)).toMatchObject({ status: 200 });
    expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
  }
  const { first6, last4 } = (await paymentAt(txid)).card ?? expect.fail();
  expect(await list()).toMatchObject([
    {
      ...{ alert_type: 'FRAUD_NOTICE', providername: 'adyen', provider_caseid: `FRAUD${txid}` },
      ...{ cardnumber: `${first6}xxxxxx${last4}`, transaction_amount: '20.00', transaction_currency: 'USD' },
    },
  ]);
});

it('warnings go to the first alert site if no site has enrolled the descriptor', async () => {
  await told(await warned({ calculated_statement_descriptor: 'NOBODY ENROLLED' }));
  expect(await list()).toMatchObject([{ matched_descriptor: '', sitename: merchant.alertSite.name }]);
});

it('warnings are reported once when they arrive repeatedly and concurrently', async () => {
  const warning = await warned();
  const [first] = await tell(warning);
  const [second] = await tell(warning);
  if (!first || !second) throw new Error('Nothing was noted');
  await Promise.all([lookAt(first), lookAt(second), lookAt(first)]);
  await told(warning);
  expect(await list()).toHaveLength(1);
});

it('is done with a warning that names another charge when it arrives again', async () => {
  const warning = await warned();
  await told(warning);
  const { id } = warning as { id: string };
  const again = await warned();
  const kept = accounts.stripe.disputes.warnings.get(id) ?? expect.fail();
  accounts.stripe.disputes.warnings.set(id, {
    ...(accounts.stripe.disputes.warnings.get((again as { id: string }).id) ?? {}),
    id,
  } as typeof kept);
  await told(warning);
  expect(await list()).toHaveLength(1);
});

it('are asked for: what the webhook itself says is not believed', async () => {
  const warning = await warned();
  await told({ ...warning, id: 'issfr_nobodyKnows' });
  expect(await list()).toEqual([]);
});

it('are brought up again by the sweep while Stripe cannot be asked', async () => {
  const [noted] = await tell(await warned());
  if (!noted) throw new Error('Nothing was noted');
  accounts.stripe.fail(503, /early_fraud_warnings/);
  expect(await lookAt(noted)).toEqual([{ itemIdentifier: '0' }]);
  expect(await getItem(keys.disputeNotice(noted.noticeId))).toMatchObject({ duePk: expect.any(String) });
  expect(await lookAt(noted)).toEqual([]);
  expect(await getItem(keys.disputeNotice(noted.noticeId))).toBeUndefined();
  expect(await list()).toHaveLength(1);
});

it('of a merchant without chargeback management are left alone', async () => {
  merchant = await newDisputedMerchant(false);
  await told(await warned());
  expect(await list()).toEqual([]);
});

it('warnings of an account that two merchants share are reported to both', async () => {
  const warning = await warned();
  await told(warning);
  const first = merchant;
  merchant = await newDisputedMerchant();
  await routeTo(merchant.shop, stripeRoute(accounts.stripe));
  await told(warning);
  expect([(await list(first.shop.mid)).length, (await list()).length]).toEqual([1, 1]);
});
