import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { formsFor, receive, update } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';

/** A dispute alert and the payment it is about, on the whole stack: sites, streams, queues and clock included. */
const service = await useStack({ startTime: '2026-05-02T10:00:00Z' });
let token: string;
beforeAll(async () => {
  token = await service.tokenOf('merchant');
});

const pay = async (amount: string): Promise<number> => {
  const { sid, rcode } = service.credentials.payment_site;
  const timestamp = String(Math.floor(service.clock.now().getTime() / 1000));
  const reply = await service.call(`/api/v1/index.php/${sid}/singletx`, {
    body: {
      hash: createHash('md5').update(`${sid}${timestamp}${amount}USD${rcode}`).digest('hex'),
      ...{ timestamp, card_type: 'VISA', card_no: '4242424242424242', card_ccv: '123' },
      ...{ card_exp_month: '12', card_exp_year: '2039', card_name: 'Jenny Rosen' },
      ...{ firstname: 'Jenny', lastname: 'Rosen', email: 'jenny@example.com' },
      ...{ item_name: ['Hosting'], item_amount_unit: [amount], currency: 'USD', tx_action: 'PAYMENT' },
      postback_url: service.sinks.url('shop'),
    },
  });
  expect(reply.body).toMatchObject({ status: 'OK' });
  return Number(reply.body['txid']);
};
const refund = (txid: number, body: Record<string, unknown>) =>
  service.call(`/api/v3/service_process/transaction/${txid}/processrefund`, {
    token,
    body: { currency: 'USD', ...body },
  });
const disputed = (amount: string) =>
  receive(service, {
    ...{ cardBin: '424242', cardLast4: '4242', authCode: '' },
    ...{ amount: { value: amount, currencyCode: 'USD' }, transactionTimestamp: '2026-05-02T09:00:00Z' },
  });
const reserved = async (): Promise<number> => {
  const { sid, rcode } = service.credentials.payment_site;
  const { body } = await service.call(`/api/v3/${sid}/balance`, { body: { rcode } });
  const [usd] = body['balances'] as { reserved: number }[];
  return usd?.reserved ?? 0;
};

it('keeps a payment for the alert about it, until that has its outcome', async () => {
  const txid = await pay('20.00');
  const alertId = await disputed('20.00');
  expect(await reserved()).toBe(20);
  expect(await refund(txid, { amount: '5.00', answer: false })).toMatchObject({ body: { status: 'OK' } });
  expect(await refund(txid, { amount: '5.00', alert_id: alertId })).toMatchObject({ status: 409 });
  await update(service, {
    ...{ alert_id: String(alertId), status: 'RESOLVED', reason_code: '101.001' },
    ...{ alert_outcome_amount: '5.00', alert_outcome_currency: 'USD' },
  });
  expect(await reserved()).toBe(0);
  expect(await refund(txid, { amount: '15.00' })).toMatchObject({ body: { status: 'OK' } });
});

it('answers an alert by a refund of its payment that names no alert, right after the alert came in', async () => {
  const txid = await pay('21.00');
  const alertId = await disputed('21.00');
  expect(await refund(txid, { amount: '21.00' })).toMatchObject({ body: { status: 'OK' } });
  const { body } = await service.call(`/api/v3/service_alerts/alert/${alertId}/details`, { token, body: {} });
  expect(body).toMatchObject({ status: 'RESOLVED', reason_code: '100.001' });
});

it('names the held payment in the first notification, and asks for no refund of one that was refunded before', async () => {
  const [kept, refunded] = [await pay('22.00'), await pay('23.00')];
  expect(await refund(refunded, { amount: '23.00' })).toMatchObject({ body: { status: 'OK' } });
  const first = async (amount: string) => {
    const alertId = await disputed(amount);
    const [form] = formsFor(service, alertId);
    await update(service, { alert_id: String(alertId), status: 'DECLINED', reason_code: '902.002' });
    return Object.fromEntries(form ?? []);
  };
  expect(await first('22.00')).toMatchObject({ held_txid: String(kept), alert_action: 'REFUND' });
  expect(await first('23.00')).toMatchObject({ held_txid: String(refunded), alert_action: 'MATCHED' });
});

it('refunds by a rule what the alert is about, and tells the merchant which payment and which refund', async () => {
  const { sid } = service.credentials.site;
  const rule = { sid, name: 'Refund', action: { type: 'refund' } };
  const amountAbove = { fact: 'amount', operator: 'greaterThanInclusive', value: 0 };
  const made = await service.call('/api/v3/service_alerts/rules/create', {
    token,
    body: { ...rule, conditions: { all: [amountAbove] } },
  });
  expect(made.status).toBe(200);
  const txid = await pay('33.00');
  const alertId = await disputed('33.00');
  const { body } = await service.call(`/api/v3/service_alerts/alert/${alertId}/details`, { token, body: {} });
  expect(body).toMatchObject({ status: 'RESOLVED', automatic: { result: 'refunded', reason: null } });
  const [details] = JSON.parse(String(body['txdetails']));
  expect(details).toMatchObject({
    alert_transaction: { payment_gateway_reference2: String(txid), payment_gateway_tx_type: 'sale' },
    transaction_action: { payment_gateway_tx_type: 'refund' },
  });
  expect(await refund(txid, { amount: '0.01' })).toMatchObject({ status: 409 });
  expect(await reserved()).toBe(0);
});

it('finds a payment at the next sweep whose outcome was not known when the alert came', async () => {
  const { sid } = service.credentials.site;
  const { body: rules } = await service.call('/api/v3/service_alerts/rules/list', { token, body: { sid } });
  const [first] = rules['list'] as { rule_id: number }[];
  await service.call(`/api/v3/service_alerts/rules/${first?.rule_id}/disable`, { token, body: {} });
  const alertId = await disputed('44.00');
  const txid = await pay('44.00');
  const held = async () =>
    (await service.call(`/api/v3/service_alerts/alert/${alertId}/details`, { token, body: {} })).body['held_txid'];
  expect(await held()).toBeNull();
  await service.clock.advance('PT12H');
  token = await service.tokenOf('merchant');
  expect(await held()).toBe(txid);
  expect(service.problems).toEqual([]);
});
