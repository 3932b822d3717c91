import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { startFakeNmi } from '#test/support/fake-nmi.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { alertOf, expectNoErrors, formsFor, merchantToken, receive } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

/** From an alert to the refund at the merchant's own processor and to the network, on the whole service. */

let service: TestStack;
beforeAll(async () => {
  service = await startStack();
  // Those who play processors live at the time of the stack.
  setClock(() => service.clock.now().getTime());
  const conditions = { all: [{ fact: 'amount', operator: 'lessThan', value: 500 }] };
  const body = { sid: service.credentials.site.sid, name: 'Refund', conditions, action: { type: 'refund' } };
  const token = await merchantToken(service);
  expect((await service.call('/api/v3/service_alerts/rules/create', { token, body })).status).toBe(200);
});
afterAll(async () => {
  setClock();
  await service.stop();
});
beforeEach(() => service.stack.networks.clearAll());

const number = '4242424242424242';
const connect = async (connection: object): Promise<string> => {
  const { mid } = service.credentials.site;
  const token = await merchantToken(service);
  const place = `/api/v3/merchant/${mid}/connections`;
  const { body: before } = await service.call(`${place}/details`, { token, body: {} });
  const sent = { connections: [{ label: 'The shop', ...connection }], version: before['version'] };
  const { status, text, body } = await service.call(place, { token, body: sent });
  expect([status, text]).toEqual([200, expect.any(String)]);
  return (body['connections'] as [{ id: string }])[0].id;
};
const yesterday = () => service.clock.now().getTime() - 86_400_000;
const dispute = (value: string, change: object = {}): Promise<number> =>
  receive(service, {
    ...{ type: 'CUSTOMER_DISPUTE', cardBin: '424242', cardLast4: '4242', arn: undefined, authCode: '123456' },
    ...{ amount: { value, currencyCode: 'USD' }, transactionTimestamp: new Date(yesterday()).toISOString() },
    ...change,
  });
const told = async (alertId: number) => {
  const { provider_case_id } = await alertOf(service, alertId);
  return service.stack.networks.listTold('provider_a').filter(({ caseId }) => caseId === provider_case_id);
};
const formsOf = (alertId: number) => formsFor(service, alertId).map((form) => Object.fromEntries(form));
const transactionsIn = (form: Record<string, string> | undefined) => JSON.parse(form?.['txdetails'] ?? '[]')[0];

describe("an alert about a charge at the merchant's Stripe", () => {
  it('is refunded there by a rule, and the network and the merchant are notified', async () => {
    await using stripe = await startFakeStripe();
    await connect({ kind: 'stripe', credentials: { secret_key: stripe.secretKey, base_url: stripe.url } });
    const charge = stripe.elsewhere.add({ minor: 4711, number, at: yesterday() });
    const alertId = await dispute('47.11');
    expect([stripe.elsewhere.done, charge.amountRefunded]).toEqual([1, 4711]);
    const alert = await alertOf(service, alertId);
    expect(alert).toMatchObject({ status: 'RESOLVED', reason_code: '100.001', alert_outcome_amount: '47.11' });
    expect(await told(alertId)).toMatchObject([
      {
        ...{ outcome: 'RESOLVED', accepted: true },
        body: { refundStatus: 'REFUNDED', refund: { amount: { value: 47.11, currencyCode: 'USD' } } },
      },
    ]);
    const [notice, update, ...more] = formsOf(alertId);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ alert_action: 'RESOLVED' });
    expect(transactionsIn(notice)).toMatchObject({
      alert_transaction: { payment_gateway_reference: charge.id, payment_gateway_reference2: charge.intent },
      transaction_action: { payment_gateway_reference: expect.stringMatching(/^re_/) },
    });
    const { accepted_at } = alert['provider_outcome'] as { accepted_at: string };
    expect(update).toMatchObject({ action: 'statusupdate', status: 'RESOLVED', outcome_updated_on: accepted_at });
  });

  it('stays in progress while the answer to the refund is lost, and is answered when it is known', async () => {
    await using stripe = await startFakeStripe();
    await connect({ kind: 'stripe', credentials: { secret_key: stripe.secretKey, base_url: stripe.url } });
    const charge = stripe.elsewhere.add({ minor: 4811, number, at: yesterday() });
    stripe.fail('lost', /POST \/v1\/refunds/, 2);
    const alertId = await dispute('48.11');
    expect(await alertOf(service, alertId)).toMatchObject({ status: 'WIP', reason_code: '999.002' });
    await service.clock.advance('PT10M');
    await service.untilIdle();
    expect(await alertOf(service, alertId)).toMatchObject({ status: 'RESOLVED', reason_code: '100.001' });
    expect([stripe.elsewhere.done, charge.amountRefunded]).toEqual([1, 4811]);
    expect((await told(alertId)).filter(({ outcome }) => outcome !== 'IN_PROGRESS')).toHaveLength(1);
    // Sites receive the statuses that the interface names, unless they ask for all.
    expect(formsOf(alertId).map(({ status }) => status)).toEqual([undefined, 'RESOLVED']);
  });

  it('is not refunded if two charges fit it', async () => {
    await using stripe = await startFakeStripe();
    await connect({ kind: 'stripe', credentials: { secret_key: stripe.secretKey, base_url: stripe.url } });
    for (const _ of [1, 2]) stripe.elsewhere.add({ minor: 4911, number, at: yesterday() });
    const alertId = await dispute('49.11');
    expect(await alertOf(service, alertId)).toMatchObject({ status: 'OPEN', automatic: { reason: 'several_matches' } });
    expect(transactionsIn(formsOf(alertId)[0]).transaction_potential_matches).toHaveLength(2);
    expect(stripe.elsewhere.done).toBe(0);
  });

  it('is not refunded where only the last four digits, the amount and the day agree, and shows the most likely charge', async () => {
    await using stripe = await startFakeStripe();
    await connect({ kind: 'stripe', credentials: { secret_key: stripe.secretKey, base_url: stripe.url } });
    const { id } = stripe.elsewhere.add({ minor: 4912, number, at: yesterday(), authCode: '' });
    const alertId = await dispute('49.12', { authCode: undefined });
    const reason = 'evidence_insufficient';
    expect(await alertOf(service, alertId)).toMatchObject({ status: 'OPEN', automatic: { reason } });
    expect(transactionsIn(formsOf(alertId)[0]).transaction_potential_matches).toMatchObject([
      { payment_gateway_reference: id, comment: 'match 35 of 100: amount, date agree; card partly agrees' },
    ]);
    expect(stripe.elsewhere.done).toBe(0);
  });

  it.each([
    ['a card of another brand', { number: '5555555555554242' }],
    ['another shop', { descriptor: 'GARDEN CENTRE 81' }],
  ])('is not refunded from a charge of %s, although amount, day and last four digits agree', async (_, change) => {
    await using stripe = await startFakeStripe();
    await connect({ kind: 'stripe', credentials: { secret_key: stripe.secretKey, base_url: stripe.url } });
    stripe.elsewhere.add({ minor: 4913, number, at: yesterday(), authCode: '', ...change });
    const alertId = await dispute('49.13', { authCode: undefined });
    expect(await alertOf(service, alertId)).toMatchObject({ status: 'OPEN', automatic: { reason: 'no_transaction' } });
    expect(stripe.elsewhere.done).toBe(0);
  });

  it('is answered as refunded before, where the merchant did that by hand', async () => {
    await using stripe = await startFakeStripe();
    await connect({ kind: 'stripe', credentials: { secret_key: stripe.secretKey, base_url: stripe.url } });
    stripe.elsewhere.add({ minor: 5011, number, at: yesterday(), amountRefunded: 5011 });
    const alertId = await dispute('50.11');
    expect(await alertOf(service, alertId)).toMatchObject({ status: 'RESOLVED', reason_code: '951.001' });
    expect(await told(alertId)).toMatchObject([{ outcome: 'RESOLVED_PREVIOUSLY_REFUNDED' }]);
    expect(stripe.elsewhere.done).toBe(0);
    // A refund from before the alert need not be paid for.
    expect((await alertOf(service, alertId))['cost']).toMatchObject({
      ...{ credit: 'claimable', credit_reason: 'refunded_before' },
      credit_evidence: { reason_code: '951.001', transaction: expect.stringMatching(/^ch_/) },
    });
  });

  it('is refunded where its order says, though another charge is alike, and the order shows it', async () => {
    await using stripe = await startFakeStripe();
    const credentials = { secret_key: stripe.secretKey, base_url: stripe.url };
    const connection = await connect({ kind: 'stripe', credentials });
    const [other, charge] = [1, 2].map(() => stripe.elsewhere.add({ minor: 5211, number, at: yesterday() }));
    const token = await merchantToken(service);
    const arn = '74650000000000000052116';
    const order = {
      ...{ sid: service.credentials.payment_site.sid, reference: 'O-5211', amount: '52.11', currency: 'USD', arn },
      ...{
        order_date: new Date(yesterday()).toISOString(),
        items: [{ name: 'Tea', quantity: 1, amount_unit: '52.11' }],
      },
      ...{ card_firstsix: '424242', card_lastfour: '4242', card_type: 'VISA' },
      processor: { connection, reference: charge?.id },
    };
    const { body: made, text } = await service.call('/api/v3/orders/create', { token, body: order });
    expect(made, text).toMatchObject({ order_id: expect.any(Number) });
    const alertId = await dispute('52.11', { arn });
    expect(await alertOf(service, alertId)).toMatchObject({ status: 'RESOLVED', reason_code: '100.001' });
    expect([other?.amountRefunded, charge?.amountRefunded]).toEqual([0, 5211]);
    const { body } = await service.call(`/api/v3/orders/${made['order_id']}/details`, { token, body: {} });
    const reference = transactionsIn(formsOf(alertId)[0]).transaction_action.payment_gateway_reference;
    expect(body).toMatchObject({
      order: { refunds_made: [{ amount: '52.11', currency: 'USD', reference }] },
      alerts: [{ alert_id: alertId, status: 'RESOLVED' }],
    });
  });
});

it('voids a charge at NMI that has not settled', async () => {
  await using nmi = await startFakeNmi();
  const credentials = { security_key: nmi.securityKey, environment: 'test', base_url: nmi.url };
  await connect({ kind: 'nmi', credentials });
  const order = { orderId: 'shop-1', condition: 'pendingsettlement' } as const;
  nmi.charge({ minor: 5111, number, at: yesterday(), ...order });
  const alertId = await dispute('51.11');
  expect(await alertOf(service, alertId)).toMatchObject({ status: 'RESOLVED', reason_code: '100.001' });
  const { transaction_action } = transactionsIn(formsOf(alertId)[0]);
  expect(transaction_action).toMatchObject({ payment_gateway_tx_type: 'void' });
  expect(await told(alertId)).toMatchObject([{ outcome: 'RESOLVED', accepted: true }]);
});

it('did nothing that was not granted, and failed nowhere', () => expectNoErrors(service));
