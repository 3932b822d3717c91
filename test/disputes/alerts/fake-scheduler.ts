import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach } from 'vitest';

/**
 * EventBridge Scheduler as it behaves: one schedule per name. Creating it twice, and changing or deleting one that does not exist, are errors.
 * To be called where a suite begins; it has no schedules before each test.
 */
export const useScheduler = () => {
  const schedules = new Map<string, CreateScheduleCommandInput>();
  const scheduler = mockClient(SchedulerClient);
  const details = { $metadata: {}, Message: '', message: '' };
  beforeEach(() => {
    schedules.clear();
    scheduler.reset();
    scheduler.on(CreateScheduleCommand).callsFake((input: CreateScheduleCommandInput) => {
      if (schedules.has(input.Name ?? '')) throw new ConflictException(details);
      schedules.set(input.Name ?? '', input);
    });
    scheduler.on(UpdateScheduleCommand).callsFake((input: CreateScheduleCommandInput) => {
      if (!schedules.has(input.Name ?? '')) throw new ResourceNotFoundException(details);
      schedules.set(input.Name ?? '', input);
    });
    scheduler.on(DeleteScheduleCommand).callsFake(({ Name }: { Name: string }) => {
      if (!schedules.delete(Name)) throw new ResourceNotFoundException(details);
    });
  });
  return { schedules, scheduler };
};
