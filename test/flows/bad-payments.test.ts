import { afterAll, beforeAll, expect } from 'vitest';
import { transact } from '#core/platform/table/table.ts';
import { withChargeback } from '#payments/transactions/ledger/ledger-changes.ts';
import { ledgerWrites } from '#payments/transactions/ledger/ledger-row.ts';
import { getParent } from '#payments/transactions/transaction/transaction-store.ts';
import { siteSettings } from '#test/payments/threeds/samples.ts';
import { beginOverHttp } from '#test/support/authentications.ts';
import { type Scene, testBadCalls } from '#test/support/bad-calls.ts';
import { withFoundCalls } from '#test/support/found-bad-calls.ts';
import { makeOtherTenant } from '#test/support/other-tenant.ts';
import { merchantToken, providerAAlert, receive, sendSigned, update } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { openShop, type Shop } from '#test/support/storefront.ts';
import { badPayments, type PaymentFixture } from './bad-payments.ts';

const areas = ['balance', 'cardsearch', 'fraud', 'pricing', 'processors', 'refunds', 'transactions'];
/** Rates and templates belong to no merchant, and only administrators set fees. */
const ownerless = ['set-rate', 'list-rates', 'set-fees'].map((name) => `pricing/${name}`);
const templates = ['fraud-template-details', 'update-fraud-template'].map((name) => `fraud/${name}`);

let service: TestStack;
let scene: Scene;

const asAdmin = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const reply = await service.call(`/api/v3${path}`, { token: await service.tokenOf('admin'), body });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body;
};
const newShop = async ({ mid, rid }: { mid: number; rid: number }, payment: object): Promise<Shop> => {
  const made = await asAdmin(`/site/mid/${mid}/rid/${rid}/create`, { name: 'A shop', currency: 'USD' });
  await asAdmin(`/site/mid/${mid}/rid/${rid}/sid/${made['sid']}/payment`, payment);
  return openShop(service, { sid: Number(made['sid']), rcode: String(made['rcode']) });
};

const alertRefund = (alertId: number): string => `service_alerts/alert/${alertId}/refund`;
const disputed: PaymentFixture['dispute'] = async (shop, value, kind) => {
  const { txid } = await shop.pay(value, kind === 'voided' ? { tx_action: 'PREAUTH' } : {});
  const about = { cardBin: '424242', cardLast4: '4242', authCode: undefined };
  const transactionTimestamp = service.clock.now().toISOString();
  const amount = { value, currencyCode: 'USD' };
  const dispute = async (): Promise<number> => {
    const alertId = await receive(service, { ...about, transactionTimestamp, amount });
    await service.untilIdle();
    return alertId;
  };
  const token = await service.tokenOf('merchant');
  const body = { amount: value, currency: 'USD' };
  if (kind === 'voided') {
    const done = await service.call(`/api/v3/service_process/transaction/${txid}/processrefund`, { token, body });
    expect(done.status).toBe(200);
  }
  const first = await dispute();
  const alertId = kind === 'twice' ? await dispute() : first;
  if (kind === 'refunded') {
    expect((await service.call(`/api/v3/${alertRefund(alertId)}`, { token, body })).status).toBe(200);
  }
  return { txid, alertId };
};
const connectNowhere = async ({ mid }: { mid: number }): Promise<string> => {
  const credentials = { secret_key: 'rk_test_nowhere', base_url: 'http://127.0.0.1:1' };
  const connections = [{ kind: 'stripe', label: 'Nowhere', credentials }];
  const made = await asAdmin(`/merchant/${mid}/connections`, { connections });
  return (made['connections'] as [{ id: string }])[0].id;
};
/** Creates an alert that an administrator assigns to another merchant's site. */
const othersAlert = async ({ mid, rid, sid }: { mid: number; rid: number; sid: number }): Promise<number> => {
  await asAdmin(`/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`, {});
  const unmatched = providerAAlert(service, { merchantDescriptor: 'NOBODY KNOWS THIS' });
  const { body } = await sendSigned(service, 'provider_a', unmatched);
  await asAdmin(`/service_alerts/unmatched/${body['alert_id']}/assign`, { sid });
  return Number(body['alert_id']);
};
const answered = async (): Promise<number> => {
  const alertId = await receive(service);
  const decline = { alert_id: String(alertId), status: 'DECLINED', reason_code: '902.002' };
  expect((await update(service, decline)).status).toBe(200);
  return alertId;
};
const chargeBack = async (txid: number): Promise<void> => {
  const payment = await getParent(txid);
  if (!payment) throw new Error('There is no such payment');
  const after = withChargeback(payment.ledger, 'cb_1', { minor: payment.ledger.captured, taken: true });
  await transact(ledgerWrites(payment.ledger, after));
};
const chargedBack = async (shop: Shop): Promise<number> => {
  const { txid } = await shop.pay('78.00');
  await chargeBack(txid);
  return txid;
};
const waiting = async (shop: Shop): Promise<PaymentFixture['otp']> => {
  const { txid, next_action } = await shop.pay('10.64');
  return { txid, token: new URL(next_action?.url ?? '').searchParams.get('token') ?? '' };
};
const checked = async (shop: Shop): Promise<number> =>
  Number((await shop.send(`${shop.path}/fraudcheck`, shop.orderOf('10.00'))).body['fraud_id']);

/** An authentication that was begun, and one of another tenant. */
const begun = async (othersSite: { mid: number; rid: number }): Promise<PaymentFixture['authentications']> => {
  const { mid, rid } = othersSite;
  const made = await asAdmin(`/site/mid/${mid}/rid/${rid}/create`, { name: 'For 3DS' });
  const sid = Number(made['sid']);
  await asAdmin(`/site/mid/${mid}/rid/${rid}/sid/${sid}/3ds`, { settings: siteSettings });
  const { id: theirs } = await beginOverHttp(service, { sid, rcode: String(made['rcode']) });
  return { open: (await beginOverHttp(service, service.credentials.three_ds_site)).id, theirs };
};

const makeFixture = async (): Promise<PaymentFixture> => {
  const otherTenant = await makeOtherTenant(service);
  const { site } = service.credentials;
  const [shop, alertShop] = [openShop(service), openShop(service, site)];
  const [strict, othersShop] = [await newShop(site, { allow_refund: 0 }), await newShop(otherTenant, {})];
  const dispute = await disputed(shop, '77.00', 'once');
  const template = await asAdmin('/datasource/fraudtemplate/add', { name: 'A template', scorer: 'none' });
  return {
    ...{ service, shop, strict, alertShop, otherTenant, othersShop },
    ftid: Number(template['id']),
    othersTxid: (await othersShop.pay('5.00')).txid,
    paidTxid: (await shop.pay('20.00')).txid,
    chargedBackTxid: await chargedBack(shop),
    chargeBack,
    disputedTxid: dispute.txid,
    disputeId: dispute.alertId,
    dispute: disputed,
    othersAlertId: await othersAlert(otherTenant),
    brokenConnection: await connectNowhere(site),
    openId: await receive(service),
    closedId: await answered(),
    informId: await receive(service, { type: 'FRAUD_NOTICE' }),
    strictTxid: (await strict.pay('10.00')).txid,
    heldTxid: (await shop.pay('30.00', { tx_action: 'PREAUTH' })).txid,
    otp: await waiting(shop),
    pageId: (await shop.pay('10.63')).next_action?.url?.split('/').at(-1) ?? '',
    fraudId: await checked(shop),
    authentications: await begun(otherTenant),
  };
};

beforeAll(async () => {
  service = await startStack({ startTime: '2026-05-02T10:00:00Z' });
  const fixture = await makeFixture();
  const admin = await service.tokenOf('admin');
  const tokens = { admin, merchant: await merchantToken(service), otherTenant: fixture.otherTenant.token };
  const calls = await withFoundCalls(badPayments(fixture), areas, fixture);
  scene = { service, tokens, calls, own: fixture.otherTenant };
});
afterAll(() => service.stop());

testBadCalls(areas, () => scene, [...ownerless, ...templates]);
