import { ConflictException, CreateScheduleCommand } from '@aws-sdk/client-scheduler';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { iso, milliseconds, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import type { Mail } from '#core/platform/mail/mail.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { dueShards } from '#core/platform/work/due.ts';
import { handler } from '#disputes/alerts/jobs/deadline/handler.ts';
import { dueMessage } from '#jobs/due-routing.ts';
import { readDue } from '#jobs/due-store.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { useScheduler } from './fake-scheduler.ts';
import { settings } from './samples.ts';
import { alertAt, deliveriesAt, formFields, fresh, makeRcode, seedClaims, seedSite, take } from './seed.ts';

useOperations();

const { schedules, scheduler } = useScheduler();
const received = Date.parse('2026-05-02T10:00:00.250Z');
let now = received;

beforeEach(() => {
  now = received;
  setClock(() => now);
});
afterEach(() => setClock());

const tell = async (...messages: object[]): Promise<number> => {
  const Records = messages.map((message, index) => ({ messageId: String(index), body: JSON.stringify(message) }));
  // The handler reads no more of a record than these two.
  const { batchItemFailures } = await handler({ Records } as SQSEvent);
  return batchItemFailures.length;
};
/** The alert's one schedule. */
const findSchedule = (alertId: number) => {
  const [first, ...others] = [...schedules.values()].filter(({ Name }) => Name?.startsWith(`alert-${alertId}-`));
  expect(others).toEqual([]);
  return first;
};
/**
 * Fires the alert's schedule as Scheduler does: the clock is at its time, its message is there, and only some time later
 * whatever then has its name is deleted as completed.
 */
const fire = async (alertId: number): Promise<void> => {
  const { Name = '', ScheduleExpression = '', Target } = findSchedule(alertId) ?? {};
  now = Date.parse(`${ScheduleExpression.slice(3, -1)}Z`);
  expect(await tell(JSON.parse(Target?.Input ?? '{}'))).toBe(0);
  schedules.delete(Name);
};

/** Sweeps as at a slot and works off what it finds of deadlines; answers which alerts those are. */
const sweepAt = async (slot: string): Promise<number[]> => {
  now = Math.max(now, Date.parse(slot));
  const shards = await Promise.all(Array.from({ length: dueShards }, (_, shard) => readDue(slot, shard, undefined)));
  const found = shards.flatMap(({ rows }) => rows).filter((row) => dueMessage(row, slot).queue === 'deadline');
  const messages = found.map((row) => dueMessage(row, slot).body);
  expect(await tell(...messages)).toBe(0);
  return found.map(({ id }) => Number(id));
};

const withAlert = async (alert = settings({ deadline_warning: true }), change: Record<string, unknown> = {}) => {
  const site = await seedSite({ alert });
  await seedClaims('provider_a', 'EXACT', `SHOP ${site.sid}`, site);
  const sent = { alertId: `A${fresh()}`, arn: null, authCode: null, merchantDescriptor: `SHOP ${site.sid}`, ...change };
  return { site, alertId: (await take('provider_a', sent)).alert_id };
};
const warnings = async (alertId: number) =>
  (await deliveriesAt(alertId)).filter(({ kind }) => kind === 'alert_deadline');
const resolve = (alertId: number, sid: number) =>
  ask('alerts/update-alert', {
    as: 'nobody',
    body: { alert_id: alertId, status: 'RESOLVED', reason_code: '100.001' },
    headers: { rcode: makeRcode(sid) },
  });

/** Returns the e-mails about deadlines that are due to a site. */
const readMails = async (sid: number): Promise<Mail[]> => {
  const shards = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) => readDue(iso(now), shard, undefined)),
  );
  const ids = shards.flatMap(({ rows }) => rows).flatMap(({ entity, id }) => (entity === 'MAIL' ? [String(id)] : []));
  const items = await Promise.all(ids.map((id) => getItem(keys.mail(id))));
  const mails = items.flatMap((item) => (item ? [fromMailItem(item)] : []));
  return mails.filter((mail) => mail.sid === sid && mail.kind === 'alert_deadline');
};

describe("an open alert's deadline", () => {
  it('is reported by e-mail to the alert recipients when it is near and when it has passed', async () => {
    const [told, silent] = [await withAlert(settings()), await withAlert(settings({ alert_triggeremail: false }))];
    for (const { alertId } of [told, silent]) await tell({ alertId });
    for (const { alertId } of [told, silent]) await fire(alertId);
    expect((await readMails(told.site.sid)).map(({ letter }) => letter?.subject)).toEqual([
      'Answer due soon: 361.56 USD, Cardholder denies purchase',
    ]);
    expect(await warnings(told.alertId)).toEqual([]);
    for (const { alertId } of [told, silent]) await fire(alertId);
    for (const { alertId } of [told, silent]) await tell({ alertId });
    const subjects = (await readMails(told.site.sid)).map(({ letter }) => letter?.subject);
    expect(subjects.sort()).toEqual([
      'Answer due soon: 361.56 USD, Cardholder denies purchase',
      'Deadline passed: 361.56 USD, Cardholder denies purchase',
    ]);
    expect(await readMails(silent.site.sid)).toEqual([]);
  });

  it('has one schedule, for the warning first', async () => {
    const { alertId } = await withAlert();
    await tell({ alertId });
    await tell({ alertId }, { alertId });
    expect([...schedules.keys()]).toEqual([`alert-${alertId}-warn`]);
    expect(findSchedule(alertId)).toMatchObject({
      GroupName: 'alerts',
      ScheduleExpression: 'at(2026-05-03T04:00:00)',
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: {
        Arn: process.env['DEADLINE_QUEUE_ARN'],
        RoleArn: process.env['SCHEDULE_ROLE_ARN'],
        Input: JSON.stringify({ alertId, phase: 'warn' }),
      },
    });
  });

  it('is warned of, then passes, each once and told in the history', async () => {
    const { alertId, site } = await withAlert();
    await tell({ alertId });
    await fire(alertId);
    expect(await warnings(alertId)).toMatchObject([{ state: 'PENDING', sid: site.sid }]);
    expect(formFields((await warnings(alertId))[0]?.body)).toMatchObject({
      action: 'alert_deadline',
      deadline: '2026-05-03T10:00:00.000Z',
    });
    expect(findSchedule(alertId)).toMatchObject({ ScheduleExpression: 'at(2026-05-03T10:00:00)' });
    expect(await alertAt(alertId)).toMatchObject({ deadlinePassed: false });
    await fire(alertId);
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN', deadlinePassed: true });
    expect(await getItem(keys.alert(alertId))).not.toHaveProperty('dueSk');
    expect((await getItem(keys.alert(alertId)))?.['summary']).toMatchObject({ deadline_passed: true });
    expect(schedules.size).toBe(0);
    expect(await resolve(alertId, site.sid)).toMatchObject({ status: 200 });
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', late: true, deadlinePassed: true });
  });

  it('is warned of only where the site opted in', async () => {
    const { alertId } = await withAlert(settings());
    await tell({ alertId });
    await fire(alertId);
    expect(await warnings(alertId)).toEqual([]);
    expect(findSchedule(alertId)).toMatchObject({ ScheduleExpression: 'at(2026-05-03T10:00:00)' });
  });

  it('is warned of once and passes once however often, and side by side, messages come', async () => {
    const { alertId } = await withAlert();
    now = received + 19 * milliseconds.hour;
    const doubled = Array.from({ length: 5 }, () => ({ alertId, phase: 'warn' }));
    await tell(...doubled);
    await tell(...doubled, { alertId });
    expect(await warnings(alertId)).toHaveLength(1);
    now = received + 25 * milliseconds.hour;
    await tell(...doubled, { alertId, phase: 'pass' }, { alertId, phase: 'pass' });
    const { version } = await alertAt(alertId);
    await tell({ alertId, phase: 'pass' }, { alertId });
    expect(await alertAt(alertId)).toMatchObject({ version, deadlinePassed: true });
    expect(await warnings(alertId)).toHaveLength(1);
  });

  it('passes without a warning when all messages were lost until then', async () => {
    const { alertId } = await withAlert();
    now = received + 26 * milliseconds.hour;
    await tell({ alertId });
    expect(await alertAt(alertId)).toMatchObject({ deadlinePassed: true, warnedAt: null });
    expect(await warnings(alertId)).toEqual([]);
    expect(schedules.size).toBe(0);
  });

  it.each([
    ['no message ever came', async () => undefined],
    [
      'its schedule was lost',
      async (alertId: number) => {
        await tell({ alertId });
        schedules.clear();
      },
    ],
  ])('is warned of in time by way of the sweep before, when %s', async (_, begin) => {
    const { alertId } = await withAlert();
    await begin(alertId);
    expect(await sweepAt('2026-05-02T12:00:00.000Z')).not.toContain(alertId);
    expect(await sweepAt('2026-05-03T00:00:00.000Z')).toContain(alertId);
    expect(await warnings(alertId)).toEqual([]);
    await fire(alertId);
    expect(new Date(now).toISOString()).toBe('2026-05-03T04:00:00.000Z');
    expect(await warnings(alertId)).toHaveLength(1);
    // The deadline itself is left.
    expect(await sweepAt('2026-05-03T00:00:00.000Z')).not.toContain(alertId);
    expect(await sweepAt('2026-05-03T12:00:00.000Z')).toContain(alertId);
    expect(await alertAt(alertId)).toMatchObject({ deadlinePassed: true });
  });

  it('is warned of by the sweep itself, when its schedule was lost later and the time has come', async () => {
    now = Date.parse('2026-05-02T03:00:00.000Z');
    const { alertId } = await withAlert();
    await sweepAt('2026-05-02T12:00:00.000Z');
    schedules.clear();
    await sweepAt('2026-05-03T00:00:00.000Z');
    expect(await warnings(alertId)).toMatchObject([{ createdAt: '2026-05-03T00:00:00.000Z' }]);
    expect(findSchedule(alertId)).toMatchObject({ ScheduleExpression: 'at(2026-05-03T03:00:00)' });
  });

  it('is never scheduled for the past, nor over and over by a message that comes early', async () => {
    const { alertId } = await withAlert();
    now = received + 18 * milliseconds.hour - 30_000;
    await tell({ alertId, phase: 'warn' });
    expect(await warnings(alertId)).toHaveLength(1);
    for (const { args } of scheduler.commandCalls(CreateScheduleCommand)) {
      const at = Date.parse(`${args[0].input.ScheduleExpression?.slice(3, -1)}Z`);
      expect(at).toBeGreaterThan(nowMilliseconds());
    }
  });

  it('has no schedule any more once there is an outcome', async () => {
    const { alertId, site } = await withAlert();
    await tell({ alertId });
    await resolve(alertId, site.sid);
    expect(await tell({ alertId }, { alertId })).toBe(0);
    expect(schedules.size).toBe(0);
    now = received + 25 * milliseconds.hour;
    await tell({ alertId, phase: 'pass' });
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', deadlinePassed: false });
  });

  it('does not exist for an informational alert: Scheduler is not asked', async () => {
    const { alertId } = await withAlert(settings(), { type: 'FRAUD_NOTICE' });
    expect(await tell({ alertId }, { alertId: 77 })).toBe(0);
    expect(scheduler.calls()).toHaveLength(0);
  });

  it('is retried without an alarm if its schedule ends between being found and being changed', async () => {
    const { alertId } = await withAlert();
    scheduler.on(CreateScheduleCommand).rejectsOnce(new ConflictException({ $metadata: {}, Message: '', message: '' }));
    const lines: string[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => Boolean(lines.push(String(line))));
    const failed = await tell({ alertId });
    spy.mockRestore();
    expect(failed).toBe(1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'info', event: 'message_comes_again' }]);
  });

  it('is retried if Scheduler fails, without delaying other messages', async () => {
    const [one, other] = [await withAlert(), await withAlert()];
    scheduler.on(CreateScheduleCommand, { Name: `alert-${one.alertId}-warn` }).rejects(new Error('throttled'));
    expect(await tell({ alertId: one.alertId }, { alertId: other.alertId })).toBe(1);
    expect(findSchedule(other.alertId)).toBeDefined();
  });
});
