import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listDeliveries, readAlert, receive, settings } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';

const service = await useStack({ startTime: '2026-05-02T10:00:00Z' });
beforeAll(async () => {
  await settings(service, { max_refund_amount: '100.00' });
});
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
const money = (value: string) => ({ amount: { value, currencyCode: 'USD' } });

describe('a merchant’s rules', () => {
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
      [before, second, third].map(async (alertId) => (await readAlert(service, alertId))['alert_action']),
    );
    expect(actions).toEqual(['REFUND', 'REFUND', 'REVIEW']);
    expect(await listDeliveries(service, third)).toMatchObject([{ kind: 'new_alert', state: 'DELIVERED' }]);
    await ask(`${id}/disable`);
  });
});

it('and nothing the stack complains about', () => expect(service.problems).toEqual([]));
