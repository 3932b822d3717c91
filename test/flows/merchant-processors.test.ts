import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { startFakeNmi } from '#test/support/fake-nmi.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { expectNoErrors, formsFor, merchantToken, readAlert, receive } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';

/** From an alert to the refund at the merchant's own processor and to the network, on the whole service. */

const service = await useStack();
beforeAll(async () => {
  // Those who play processors live at the time of the stack.
  setClock(() => service.clock.now().getTime());
  const conditions = { all: [{ fact: 'amount', operator: 'lessThan', value: 500 }] };
  const body = { sid: service.credentials.site.sid, name: 'Refund', conditions, action: { type: 'refund' } };
  const token = await merchantToken(service);
  expect((await service.call('/api/v3/service_alerts/rules/create', { token, body })).status).toBe(200);
});
afterAll(async () => {
  setClock();
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
  const { provider_case_id } = await readAlert(service, alertId);
  return service.stack.networks.listTold('provider_a').filter(({ caseId }) => caseId === provider_case_id);
};
const readForms = (alertId: number) => formsFor(service, alertId).map((form) => Object.fromEntries(form));
const transactionsIn = (form: Record<string, string> | undefined) => JSON.parse(form?.['txdetails'] ?? '[]')[0];

describe("an alert about a charge at the merchant's Stripe", () => {
  it('is refunded there by a rule, and the network and the merchant are notified', async () => {
    await using stripe = await startFakeStripe();
    await connect({ kind: 'stripe', credentials: { secret_key: stripe.secretKey, base_url: stripe.url } });
    const charge = stripe.elsewhere.add({ minor: 4711, number, at: yesterday() });
    const alertId = await dispute('47.11');
    expect([stripe.elsewhere.done, charge.amountRefunded]).toEqual([1, 4711]);
    const alert = await readAlert(service, alertId);
    expect(alert).toMatchObject({ status: 'RESOLVED', reason_code: '100.001', alert_outcome_amount: '47.11' });
    expect(await told(alertId)).toMatchObject([
      {
        ...{ outcome: 'RESOLVED', accepted: true },
        body: { refundStatus: 'REFUNDED', refund: { amount: { value: 47.11, currencyCode: 'USD' } } },
      },
    ]);
    const [notice, update, ...more] = readForms(alertId);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ alert_action: 'RESOLVED' });
    expect(transactionsIn(notice)).toMatchObject({
      alert_transaction: { payment_gateway_reference: charge.id, payment_gateway_reference2: charge.intent },
      transaction_action: { payment_gateway_reference: expect.stringMatching(/^re_/) },
    });
    const { accepted_at } = alert['provider_outcome'] as { accepted_at: string };
    expect(update).toMatchObject({ action: 'statusupdate', status: 'RESOLVED', outcome_updated_on: accepted_at });
  });
});

it('voids a charge at NMI that has not settled', async () => {
  await using nmi = await startFakeNmi();
  const credentials = { security_key: nmi.securityKey, environment: 'test', base_url: nmi.url };
  await connect({ kind: 'nmi', credentials });
  const order = { orderId: 'shop-1', condition: 'pendingsettlement' } as const;
  nmi.charge({ minor: 5111, number, at: yesterday(), ...order });
  const alertId = await dispute('51.11');
  expect(await readAlert(service, alertId)).toMatchObject({ status: 'RESOLVED', reason_code: '100.001' });
  const { transaction_action } = transactionsIn(readForms(alertId)[0]);
  expect(transaction_action).toMatchObject({ payment_gateway_tx_type: 'void' });
  expect(await told(alertId)).toMatchObject([{ outcome: 'RESOLVED', accepted: true }]);
});

it('did nothing that was not granted, and failed nowhere', () => expectNoErrors(service));
