import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type deliveryKinds,
  findExpiry,
  isDeliveryExpired,
  nextSlot,
} from '#messaging/webhooks/delivery/delivery-policy.ts';

const hour = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();
const anyTime = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2060-01-01T00:00:00Z'),
  noInvalidDate: true,
});

/** All slots after the first attempt, each found from the one before. */
const listSlots = (kind: (typeof deliveryKinds)[number], createdAt: string): string[] => {
  const slots: string[] = [];
  const scheduled = { kind, createdAt, expiresAt: findExpiry(kind, createdAt) };
  for (let slot = nextSlot(scheduled, createdAt); slot !== null; slot = nextSlot(scheduled, slot)) slots.push(slot);
  return slots;
};

describe('messages to chats', () => {
  it.each(['slack', 'teams'] as const)('are tried again within the hour and then every hour for a day: %s', (kind) => {
    const createdAt = '2026-05-02T10:00:00.000Z';
    const minutes = listSlots(kind, createdAt).map((slot) => (Date.parse(slot) - Date.parse(createdAt)) / 60_000);
    expect(minutes.slice(0, 6)).toEqual([1, 5, 10, 30, 90, 150]);
    expect(minutes.at(-1)).toBeLessThanOrEqual(24 * 60);
  });
});

describe('alerts, status updates and enrollment updates', () => {
  const kinds = ['new_alert', 'status_update', 'enrollment_update', 'alert_deadline'] as const;

  it('have six slots after the first attempt, all at 00:00 or 12:00 UTC, for any receipt time', () => {
    fc.assert(
      fc.property(anyTime, fc.constantFrom(...kinds), (received, kind) => {
        const slots = listSlots(kind, received.toISOString());
        expect(slots).toHaveLength(6);
        for (const slot of slots) expect(slot).toMatch(/T(00|12):00:00\.000Z$/);
      }),
    );
  });

  it('have their slots twelve hours apart, the first within twelve hours, the last within 72', () => {
    fc.assert(
      fc.property(anyTime, (received) => {
        const times = [received.getTime(), ...listSlots('new_alert', received.toISOString()).map(Date.parse)];
        const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
        expect(gaps[0]).toBeGreaterThan(0);
        expect(gaps[0]).toBeLessThanOrEqual(12 * hour);
        expect(gaps.slice(1)).toEqual(Array(5).fill(12 * hour));
        expect((times.at(-1) ?? 0) - received.getTime()).toBeLessThanOrEqual(72 * hour);
      }),
    );
  });

  it.each([
    ['2026-05-02T00:00:00.000Z', '2026-05-02T12:00:00.000Z', '2026-05-05T00:00:00.000Z'],
    ['2026-05-02T12:00:00.000Z', '2026-05-03T00:00:00.000Z', '2026-05-05T12:00:00.000Z'],
    ['2026-05-02T11:59:59.999Z', '2026-05-02T12:00:00.000Z', '2026-05-05T00:00:00.000Z'],
    ['2026-05-02T00:00:00.001Z', '2026-05-02T12:00:00.000Z', '2026-05-05T00:00:00.000Z'],
    ['2026-12-30T18:30:00.000Z', '2026-12-31T00:00:00.000Z', '2027-01-02T12:00:00.000Z'],
  ])('received at %s: from %s to %s', (received, first, last) => {
    const slots = listSlots('new_alert', received);
    expect([slots[0], slots.at(-1)]).toEqual([first, last]);
  });

  it('skip the slots that a late attempt has passed', () => {
    const scheduled = {
      kind: 'new_alert',
      createdAt: '2026-05-02T10:00:00.000Z',
      expiresAt: '2026-05-05T10:00:00.000Z',
    } as const;
    expect(nextSlot(scheduled, '2026-05-03T00:00:00.000Z')).toBe('2026-05-03T12:00:00.000Z');
  });
});

describe('postbacks', () => {
  const start = Date.parse('2026-05-02T10:07:13.500Z');
  const minutes = listSlots('postback', iso(start)).map((slot) => (Date.parse(slot) - start) / 60_000);

  it('come after 1, 5, 10 and 30 minutes, then hourly', () => {
    expect(minutes.slice(0, 6)).toEqual([1, 5, 10, 30, 90, 150]);
  });

  it('end within 72 hours', () => {
    expect(minutes.at(-1)).toBeLessThanOrEqual(72 * 60);
    expect(minutes.at(-1)).toBeGreaterThan(71 * 60);
  });
});

describe('an attempt', () => {
  const delivery = { expiresAt: '2026-05-05T12:00:00.000Z' };

  it('may begin for a slot at the very end', () => {
    expect(isDeliveryExpired(delivery, '2026-05-05T12:00:00.000Z', '2026-05-05T12:00:00.000Z')).toBe(false);
  });

  it('may be held up by a queue for fifteen minutes', () => {
    expect(isDeliveryExpired(delivery, '2026-05-05T12:00:00.000Z', '2026-05-05T12:15:00.000Z')).toBe(false);
    expect(isDeliveryExpired(delivery, '2026-05-05T12:00:00.000Z', '2026-05-05T12:15:00.001Z')).toBe(true);
  });

  it('may not begin for a slot after the end', () => {
    expect(isDeliveryExpired(delivery, '2026-05-05T12:00:00.001Z', '2026-05-05T12:00:00.001Z')).toBe(true);
  });
});
