import { beforeEach, describe, expect, it } from 'vitest';
import { findDelivery, formsFor, receive, update } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';

const service = await useStack({ startTime: '2026-05-02T10:00:00Z' });
beforeEach(() => service.sinks.clear('demo'));

const minute = (time: string | undefined) => time?.slice(0, 16);

describe('a new alert whose endpoint stays down', () => {
  it.each(['PT0S', 'PT1H59M', 'PT7H13M', 'PT11H'])(
    'is tried seven times, at receipt and six slots, then expires (%s later)',
    async (later) => {
      await service.clock.advance(later);
      service.sinks.answer('demo', { status: 500 });
      const alertId = await receive(service);
      const receipt = service.clock.now().getTime();
      await service.clock.advance('PT96H');
      const { state, attempts, next_attempt_at } = await findDelivery(service, alertId, 'new_alert');
      expect([state, attempts.length, next_attempt_at]).toEqual(['EXPIRED', 7, null]);
      const slots = attempts.slice(1).map(({ slot }) => Date.parse(slot));
      expect(
        slots.every((slot) => slot % 43_200_000 === 0 && slot > receipt - 60_000 && slot <= receipt + 72 * 3_600_000),
      ).toBe(true);
      expect(new Set(slots).size).toBe(6);
      expect(attempts.slice(1).map(({ at }) => minute(at))).toEqual(attempts.slice(1).map(({ slot }) => minute(slot)));
      expect(formsFor(service, alertId)).toHaveLength(7);
      const ids = service.sinks.got('demo').map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBe(1);
    },
  );

  it('is not tried again once the merchant has answered', async () => {
    service.sinks.answer('demo', { status: 500 });
    const alertId = await receive(service);
    service.sinks.answer('demo', { status: 500 });
    expect(
      (await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' })).status,
    ).toBe(200);
    await service.clock.advance('PT96H');
    const news = formsFor(service, alertId).filter((form) => !form.has('action'));
    expect(news).toHaveLength(1);
    expect((await findDelivery(service, alertId, 'new_alert')).state).toBe('CANCELLED');
  });

  it('is delivered by a replay after it expired, and stays expired when the replay fails', async () => {
    service.sinks.answer('demo', { status: 500 });
    const alertId = await receive(service);
    await service.clock.advance('PT96H');
    const { id } = await findDelivery(service, alertId, 'new_alert');
    const replay = async () => {
      const reply = await service.call(`/api/v3/notifications/${id}/replay`, {
        token: await service.tokenOf('merchant'),
        body: {},
      });
      await service.untilIdle();
      return reply.status;
    };
    expect(await replay()).toBe(200);
    expect(await findDelivery(service, alertId, 'new_alert')).toMatchObject({
      state: 'EXPIRED',
      attempts: { length: 8 },
    });
    service.sinks.answer('demo', { status: 204, body: '' });
    expect(await replay()).toBe(200);
    expect(await findDelivery(service, alertId, 'new_alert')).toMatchObject({
      state: 'DELIVERED',
      attempts: { length: 9 },
    });
  });
});

describe('the service after an outage', () => {
  it('sends what its queue lost, with the next sweep', async () => {
    service.sinks.answer('demo', { status: 500, times: 1 });
    const alertId = await receive(service);
    for (const queue of service.stack.queues.definitions) service.stack.queues.purge(queue);
    await service.clock.advance('PT12H');
    expect((await findDelivery(service, alertId, 'new_alert')).state).toBe('DELIVERED');
    expect(formsFor(service, alertId)).toHaveLength(2);
  });
});

it('never complained', () => expect(service.problems).toEqual([]));
