import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextDigestAt } from '#accounts/auth/users/digest.ts';
import { fromDigestItem } from '#accounts/auth/users/digest-row.ts';
import { newUser } from '#accounts/auth/users/user.ts';
import { toUserItem } from '#accounts/auth/users/user-row.ts';
import { changeUser, findUser } from '#accounts/auth/users/user-store.ts';
import { iso, setClock } from '#core/kernel/clock.ts';
import type { Mail } from '#core/platform/mail/mail.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { dueShards } from '#core/platform/work/due.ts';
import { keepDigest } from '#disputes/alerts/digest/digest-store.ts';
import { handler } from '#disputes/alerts/jobs/deadline/handler.ts';
import { dueMessage } from '#jobs/due-routing.ts';
import { readDue } from '#jobs/due-store.ts';
import { letterText } from '#test/support/letters.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';
import { useScheduler } from './fake-scheduler.ts';
import { settings } from './samples.ts';
import { fresh, seedClaims, seedSite, take } from './seed.ts';

useOperations();
Object.assign(process.env, {
  SCHEDULE_GROUP_NAME: 'deadlines',
  DEADLINE_QUEUE_ARN: 'arn:queue',
  SCHEDULE_ROLE_ARN: 'arn:role',
});

const { schedules } = useScheduler();
let now = 0;
beforeEach(() => {
  now = Date.parse('2026-05-02T10:00:00Z');
  setClock(() => now);
});
afterEach(() => setClock());

const tell = async (...bodies: object[]): Promise<number> => {
  const Records = bodies.map((body, index) => ({ messageId: String(index), body: JSON.stringify(body) }));
  // The handler reads no more of a record than these two.
  const { batchItemFailures } = await handler({ Records } as SQSEvent);
  return batchItemFailures.length;
};

/** A merchant with an alert, whose analyst has chosen a digest. */
const withDigest = async (zone: string | null = 'Europe/Berlin') => {
  const site = await seedSite({ alert: settings() });
  const { mid, sid } = site;
  const descriptor = `SHOP ${sid}`;
  await seedClaims('provider_a', 'EXACT', descriptor, site);
  const receive = async (amount = '361.56') =>
    (
      await take('provider_a', {
        ...{ alertId: `A${fresh()}`, arn: null, authCode: null, merchantDescriptor: descriptor },
        amount: { value: amount, currencyCode: 'USD' },
      })
    ).alert_id;
  const username = `merchant-${mid}`;
  const email = `ann@${mid}.example`;
  const user = newUser({ username, scope: 'merchant', mid, role: 'analyst', name: 'Ann', email }, iso(now));
  await putItem(toUserItem(user));
  const as = { mid, role: 'analyst' } as const;
  const choose = (body: object) => ask('auth/set-own-settings', { as, body });
  expect(await choose({ alert_emails: 'daily', time_zone: zone })).toMatchObject({
    status: 200,
    body: { alert_emails: 'daily', time_zone: zone },
  });
  return { mid, sid, as, username, email, receive, choose };
};
const readDigest = async (username: string) => fromDigestItem(await getItem(keys.digest(username)));

/** The digests of a merchant that await sending. */
const readMails = async (mid: number): Promise<Mail[]> => {
  const shards = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) => readDue(iso(now), shard, undefined)),
  );
  const ids = shards.flatMap(({ rows }) => rows).flatMap(({ entity, id }) => (entity === 'MAIL' ? [String(id)] : []));
  const items = await Promise.all(ids.map((id) => getItem(keys.mail(id))));
  const mails = items.flatMap((item) => (item ? [fromMailItem(item)] : []));
  return mails.filter((mail) => mail.mid === mid && mail.kind === 'alert_digest');
};
const fireAt = async (time: string, username: string) => {
  now = Date.parse(time);
  return tell({ digestOf: username, isFiring: true });
};

describe('the time of a digest', () => {
  it.each([
    ['2026-05-02T10:00:00Z', 'Europe/Berlin', '2026-05-03T06:00:00.000Z'],
    ['2026-05-02T05:59:59Z', 'Europe/Berlin', '2026-05-02T06:00:00.000Z'],
    ['2026-05-02T06:00:00Z', 'Europe/Berlin', '2026-05-03T06:00:00.000Z'],
    ['2026-05-02T10:00:00Z', null, '2026-05-03T08:00:00.000Z'],
    ['2026-05-02T10:00:00Z', 'America/New_York', '2026-05-02T12:00:00.000Z'],
    ['2026-05-02T10:00:00Z', 'Asia/Kolkata', '2026-05-03T02:30:00.000Z'],
    ['2026-05-02T10:00:00Z', 'Pacific/Kiritimati', '2026-05-02T18:00:00.000Z'],
    // The clocks go forward in the night before, and back.
    ['2026-03-28T12:00:00Z', 'Europe/Berlin', '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T12:00:00Z', 'Europe/Berlin', '2026-10-25T07:00:00.000Z'],
  ])('after %s in %s is eight o’clock there: %s', (after, zone, at) => {
    expect(nextDigestAt(after, zone)).toBe(at);
  });

  it('is always one step ahead, every day of two years, in zones of all kinds', () => {
    for (const zone of [
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Africa/Casablanca',
    ]) {
      let at = '2026-01-01T00:00:00.000Z';
      for (let day = 0; day < 730; day += 1) {
        const next = nextDigestAt(at, zone);
        const hours = (Date.parse(next) - Date.parse(at)) / 3_600_000;
        expect(hours > 0 && hours <= 25, `${zone} ${at}`).toBe(true);
        expect(
          new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(
            new Date(next),
          ),
        ).toBe('08:00');
        at = next;
      }
    }
  });
});

describe('a daily digest', () => {
  it('is due at eight in the zone that the user chose, and has a schedule for that time', async () => {
    const { username, choose } = await withDigest();
    expect(await readDigest(username)).toMatchObject({ nextAt: '2026-05-03T06:00:00.000Z' });
    expect(await tell({ digestOf: username })).toBe(0);
    expect([...schedules.values()]).toMatchObject([
      {
        ScheduleExpression: 'at(2026-05-03T06:00:00)',
        Target: { Input: JSON.stringify({ digestOf: username, isFiring: true }) },
      },
    ]);
    await choose({ time_zone: 'America/New_York' });
    expect(await readDigest(username)).toMatchObject({ nextAt: '2026-05-02T12:00:00.000Z' });
  });

  it('lists open alerts by deadline and what was decided since the last, with links', async () => {
    const { mid, sid, as, username, email, receive } = await withDigest();
    now += 3_600_000;
    const [first, second, third] = [await receive('1.00'), await receive('2.00'), await receive('3.00')];
    const body = { sid, status: 'DECLINED', reason_code: '902.002' };
    await ask('alerts/answer-alert', { as, params: { alert_id: second }, body });
    expect(await fireAt('2026-05-03T06:00:00Z', username)).toBe(0);
    const [mail, ...others] = await readMails(mid);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: [email], letter: { subject: 'Your alerts today: 2 open alerts, 1 decided' } });
    const { text, html } = letterText(mail?.letter, 'Europe/Berlin');
    const links = [...text.matchAll(/#\/alerts\/(\d+)/g)].map(([, id]) => Number(id));
    expect(links).toEqual([first, third, second]);
    expect(text).toMatch(
      /To answer:\n- 1\.00 USD, Cardholder denies purchase, .+, answer by 3 May 2026, 12:00 CEST \(4 h left\)/,
    );
    expect(text).toMatch(/Decided since the last e-mail:\n- 2\.00 USD, .*, declined/);
    for (const id of links) expect(html).toContain(`href="https://forewarn.example/dashboard#/alerts/${id}"`);
  });

  it('is sent once, however often its messages and sweeps are repeated or run at the same time', async () => {
    const { mid, username, receive } = await withDigest();
    await receive();
    now = Date.parse('2026-05-03T06:00:00Z');
    const message = { digestOf: username, isFiring: true };
    expect(await tell(message, message, message)).toBe(0);
    await Promise.all(Array.from({ length: 5 }, () => tell(message, { digestOf: username })));
    expect(await readMails(mid)).toHaveLength(1);
    expect(await readDigest(username)).toMatchObject({ nextAt: '2026-05-04T06:00:00.000Z' });
    await fireAt('2026-05-04T05:59:30Z', username);
    expect(await readMails(mid)).toHaveLength(2);
    expect(await fireAt('2026-05-04T06:00:10Z', username)).toBe(0);
    expect(await readMails(mid)).toHaveLength(2);
  });

  it('is sent once when the process is killed before or after the write, and when the schedule was lost', async () => {
    const { mid, username, receive } = await withDigest();
    await receive();
    now = Date.parse('2026-05-03T06:00:00Z');
    // Killed before: nothing is written, and the message comes again.
    beforeTransactions(() => Promise.reject(new Error('killed')));
    expect(await tell({ digestOf: username, isFiring: true })).toBe(1);
    beforeTransactions();
    expect(await readMails(mid)).toHaveLength(0);
    // Killed after: the schedule of the next day is not there yet, and the message comes again.
    expect(await keepDigest(username, true)).toBe('2026-05-04T06:00:00.000Z');
    expect(schedules.size).toBe(0);
    expect(await tell({ digestOf: username, isFiring: true })).toBe(0);
    expect(await readMails(mid)).toHaveLength(1);
    // The schedule and all messages are lost: the sweep before the next one makes another, and the sweep after it sends it.
    schedules.clear();
    const sweptAt = async (slot: string) => {
      now = Math.max(now, Date.parse(slot));
      const shards = await Promise.all(
        Array.from({ length: dueShards }, (_, shard) => readDue(slot, shard, undefined)),
      );
      const messages = shards.flatMap(({ rows }) => rows.map((row) => dueMessage(row, slot)));
      const own = messages.map(({ body }) => body).filter((body) => 'digestOf' in body && body.digestOf === username);
      expect(await tell(...own)).toBe(0);
      return own.length;
    };
    expect(await sweptAt('2026-05-03T12:00:00.000Z')).toBe(0);
    expect(await sweptAt('2026-05-04T00:00:00.000Z')).toBe(1);
    expect([...schedules.values()]).toMatchObject([{ ScheduleExpression: 'at(2026-05-04T06:00:00)' }]);
    expect(await readMails(mid)).toHaveLength(1);
    expect(await sweptAt('2026-05-04T12:00:00.000Z')).toBe(1);
    expect(await readMails(mid)).toHaveLength(2);
  });

  it('is not sent where there is nothing to read, nor to users who may no longer sign in, and goes on the next day', async () => {
    const { mid, username, receive } = await withDigest();
    await fireAt('2026-05-03T06:00:00Z', username);
    expect(await readMails(mid)).toEqual([]);
    await receive();
    const user = await findUser(username);
    if (!user) throw new Error('There is no user');
    const disabled = await changeUser(user, { ...user, disabled: true });
    await fireAt('2026-05-04T06:00:00Z', username);
    expect(await readMails(mid)).toEqual([]);
    await changeUser(disabled, { ...disabled, disabled: false });
    await fireAt('2026-05-05T06:00:00Z', username);
    expect(await readMails(mid)).toHaveLength(1);
  });

  it('ends when the user chooses single e-mails again', async () => {
    const { mid, username, receive, choose } = await withDigest();
    await receive();
    await choose({ alert_emails: 'each' });
    expect(await readDigest(username)).toBeUndefined();
    await fireAt('2026-05-03T06:00:00Z', username);
    expect(await readMails(mid)).toEqual([]);
  });

  it('has nothing of another merchant', async () => {
    const { mid, username, receive } = await withDigest();
    const other = await withDigest();
    const [own, foreign] = [await receive(), await other.receive()];
    await fireAt('2026-05-03T06:00:00Z', username);
    const [mail] = await readMails(mid);
    const { text } = letterText(mail?.letter);
    expect(text).toContain(String(own));
    expect(text).not.toContain(String(foreign));
  });
});
