import { Aws } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Names } from './names.ts';
import { createDeadLetters, findQueue, type ServiceQueues } from './queues.ts';
import type { Settings } from './settings.ts';

/** Where functions create one-time schedules, and the role under which those send to the deadline queue. */
export type Schedules = {
  sweepGroupName: string;
  deadlineGroupName: string;
  /** Absent unless alerts are fetched. */
  pullGroupName?: string;
  deadlineRoleArn: string;
  /** The queue of what a schedule could not deliver. */
  deadLetters: Queue;
};

/** The recurring sweep, the fetching of alerts if that is wanted, and the group for the deadlines of alerts. */
export const createSchedules = (
  scope: Construct,
  names: Names,
  key: IKey,
  queues: ServiceQueues,
  { providerAPull }: Pick<Settings, 'providerAPull'>,
): Schedules => {
  const deadLetters = createDeadLetters(scope, names, key, 'schedule');
  const [sweep, deadline] = [findQueue(queues, 'sweep').queue, findQueue(queues, 'deadline').queue];
  const sweepRole = senderRole(scope, 'SweepScheduleRole', names, 'sweep', [sweep, deadLetters], key);
  const group = new CfnScheduleGroup(scope, 'SweepScheduleGroup', { name: names.of('sweep') });
  new CfnSchedule(scope, 'SweepSchedule', {
    name: names.of('sweep'),
    groupName: group.ref,
    description: 'Takes up every delivery that is still owed, at 00:00 and 12:00 UTC',
    scheduleExpression: 'cron(0 0/12 * * ? *)',
    scheduleExpressionTimezone: 'UTC',
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      arn: sweep.queueArn,
      roleArn: sweepRole.roleArn,
      // The schedule's own time: a late message still names the slot it stands for.
      input: '{"slot":"<aws.scheduler.scheduled-time>"}',
      retryPolicy: { maximumEventAgeInSeconds: 6 * 3600, maximumRetryAttempts: 185 },
      deadLetterConfig: { arn: deadLetters.queueArn },
    },
  });
  const deadlines = new CfnScheduleGroup(scope, 'DeadlineScheduleGroup', { name: names.of('deadlines') });
  const deadlineRole = senderRole(scope, 'DeadlineScheduleRole', names, 'deadlines', [deadline], key);
  return {
    sweepGroupName: group.ref,
    deadlineGroupName: deadlines.ref,
    ...(providerAPull && { pullGroupName: createPullSchedule(scope, names, key, queues).ref }),
    deadlineRoleArn: deadlineRole.roleArn,
    deadLetters,
  };
};

/** Fetches alerts each minute. A minute that could not be sent is skipped: the next one fetches the same alerts. */
const createPullSchedule = (scope: Construct, names: Names, key: IKey, queues: ServiceQueues): CfnScheduleGroup => {
  const { queue } = findQueue(queues, 'pull-a');
  const role = senderRole(scope, 'PullScheduleRole', names, 'pull', [queue], key);
  const group = new CfnScheduleGroup(scope, 'PullScheduleGroup', { name: names.of('pull') });
  new CfnSchedule(scope, 'PullSchedule', {
    name: names.of('pull'),
    groupName: group.ref,
    description: 'Fetches alerts from provider_a, each minute',
    scheduleExpression: 'rate(1 minute)',
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      arn: queue.queueArn,
      roleArn: role.roleArn,
      input: '{"slot":"<aws.scheduler.scheduled-time>"}',
      retryPolicy: { maximumEventAgeInSeconds: 60, maximumRetryAttempts: 2 },
    },
  });
  return group;
};

/** Creates a role that only EventBridge Scheduler assumes, for the schedules of one group of this account. */
const senderRole = (
  scope: Construct,
  id: string,
  names: Names,
  group: string,
  queues: readonly IQueue[],
  key: IKey,
): Role =>
  new Role(scope, id, {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: {
        StringEquals: {
          'aws:SourceAccount': Aws.ACCOUNT_ID,
          'aws:SourceArn': `arn:${Aws.PARTITION}:scheduler:${Aws.REGION}:${Aws.ACCOUNT_ID}:schedule-group/${names.of(group)}`,
        },
      },
    }),
    inlinePolicies: {
      send: new PolicyDocument({
        statements: [
          new PolicyStatement({
            effect: Effect.ALLOW,
            actions: ['sqs:SendMessage'],
            resources: queues.map(({ queueArn }) => queueArn),
          }),
          new PolicyStatement({
            effect: Effect.ALLOW,
            actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
            resources: [key.keyArn],
            conditions: { StringEquals: { 'kms:ViaService': `sqs.${Aws.REGION}.amazonaws.com` } },
          }),
        ],
      }),
    },
  });
