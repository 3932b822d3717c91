import { describe, expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItem, transact } from '#core/platform/table/table.ts';
import { toHangingItem } from '#messaging/webhooks/attempt/hanging-row.ts';
import {
  askForReplay,
  createDelivery,
  type DeliveryAttempt,
  deliveryAfterAttempt,
  expireDelivery,
  maskUrl,
  newAlertDeliveryId,
  owedAt,
  targetUrl,
} from '#messaging/webhooks/delivery/delivery.ts';
import {
  changedDeliveryWrite,
  deliveryDetails,
  deliverySummary,
  fromDeliveryItem,
  newDeliveryWrite,
  toDeliveryItem,
} from '#messaging/webhooks/delivery/delivery-row.ts';
import { useTable } from '#test/support/table.ts';

useTable();

const createdAt = '2026-05-02T10:00:00.000Z';
const noon = '2026-05-02T12:00:00.000Z';
const midnight = '2026-05-03T00:00:00.000Z';
const base = {
  id: newAlertDeliveryId(7),
  kind: 'new_alert',
  sid: 3,
  mid: 1,
  rid: 2,
  alertId: 7,
  contentType: 'application/x-www-form-urlencoded',
  body: 'alert_id=7',
} as const;
const fresh = createDelivery({ ...base, at: createdAt });

it('is stored over the state that was read, and over no later one', async () => {
  await transact({ delivery: newDeliveryWrite(fresh) });
  const read = fromDeliveryItem((await getItem(keys.delivery(fresh.id))) ?? {});
  const write = () => transact({ delivery: changedDeliveryWrite(read, deliveryAfterAttempt(read, attempt(noon))) });
  await write();
  await expect(write()).rejects.toThrow(ConditionFailedError);
});

it('is forgotten as hanging a day after it stopped', () => {
  const until = '2026-05-02T12:00:00.000Z';
  expect(toHangingItem({ sid: 3, slot: noon, until })['ttl']).toBe(Date.parse('2026-05-03T12:00:00.000Z') / 1000);
});

const attempt = (slot: string, change: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  id: `attempt at ${slot}`,
  at: slot,
  slot,
  url: 'https://merchant.example/hook',
  status: 500,
  latencyMilliseconds: 12,
  error: 'http_status',
  response: 'no',
  responseTruncated: false,
  replyUpdate: null,
  ...change,
});
const success = { status: 204, error: null } as const;

describe('a new delivery', () => {
  it('is pending, has its first attempt due immediately and ends after 72 hours', () => {
    expect(fresh).toMatchObject({
      state: 'PENDING',
      nextAttemptAt: createdAt,
      expiresAt: '2026-05-05T10:00:00.000Z',
      attempts: [],
    });
  });
});

describe('an attempt', () => {
  it('that succeeds delivers, and nothing more is due', () => {
    expect(deliveryAfterAttempt(fresh, attempt(createdAt, success))).toMatchObject({
      state: 'DELIVERED',
      nextAttemptAt: null,
      lease: null,
    });
  });

  it('that fails makes the next slot due', () => {
    expect(deliveryAfterAttempt(fresh, attempt(createdAt))).toMatchObject({ state: 'PENDING', nextAttemptAt: noon });
  });

  it('of the sweep catches up on slots that were missed', () => {
    expect(deliveryAfterAttempt({ ...fresh, nextAttemptAt: noon }, attempt(midnight))).toMatchObject({
      nextAttemptAt: '2026-05-03T12:00:00.000Z',
    });
  });

  it('that is the seventh and fails expires the delivery', () => {
    let delivery = fresh;
    let made = 0;
    for (let slot = owedAt(delivery); slot !== null; slot = owedAt(delivery), made += 1)
      delivery = deliveryAfterAttempt(delivery, attempt(slot));
    expect([made, delivery.state]).toEqual([7, 'EXPIRED']);
  });

  it('delivers even if the alert got its outcome while it was under way', () => {
    const cancelled = { ...fresh, state: 'CANCELLED', nextAttemptAt: null } as const;
    expect(deliveryAfterAttempt(cancelled, attempt(createdAt, success)).state).toBe('DELIVERED');
    expect(deliveryAfterAttempt(cancelled, attempt(createdAt))).toMatchObject({
      state: 'CANCELLED',
      nextAttemptAt: null,
    });
  });
});

describe('a replay', () => {
  const replayAt = '2026-05-02T10:30:00.000Z';
  const pending = { ...fresh, nextAttemptAt: noon };

  it('is due immediately, whatever is scheduled', () => {
    expect(owedAt(askForReplay(pending, replayAt))).toBe(replayAt);
    expect(owedAt(askForReplay({ ...fresh, state: 'DELIVERED', nextAttemptAt: null }, replayAt))).toBe(replayAt);
  });

  it('that fails leaves state and schedule as they were', () => {
    for (const state of ['DELIVERED', 'EXPIRED', 'CANCELLED'] as const) {
      const replayed = deliveryAfterAttempt(
        askForReplay({ ...fresh, state, nextAttemptAt: null }, replayAt),
        attempt(replayAt),
      );
      expect(replayed).toMatchObject({ state, nextAttemptAt: null, manualSlot: null });
    }
    expect(deliveryAfterAttempt(askForReplay(pending, replayAt), attempt(replayAt))).toMatchObject({
      state: 'PENDING',
      nextAttemptAt: noon,
      manualSlot: null,
    });
  });

  it('stays due if it was requested while an earlier one was under way', () => {
    const later = '2026-05-02T10:30:05.000Z';
    const asked = askForReplay({ ...pending, state: 'DELIVERED', nextAttemptAt: null }, later);
    expect(deliveryAfterAttempt(asked, attempt(replayAt, success))).toMatchObject({
      state: 'DELIVERED',
      manualSlot: later,
    });
  });
});

describe('what is kept of attempts', () => {
  const full = 'x'.repeat(16 * 1024);

  it('never outgrows an item: the oldest replies go first, then the oldest attempts', () => {
    let delivery = { ...fresh, state: 'DELIVERED', nextAttemptAt: null } as ReturnType<typeof createDelivery>;
    for (let n = 0; n < 80; n += 1)
      delivery = deliveryAfterAttempt(delivery, attempt(createdAt, { id: String(n), response: full }));
    const replies = delivery.attempts.map(({ response }) => response.length);
    expect(delivery.attempts).toHaveLength(60);
    expect(delivery.attempts.at(-1)).toMatchObject({ id: '79', response: full });
    expect(replies.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(240 * 1024);
    expect(delivery.attempts[0]).toMatchObject({ response: '', responseTruncated: true });
  });
});

describe('where a delivery goes', () => {
  const settings = {
    alertapiurl: 'https://m.example/alerts',
    statusupdate_url: 'https://m.example/status',
    enrollment_url: null,
  } as Parameters<typeof targetUrl>[1];
  const to = (kind: (typeof fresh)['kind'], postbackUrl: string | null = null) =>
    targetUrl({ ...fresh, kind, postbackUrl }, settings, { slack: 'https://chat.example/s/1', teams: null });

  it('is the URL that the site has for its kind now', () => {
    expect([to('new_alert'), to('alert_deadline'), to('status_update'), to('enrollment_update')]).toEqual([
      'https://m.example/alerts',
      'https://m.example/alerts',
      'https://m.example/status',
      null,
    ]);
  });

  it('is the address of its chat, of which no more than the host is shown', () => {
    expect([to('slack'), to('teams')]).toEqual(['https://chat.example/s/1', null]);
    expect(maskUrl('slack', 'https://chat.example:8443/s/1?sig=2')).toBe('https://chat.example:8443/…');
    expect(maskUrl('new_alert', 'https://m.example/alerts?a=b')).toBe('https://m.example/alerts?a=b');
  });

  it("is a postback's own", () => {
    expect(to('postback', 'https://m.example/postback')).toBe('https://m.example/postback');
  });
});

describe('the row', () => {
  const tried = deliveryAfterAttempt(
    fresh,
    attempt(createdAt, { replyUpdate: { accepted: false, reason: 'status: must be …' } }),
  );

  it('gives back what was written', () => {
    expect(fromDeliveryItem(toDeliveryItem(tried))).toEqual(tried);
    const replayed = askForReplay({ ...tried, lease: { attemptId: 'a', until: noon } }, noon);
    expect(fromDeliveryItem(toDeliveryItem(replayed))).toEqual(replayed);
  });

  it('is in the due index while an attempt is due, and only then', () => {
    expect(toDeliveryItem(fresh)).toMatchObject({ dueSk: `${createdAt}#DELIVERY#ntf_7` });
    expect(toDeliveryItem(deliveryAfterAttempt(fresh, attempt(createdAt, success)))).not.toHaveProperty('duePk');
  });

  const everywhere = {
    list1Pk: expect.stringMatching(/^DELIVERY#all\.[0-7]$/),
    list2Pk: 'DELIVERY#M1',
    list3Pk: 'DELIVERY#A7',
    list4Pk: 'DELIVERY#S3',
    list4fPk: 'DELIVERY#S3#PENDING|new_alert',
    listSk: `${createdAt}#ntf_7`,
  };

  it('appears in the lists of everything, its merchant, its alert and its site once it was tried', () => {
    expect(toDeliveryItem(tried)).toMatchObject(everywhere);
    expect(toDeliveryItem(tried)).not.toHaveProperty('list3fPk');
    expect(toDeliveryItem({ ...tried, alertId: null })).not.toHaveProperty('list3Pk');
  });

  it('appears in the list of its alert alone until then; where it has no alert, in the others from the start', () => {
    const keysOf = (item: object) => Object.keys(item).filter((name) => name.startsWith('list') && name.endsWith('Pk'));
    expect(keysOf(toDeliveryItem(fresh))).toEqual(['list3Pk']);
    const { list3Pk: _, ...others } = everywhere;
    expect(toDeliveryItem({ ...fresh, alertId: null })).toMatchObject(others);
  });

  it('comes to all its lists with what ends it before an attempt', () => {
    expect(toDeliveryItem(expireDelivery(fresh))).toMatchObject({
      ...everywhere,
      list4fPk: 'DELIVERY#S3#EXPIRED|new_alert',
    });
  });

  it('shows attempts without the replies in lists, and with them in the details', () => {
    const shown = {
      at: createdAt,
      slot: createdAt,
      status: 500,
      latency_ms: 12,
      error: 'http_status',
      reply_update: { accepted: false, reason: 'status: must be …' },
    };
    expect(deliverySummary(tried)).toMatchObject({
      url: 'https://merchant.example/hook',
      next_attempt_at: noon,
      attempts: [shown],
    });
    expect(deliverySummary(tried).attempts[0]).not.toHaveProperty('response');
    expect(deliveryDetails(tried).attempts).toEqual([{ ...shown, response: 'no' }]);
  });
});
