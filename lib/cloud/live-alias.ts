import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { isEntrance } from './concurrency.ts';
import { constructId } from './names.ts';
import type { Resources } from './policy.ts';
import { liveAlias } from './releases.ts';
import { serviceMetric } from './service-metric.ts';

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

/** The gateway calls the authorizer without its alias: see lib/cloud/api.ts. */
const isAuthorizer = (declared: Operation | Worker): boolean => 'on' in declared && 'authorizer' in declared.on;

/** Checks whether a release moves a tenth of a function's traffic to its new version first. */
export const isGradual = (declared: Operation | Worker): boolean =>
  (isEntrance(declared) && !isAuthorizer(declared)) || gradual.includes(`${declared.area}/${declared.name}`);

/** Publishes a version of a function and points its alias to it, gradually where a fault costs most. */
export const createLiveAlias = (
  scope: Construct,
  declared: Operation | Worker,
  handler: LambdaFunction,
  resources: Resources,
): Alias => {
  const { names, releases, settings } = resources;
  const id = constructId(declared);
  const alias = handler.addAlias(liveAlias);
  if (!isGradual(declared)) return alias;
  const alarm = new Alarm(scope, `${id}ReleaseAlarm`, {
    alarmName: names.alarmOf(`release-${declared.name}`),
    alarmDescription: `${declared.area}/${declared.name} fails: CodeDeploy undoes a release that is in progress`,
    metric: failureMetric(declared, handler, resources),
    threshold: highestShare,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
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
/** In percent of the calls of a minute. The old version, and faults of other functions, do not count. */
const highestShare = 5;

/**
 * The share of a new version's calls that failed: that ended in an error, or that it answered with 500.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
 */
const failureMetric = (declared: Operation | Worker, handler: LambdaFunction, { settings }: Resources): IMetric => {
  const statistic = Stats.SUM;
  const Version = handler.currentVersion.version;
  const dimensionsMap = {
    FunctionName: handler.functionName,
    Resource: `${handler.functionName}:${liveAlias}`,
    ExecutedVersion: Version,
  };
  const ofVersion = (metricName: string): IMetric =>
    new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, statistic, period });
  const Operation = `${declared.area}/${declared.name}`;
  const answered = serviceMetric(settings.stage, 'InternalErrors', statistic, period, { Operation, Version });
  const usingMetrics = { calls: ofVersion('Invocations'), errors: ofVersion('Errors') };
  const hasAnswers = !('on' in declared);
  return new MathExpression({
    expression: `100 * (FILL(errors, 0)${hasAnswers ? ' + FILL(answered, 0)' : ''}) / FILL(calls, 1)`,
    usingMetrics: { ...usingMetrics, ...(hasAnswers && { answered }) },
    label: Operation,
    period,
  });
};
