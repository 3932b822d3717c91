import { afterAll, beforeAll, expect } from 'vitest';
import { putItem, transact } from '#core/platform/table/table.ts';
import { maxRulesPerOwner, type RuleOwner } from '#disputes/alerts/automatic/rule.ts';
import { bookWrites } from '#disputes/alerts/automatic/rule-row.ts';
import { chargebackAfter } from '#disputes/chargebacks/chargeback.ts';
import { chargebackWrite } from '#disputes/chargebacks/chargeback-row.ts';
import { maxPrices } from '#disputes/costs/price.ts';
import { toPricesItem } from '#disputes/costs/price-row.ts';
import { newImport } from '#disputes/history/import/history-import.ts';
import { newImportWrites } from '#disputes/history/import/history-import-row.ts';
import { aRule } from '#test/disputes/rules/samples.ts';
import { type Scene, testBadCalls } from '#test/support/bad-calls.ts';
import { withFoundCalls } from '#test/support/found-bad-calls.ts';
import { makeOtherTenant } from '#test/support/other-tenant.ts';
import { findDelivery, providerAAlert, receive, sendSigned, update } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';
import { badCalls, type Fixture } from './bad-calls.ts';

const areas = [
  ...['alerts', 'chargebacks', 'connections', 'costs', 'datasources', 'enrollments', 'history', 'webhooks'],
  ...['lookups', 'merchants', 'onboarding', 'orders', 'outcomes', 'reports', 'rules', 'search'],
];

let service: TestStack;
let tokens: Scene['tokens'];
let calls: Scene['calls'];
let own: Scene['own'];

const makeSite = async (path: string, type: string): Promise<number> => {
  const { body } = await service.call(`/api/v3/site/${path}/create`, { token: tokens.admin, body: { name: type } });
  const settings = { token: tokens.admin, body: {} };
  expect((await service.call(`/api/v3/site/${path}/sid/${body['sid']}/${type}`, settings)).status).toBe(200);
  return Number(body['sid']);
};

const makeRule = async (owner: object): Promise<number> => {
  const conditions = { all: [{ fact: 'amount', operator: 'lessThan', value: 25 }] };
  const body = { ...owner, name: 'A rule', enabled: false, conditions, action: { type: 'notify' } };
  const reply = await service.call('/api/v3/service_alerts/rules/create', { token: tokens.admin, body });
  expect(reply.status).toBe(200);
  return Number(reply.body['rule_id']);
};

const connect = async (mid: number): Promise<string> => {
  const body = { connections: [{ kind: 'sandbox', label: 'Trial' }] };
  const reply = await service.call(`/api/v3/merchant/${mid}/connections`, { token: tokens.admin, body });
  return (reply.body['connections'] as [{ id: string }])[0].id;
};

const makeOrder = async (sid: number, reference: string): Promise<number> => {
  const card = { card_firstsix: '424242', card_lastfour: '4242', card_type: 'VISA' };
  const items = [{ name: 'Tea', quantity: 1, amount_unit: '10.00' }];
  const order = { reference, order_date: service.clock.now().toISOString(), amount: '10.00', currency: 'USD', items };
  const reply = await service.call('/api/v3/orders/create', {
    token: tokens.merchant,
    body: { sid, ...order, ...card },
  });
  expect(reply.status).toBe(200);
  return Number(reply.body['order_id']);
};

/** Gives an owner as many rules as there may be; straight into the table, as fifty calls take their time. */
const fillBook = (owner: RuleOwner): Promise<void> => {
  const rules = Array.from({ length: maxRulesPerOwner }, (_, n) => aRule({ ...owner, id: 1000 + n, enabled: false }));
  return transact({ rows: bookWrites({ owner, version: 1, rules }, undefined) });
};

/** Has the other tenant request what the demo site has enrolled. */
const overlap = async (sid: number): Promise<number> => {
  const enrollment_items = [{ provider: ['provider_a'], descriptor: 'DEMO SHOP', match_type: 'Exact' }];
  const body = { sid, enrollment_items };
  const path = '/api/v3/service_alerts/descriptor_enrollment/create';
  return Number((await service.call(path, { token: tokens.otherTenant, body })).body['enrollment_request_id']);
};

/** Has a provider send what cannot be read, and answers its entry in the quarantine. */
const quarantine = async (provider: 'provider_a' | 'provider_b'): Promise<string> => {
  expect((await sendSigned(service, provider, { strange: provider })).status).toBe(400);
  const { body } = await service.call('/api/v3/service_alerts/quarantine', { token: tokens.admin, body: { provider } });
  return (body['list'] as [{ id: string }])[0].id;
};

/** Gives a merchant as many prices as there may be. */
const fillPrices = (mid: number): Promise<void> => {
  const price = { provider: 'rdr', tier: null, alertType: null, price: '5.00', currency: 'USD' } as const;
  const at = '2026-05-01T00:00:00.000Z';
  const list = Array.from({ length: maxPrices }, () => ({ ...price, from: at, setAt: at, setBy: 'root' }));
  return putItem(toPricesItem(mid, { list, version: 1 }));
};

/** A chargeback as its row has it: how it comes about, other tests tell. */
const makeChargeback = async ({ sid }: { sid: number }, status: 'lost' | 'open' = 'lost'): Promise<string> => {
  const { mid } = service.credentials.site;
  const at = service.clock.now().toISOString();
  const place = { sid, processor: 'sandbox', routeId: 'sandbox', reference: `sbd_1_${status}` } as const;
  const dispute = {
    ...({ reference: place.reference, payments: ['a payment'], stage: 'chargeback', isTaken: true } as const),
    status,
    ...{ money: { minor: 1000n, currency: 'USD' }, reasonCode: '10.4', network: 'visa', dueBy: null, openedAt: at },
  } as const;
  const owner = { mid, txid: 1, alertId: null };
  const { chargeback } = chargebackAfter(undefined, place, dispute, owner, at);
  await transact({ row: chargebackWrite({ ...chargeback, nextLookAt: null }) });
  return chargeback.id;
};

/** Uploads a text as a PDF. */
const uploadText = async (chargebackId: string): Promise<string> => {
  const path = `/api/v3/service_alerts/chargeback/${chargebackId}/files/upload`;
  const call = { token: tokens.merchant, body: { type: 'application/pdf', bytes: 4 } };
  const { file_id, url } = (await service.call(path, call)).body;
  await fetch(String(url), { method: 'PUT', headers: { 'content-type': 'application/pdf' }, body: 'text' });
  return String(file_id);
};

const beginBackTest = async (sid: number): Promise<string> => {
  const path = '/api/v3/service_alerts/rules/back-test';
  const { body } = await service.call(path, { token: tokens.merchant, body: { sid, days: 1 } });
  return String(body['back_test_id']);
};

/** A paused import of a connection, straight into the table. */
const makeImport = async (mid: number, connection: string): Promise<string> => {
  const at = service.clock.now().toISOString();
  const wanted = { id: 'imp_1', mid, connection, kind: 'sandbox', parts: ['charges'], by: 'merchant' } as const;
  const begun = newImport({ ...wanted, from: '2026-01-01T00:00:00.000Z', to: at }, at);
  await transact({ rows: newImportWrites({ ...begun, state: 'PAUSED' }, undefined) });
  return begun.id;
};

const makeFixture = async (): Promise<Fixture> => {
  const otherTenant = await makeOtherTenant(service);
  own = otherTenant;
  tokens = {
    admin: await service.tokenOf('admin'),
    merchant: await service.tokenOf('merchant'),
    otherTenant: otherTenant.token,
  };
  const { mid, rid, sid } = service.credentials.site;
  const path = `mid/${mid}/rid/${rid}`;
  const openId = await receive(service);
  const closedId = await receive(service);
  expect(
    (await update(service, { alert_id: String(closedId), status: 'RESOLVED', reason_code: '100.001' })).status,
  ).toBe(200);
  const unmatched = providerAAlert(service, { merchantDescriptor: 'NOBODY KNOWS THIS' });
  await fillBook({ mid: otherTenant.mid, sid: null });
  await fillPrices(otherTenant.mid);
  const connectionId = await connect(mid);
  const openChargebackId = await makeChargeback(service.credentials.payment_site, 'open');
  return {
    ...{ site: { mid, rid, sid }, otherTenant, openId, closedId, enrollmentId: 1 },
    now: service.clock.now().toISOString(),
    informId: await receive(service, { type: 'FRAUD_NOTICE' }),
    unmatchedId: Number((await sendSigned(service, 'provider_a', unmatched)).body['alert_id']),
    overlappingId: await overlap(otherTenant.sid),
    quarantinedId: await quarantine('provider_a'),
    outcomeId: `out_a_${closedId}_1`,
    deliveryId: (await findDelivery(service, openId, 'new_alert')).id,
    paymentSid: await makeSite(path, 'payment'),
    threeDsSid: await makeSite(path, '3ds'),
    otherSid: await makeSite(path, 'alert'),
    ruleId: await makeRule({ sid }),
    connectionId,
    chargebackId: await makeChargeback(service.credentials.payment_site),
    openChargebackId,
    uploadedTextId: await uploadText(openChargebackId),
    backTestId: await beginBackTest(sid),
    importId: await makeImport(mid, connectionId),
    orderId: await makeOrder(sid, 'ONE'),
    otherOrderReference: (await makeOrder(sid, 'TWO')) > 0 ? 'TWO' : '',
  };
};

beforeAll(async () => {
  service = await startStack({ startTime: '2026-05-02T10:00:00Z' });
  const fixture = await makeFixture();
  calls = await withFoundCalls(badCalls(fixture), areas, fixture);
});
afterAll(() => service.stop());

testBadCalls(areas, () => ({ service, tokens, calls, own }));
