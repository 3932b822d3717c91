import { Aws } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Names } from './names.ts';
import { createDeadLetters, queueOf, type ServiceQueues } from './queues.ts';

/** Where functions create one-time schedules, and the role under which those send to the deadline queue. */
export type Schedules = {
  sweepGroupName: string;
  deadlineGroupName: string;
  deadlineRoleArn: string;
  /** The queue of what a schedule could not deliver. */
  deadLetters: Queue;
};

/** The recurring sweep, and the group for the deadlines of alerts. */
export const createSchedules = (scope: Construct, names: Names, key: IKey, queues: ServiceQueues): Schedules => {
  const deadLetters = createDeadLetters(scope, names, key, 'schedule');
  const [sweep, deadline] = [queueOf(queues, 'sweep').queue, queueOf(queues, 'deadline').queue];
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
    deadlineRoleArn: deadlineRole.roleArn,
    deadLetters,
  };
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
