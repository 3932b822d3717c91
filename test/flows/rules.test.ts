import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertOf, deliveriesOf, formsFor, receive, settings, update } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startStack({ startTime: '2026-05-02T10:00:00Z' });
  await settings(service, { max_refund_amount: '100.00' });
});
afterAll(() => service.stop());
beforeEach(() => service.sinks.clear('demo'));

const ask = async (path: string, body: Record<string, unknown> = {}) => {
  const reply = await service.call(`/api/v3/service_alerts/rules/${path}`, {
    token: await service.tokenOf('merchant'),
    body,
  });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body;
};
const made = async (body: Record<string, unknown>) => {
  const { rule_id } = await ask('create', { sid: service.credentials.site.sid, name: 'A rule', ...body });
  return Number(rule_id);
};
const below = (value: number) => ({
  all: [{ fact: 'amount', operator: 'lessThan', value, params: { currency: 'USD' } }],
});
const money = (value: string) => ({ amount: { value, currencyCode: 'USD' } });

describe('a merchant’s rules', () => {
  it('decide what they match, tell the merchant, and leave the rest to it', async () => {
    const id = await made({ conditions: below(50), action: { type: 'decline', reason_code: '902.002' } });
    const [small, large] = [await receive(service, money('20.00')), await receive(service, money('361.56'))];

    expect(await alertOf(service, small)).toMatchObject({
      status: 'DECLINED',
      alert_action: 'DECLINED',
      reason_code: '902.002',
      automatic: { rule_id: id, version: 1, result: 'declined', reason: null, facts: { amount: 20, currency: 'USD' } },
      history: [
        { via: 'intake', change: { event: 'received' } },
        { by: `rule ${id}`, via: 'rules', change: { event: 'decided by rule', decisions: [{ rule_id: id }] } },
      ],
    });
    expect(
      formsFor(service, small)
        .map((form) => form.get('alert_action') ?? form.get('action'))
        .toSorted(),
    ).toEqual(['DECLINED', 'statusupdate']);
    expect(await alertOf(service, large)).toMatchObject({ status: 'OPEN', automatic: null });
    expect(formsFor(service, large).map((form) => form.get('alert_action'))).toEqual(['REFUND']);
    const late = await update(service, { alert_id: String(small), status: 'RESOLVED', reason_code: '100.001' });
    expect(late.status).toBe(409);
    await ask(`${id}/disable`);
  });

  it('that refund leave the alert to the merchant while there is no processor, and say so', async () => {
    const id = await made({ conditions: below(50), action: { type: 'refund' } });
    const alertId = await receive(service, money('20.00'));
    expect(await alertOf(service, alertId)).toMatchObject({
      status: 'OPEN',
      automatic: { rule_id: id, result: 'left_to_merchant', reason: 'no_processor' },
    });
    const [form] = formsFor(service, alertId);
    expect(JSON.parse(form?.get('txdetails') ?? '')).toEqual([
      {
        alert_transaction: null,
        transaction_action: null,
        transaction_potential_matches: null,
        comment: `Rule ${id} (version 1): no automatic refund, no_processor`,
      },
    ]);
    const tried = await ask('dry-run', { sid: service.credentials.site.sid, rule_id: id });
    const said = { would: 'leave_to_merchant', reason: 'no_processor', refund_amount: null };
    expect(tried).toMatchObject({ list: [said, said], totals: [] });
    await ask(`${id}/disable`);
  });

  it('know how much a card was in dispute, as the stream counts it', async () => {
    const card = { cardBin: '400000', cardLast4: '7777' };
    const conditions = {
      all: [
        { fact: 'card_bin', operator: 'equal', value: '400000' },
        {
          fact: 'volume_sum',
          operator: 'greaterThanInclusive',
          value: 60,
          params: { of: 'card', window: '1d' },
        },
      ],
    };
    const before = await receive(service, { ...card, ...money('25.00') });
    const id = await made({ conditions, action: { type: 'review' } });
    const [second, third] = [
      await receive(service, { ...card, ...money('25.00') }),
      await receive(service, { ...card, ...money('10.00') }),
    ];
    const actions = await Promise.all(
      [before, second, third].map(async (alertId) => (await alertOf(service, alertId))['alert_action']),
    );
    expect(actions).toEqual(['REFUND', 'REFUND', 'REVIEW']);
    expect(await deliveriesOf(service, third)).toMatchObject([{ kind: 'new_alert', state: 'DELIVERED' }]);
    await ask(`${id}/disable`);
  });
});

it('and nothing the stack complains about', () => expect(service.problems).toEqual([]));
