import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { clientSettings } from '../../core/aws.ts';
import { required } from '../../core/environment.ts';
import type { DeadlinePhase } from './deadline.ts';

const client = new SchedulerClient(clientSettings);

const nameOf = (alertId: number) => ({
  Name: `alert-${alertId}`,
  GroupName: required('SCHEDULE_GROUP_NAME'),
});

const scheduleOf = (alertId: number, phase: DeadlinePhase, at: string): CreateScheduleCommandInput => ({
  ...nameOf(alertId),
  ScheduleExpression: `at(${at.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)})`,
  ScheduleExpressionTimezone: 'UTC',
  FlexibleTimeWindow: { Mode: 'OFF' },
  ActionAfterCompletion: 'DELETE',
  Target: {
    Arn: required('DEADLINE_QUEUE_ARN'),
    RoleArn: required('SCHEDULE_ROLE_ARN'),
    Input: JSON.stringify({ alertId, phase }),
  },
});

/** Makes the alert's one schedule fire at a time (ISO, in the future), whether or not there is one. */
export const setSchedule = async (alertId: number, phase: DeadlinePhase, at: string): Promise<void> => {
  const schedule = scheduleOf(alertId, phase, at);
  try {
    await client.send(new CreateScheduleCommand(schedule));
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error;
    // If it fires and goes in just this moment, the message fails and comes again.
    await client.send(new UpdateScheduleCommand(schedule));
  }
};

/** Takes the alert's schedule away, if there is one. */
export const dropSchedule = async (alertId: number): Promise<void> => {
  try {
    await client.send(new DeleteScheduleCommand(nameOf(alertId)));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
};
