import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { optionalNumber, type Row, type State, text } from '../state.ts';
import { type NextTime, parseExpression } from './schedule-expression.ts';

const Arn = v.pipe(v.string(), v.minLength(1), v.maxLength(1600));
/** The name of a schedule, and of its group. */
export const ScheduleName = v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/));

/**
 * A schedule as EventBridge Scheduler's API and CloudFormation both spell it, as far as the local stack looks at it.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html
 */
export const ScheduleRequest = v.looseObject({
  ScheduleExpression: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  ScheduleExpressionTimezone: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(50)), 'UTC'),
  State: v.optional(v.picklist(['ENABLED', 'DISABLED']), 'ENABLED'),
  GroupName: v.optional(ScheduleName, 'default'),
  ActionAfterCompletion: v.optional(v.picklist(['NONE', 'DELETE']), 'NONE'),
  FlexibleTimeWindow: v.object({ Mode: v.picklist(['OFF', 'FLEXIBLE']) }),
  Target: v.looseObject({ Arn, RoleArn: Arn, Input: v.optional(v.pipe(v.string(), v.minLength(1)), '{}') }),
});

type Schedule = v.InferOutput<typeof ScheduleRequest> & { Name: string; CreationDate: number };

/** The message of a schedule: its target, and the text with the placeholders filled in. */
export type Firing = { name: string; at: number; targetArn: string; input: string };

export type Schedules = {
  get(group: string, name: string): Schedule | undefined;
  /** Creates or replaces. Returns false if the expression cannot be read. */
  put(name: string, request: v.InferOutput<typeof ScheduleRequest>): boolean;
  remove(group: string, name: string): boolean;
  removeAll(): void;
  /** When the next one is due; undefined if none is planned. */
  nextAt(): number | undefined;
  /** Sends the earliest one that is due and plans its next time, in one transaction. Returns undefined if none is due. */
  fireNext(): Firing | undefined;
};

const schema = `
  CREATE TABLE IF NOT EXISTS schedules (
    arn TEXT PRIMARY KEY, schedule TEXT NOT NULL, next_at INTEGER) STRICT;
  CREATE INDEX IF NOT EXISTS schedules_next ON schedules (next_at)`;

/** The time by which a one-time schedule may be in the past when it is created and still fire: they go by the minute. */
const graceMilliseconds = 60_000;

/** Opens the schedules where they were left: what fell due meanwhile is still due. */
export const openSchedules = (state: State, clock: Clock, send: (firing: Firing) => void): Schedules => {
  state.database.exec(schema);
  const sql = {
    get: state.database.prepare('SELECT * FROM schedules WHERE arn = ?'),
    put: state.database.prepare('INSERT OR REPLACE INTO schedules (arn, schedule, next_at) VALUES (?, ?, ?)'),
    plan: state.database.prepare('UPDATE schedules SET next_at = ? WHERE arn = ?'),
    remove: state.database.prepare('DELETE FROM schedules WHERE arn = ?'),
    removeAll: state.database.prepare('DELETE FROM schedules'),
    first: state.database.prepare('SELECT * FROM schedules WHERE next_at IS NOT NULL ORDER BY next_at, arn LIMIT 1'),
  };
  const fire = (row: Row, at: number): Firing => {
    const schedule = scheduleIn(row);
    const firing = toFiring(schedule, at);
    send(firing);
    const nextAt = nextTimeOf(schedule)?.(at);
    if (nextAt === undefined && schedule.ActionAfterCompletion === 'DELETE') sql.remove.run(text(row, 'arn'));
    else sql.plan.run(nextAt ?? null, text(row, 'arn'));
    return firing;
  };
  return {
    get: (group, name) => {
      const row = sql.get.get(toArn(group, name));
      return row && scheduleIn(row);
    },
    put: (name, request) => {
      const schedule: Schedule = { ...request, Name: name, CreationDate: Math.floor(clock.now() / 1000) };
      const next = nextTimeOf(schedule);
      if (!next) return false;
      const from = request.ScheduleExpression.startsWith('at(') ? clock.now() - graceMilliseconds : clock.now();
      const planned = request.State === 'ENABLED' ? next(from) : undefined;
      sql.put.run(toArn(request.GroupName, name), JSON.stringify(schedule), planned ?? null);
      return true;
    },
    remove: (group, name) => sql.remove.run(toArn(group, name)).changes > 0,
    removeAll: () => void sql.removeAll.run(),
    nextAt: () => optionalNumber(sql.first.get(), 'next_at'),
    fireNext: () =>
      state.together(() => {
        const row = sql.first.get();
        const at = optionalNumber(row, 'next_at');
        return row && at !== undefined && at <= clock.now() ? fire(row, at) : undefined;
      }),
  };
};

const toArn = (group: string, name: string): string => `arn:aws:scheduler:local:000000000000:schedule/${group}/${name}`;

const scheduleIn = (row: Row): Schedule => JSON.parse(text(row, 'schedule'));

const nextTimeOf = (schedule: Schedule): NextTime | undefined =>
  parseExpression(schedule.ScheduleExpression, schedule.ScheduleExpressionTimezone, schedule.CreationDate * 1000);

/** The scheduler's own words in an input. @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html */
const toFiring = ({ Name, GroupName, Target }: Schedule, at: number): Firing => {
  const words: Readonly<Record<string, string>> = {
    'scheduled-time': new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
    'schedule-arn': toArn(GroupName, Name),
    'execution-id': randomUUID(),
    'attempt-number': '1',
  };
  const input = Target.Input.replace(/<aws\.scheduler\.([a-z-]+)>/g, (whole, word: string) => words[word] ?? whole);
  return { name: Name, at, targetArn: Target.Arn, input };
};
