import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { requireVariable } from '#core/platform/operation/environment.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { clientSettings } from '#core/platform/table/aws.ts';
import { type DeadlinePhase, deadlinePhases } from './deadline.ts';

const client = new SchedulerClient(clientSettings);

/**
 * The phase is part of the name: after a schedule fires, Scheduler deletes it as completed, and would also delete a new one that
 * the message has made under the same name by then.
 */
const timerName = (alertId: number, phase: DeadlinePhase) => ({
  Name: `alert-${alertId}-${phase}`,
  GroupName: requireVariable('SCHEDULE_GROUP_NAME'),
});

/** One for each time: its name must not be that of one that has fired and is about to be deleted. */
const digestName = (username: string, at: string) => ({
  Name: `digest-${sha256(username).slice(0, 32)}-${Date.parse(at) / milliseconds.minute}`,
  GroupName: requireVariable('SCHEDULE_GROUP_NAME'),
});

const wakeUpName = (chargebackId: string, at: string) => ({
  Name: `chargeback-${chargebackId}-${Date.parse(at) / milliseconds.second}`,
  GroupName: requireVariable('SCHEDULE_GROUP_NAME'),
});

type Named = ReturnType<typeof timerName>;

const scheduleAt = (named: Named, at: string, input: object): CreateScheduleCommandInput => ({
  ...named,
  ScheduleExpression: `at(${at.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)})`,
  ScheduleExpressionTimezone: 'UTC',
  FlexibleTimeWindow: { Mode: 'OFF' },
  ActionAfterCompletion: 'DELETE',
  Target: {
    Arn: requireVariable('DEADLINE_QUEUE_ARN'),
    RoleArn: requireVariable('SCHEDULE_ROLE_ARN'),
    Input: JSON.stringify(input),
  },
});

/** Makes the alert's schedule of a phase fire at a time (ISO, in the future), whether or not there is one. */
export const setSchedule = (alertId: number, phase: DeadlinePhase, at: string): Promise<void> =>
  keepSchedule(scheduleAt(timerName(alertId, phase), at, { alertId, phase }));

/** Makes a user's digest be sent at a time (ISO, in the future). Schedules of other times find nothing to do. */
export const setDigestSchedule = (username: string, at: string): Promise<void> =>
  keepSchedule(scheduleAt(digestName(username, at), at, { digestOf: username, isFiring: true }));

/** Makes a chargeback's rules be evaluated at a time (ISO, in the future). Schedules of other times find nothing to do. */
export const setWakeUpSchedule = (chargebackId: string, at: string): Promise<void> =>
  keepSchedule(scheduleAt(wakeUpName(chargebackId, at), at, { chargebackId, wakeAt: at, isFiring: true }));

const keepSchedule = async (schedule: CreateScheduleCommandInput): Promise<void> => {
  try {
    await client.send(new CreateScheduleCommand(schedule));
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error;
    await changeSchedule(schedule);
  }
};

/** A schedule that fires, or is dropped, and so is deleted at just this moment, is recreated by the next delivery of the message. */
const changeSchedule = async (schedule: CreateScheduleCommandInput): Promise<void> => {
  try {
    await client.send(new UpdateScheduleCommand(schedule));
  } catch (error) {
    if (error instanceof ResourceNotFoundException)
      throw new RetryLaterError(`Schedule ${schedule.Name} has just ended`);
    throw error;
  }
};

/** Deletes the alert's schedules, if there are any. */
export const dropSchedules = async (alertId: number): Promise<void> => {
  await Promise.all(deadlinePhases.map((phase) => dropSchedule(alertId, phase)));
};

const dropSchedule = async (alertId: number, phase: DeadlinePhase): Promise<void> => {
  try {
    await client.send(new DeleteScheduleCommand(timerName(alertId, phase)));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
};
