import { Duration } from 'aws-cdk-lib';
import { Alarm, type IMetric, MathExpression, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { isEntrance } from './concurrency.ts';
import { idOf } from './names.ts';
import type { Resources } from './policy.ts';
import { liveAlias } from './releases.ts';
import { gatewayErrors, serviceMetric } from './service-metric.ts';

/** Functions, in addition to the entrances, in which a fault costs most: payments, answers and the router. */
const gradual: readonly string[] = [
  'transactions/singletx',
  'transactions/sendauth',
  'transactions/flagcapture',
  'alerts/update-alert',
  'alerts/answer-alert',
  'refunds/processrefund',
  'jobs/router',
];

/** Checks whether a release moves a tenth of a function's traffic to its new version first. */
export const isGradual = (declared: Operation | Worker): boolean =>
  isEntrance(declared) || gradual.includes(`${declared.area}/${declared.name}`);

/** Publishes a version of a function and points its alias to it, gradually where a fault costs most. */
export const createLiveAlias = (
  scope: Construct,
  declared: Operation | Worker,
  handler: LambdaFunction,
  resources: Resources,
): Alias => {
  const { names, releases, settings } = resources;
  const id = idOf(declared);
  const alias = handler.addAlias(liveAlias);
  if (!isGradual(declared)) return alias;
  const alarm = new Alarm(scope, `${id}ReleaseAlarm`, {
    alarmName: names.alarmOf(`release-${declared.name}`),
    alarmDescription: `${declared.area}/${declared.name} fails: CodeDeploy undoes a release that is in progress`,
    metric: failuresOf(declared, alias, resources),
    threshold: 1,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  new LambdaDeploymentGroup(scope, `${id}Release`, {
    application: releases.application,
    role: releases.role,
    alias,
    deploymentConfig: releases.config,
    // A release at once may fix the cause of its own alarm, and CodeDeploy would stop it because of that alarm.
    alarms: settings.allAtOnce ? [] : [alarm],
    autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: !settings.allAtOnce },
  });
  return alias;
};

const period = Duration.minutes(1);

/**
 * Invocations through the alias that ended in an error, and calls that were answered with 500. The authorizer throws for every wrong token, as the
 * gateway asks of it; what breaks in it are the gateway's 5xx.
 */
const failuresOf = (declared: Operation | Worker, alias: Alias, { names, settings }: Resources): IMetric => {
  const statistic = Stats.SUM;
  const errors = alias.metricErrors({ statistic, period });
  if ('on' in declared) return 'authorizer' in declared.on ? gatewayErrors(names, settings, period) : errors;
  const Operation = `${declared.area}/${declared.name}`;
  const internal = serviceMetric(settings.stage, 'InternalErrors', statistic, period, { Operation });
  return new MathExpression({
    expression: 'FILL(errors, 0) + FILL(internal, 0)',
    usingMetrics: { errors, internal },
    label: Operation,
    period,
  });
};
