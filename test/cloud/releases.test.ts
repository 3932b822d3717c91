import { describe, expect, it } from 'vitest';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { isGradual } from '#lib/cloud/live-alias.ts';
import { stageNames } from '#lib/cloud/names.ts';
import { at, type Resource, serviceStack, toList } from './synthesized.ts';

const { ofType, resources } = serviceStack({ allowSandbox: 'true' });
const names = stageNames('dev');
const functions = ofType('AWS::Lambda::Function');
const aliases = ofType('AWS::Lambda::Alias');
const declared: readonly (Operation | Worker)[] = [...operations, ...workers];
const gradual = declared.filter(isGradual);
const findAlias = (one: Operation | Worker): Resource => {
  const found = functions.find(({ properties }) => properties['FunctionName'] === names.functionOf(one));
  const alias = aliases.find(({ properties }) => at(properties, 'FunctionName', 'Ref') === found?.id);
  if (!alias) throw new Error(`${one.area}/${one.name} has no alias`);
  return alias;
};
const byId = (id: unknown): Resource | undefined => resources.find((one) => one.id === id);

describe('a release', () => {
  it('publishes a version of every function and points the alias live to it', () => {
    expect(aliases).toHaveLength(functions.length);
    for (const { properties } of aliases) {
      expect(properties['Name']).toBe('live');
      const version = byId(at(properties, 'FunctionVersion', 'Fn::GetAtt', 0));
      expect(version?.type).toBe('AWS::Lambda::Version');
      expect(version?.properties['FunctionName']).toEqual(properties['FunctionName']);
      // Kept after the next release, but deleted if its own fails: the same code could not be published again.
      expect(version?.deletionPolicy).toBe('RetainExceptOnCreate');
    }
  });

  it('feeds event sources through the alias, each of them', () => {
    const targets = ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) =>
      at(properties, 'FunctionName', 'Ref'),
    );
    expect(targets.map((id) => byId(id)?.type)).toEqual(targets.map(() => 'AWS::Lambda::Alias'));
  });

  it('moves traffic gradually for intake, payments, answers and the router, and for no other function', () => {
    const wanted = [
      ...operations.filter(({ auth }) => auth === 'provider').map(({ name }) => name),
      ...['router', 'singletx', 'sendauth', 'flagcapture', 'update-alert', 'answer-alert', 'processrefund'],
    ];
    expect(gradual.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted());
    expect(ofType('AWS::CodeDeploy::DeploymentGroup')).toHaveLength(wanted.length);
    expect(aliases.filter(({ updatePolicy }) => updatePolicy !== undefined)).toHaveLength(wanted.length);
  });

  it.each(gradual)('of $area/$name moves a tenth of the calls first, and back when its alarm is raised', (one) => {
    const { updatePolicy } = findAlias(one);
    const group = byId(at(updatePolicy, 'CodeDeployLambdaAliasUpdate', 'DeploymentGroupName', 'Ref'));
    expect(group?.properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']),
      },
      DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
    });
    const alarm = byId(at(group?.properties, 'AlarmConfiguration', 'Alarms', 0, 'Name', 'Ref'));
    expect(alarm?.properties).toMatchObject({
      AlarmName: `forewarn-dev/release-${one.name}`,
      Threshold: 5,
      ComparisonOperator: 'GreaterThanThreshold',
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    });
    const watched = JSON.stringify(alarm?.properties);
    expect(watched.includes('"InternalErrors"')).toBe(!('on' in one));
    expect(watched).toContain('"Errors"');
    const metrics = toList(at(alarm?.properties, 'Metrics')).flatMap(
      (metric) => at(metric, 'MetricStat', 'Metric') ?? [],
    );
    const versions = metrics.map((metric) =>
      toList(at(metric, 'Dimensions')).filter((own) => /Version$/.test(String(at(own, 'Name')))),
    );
    // Each metric is that of the new version alone.
    expect(versions.map((found) => found.length)).toEqual(metrics.map(() => 1));
  });

  it('moves all calls at once with --all-at-once', () => {
    const groups = serviceStack({ allAtOnce: 'true' }).ofType('AWS::CodeDeploy::DeploymentGroup');
    const configs = new Set(groups.map(({ properties }) => properties['DeploymentConfigName']));
    expect([...configs]).toEqual(['CodeDeployDefault.LambdaAllAtOnce']);
  });

  it('gives CodeDeploy a role for this account only', () => {
    const role = ofType('AWS::IAM::Role').find(({ id }) => id.startsWith('ReleasesRole'));
    expect(JSON.stringify(role?.properties['AssumeRolePolicyDocument'])).toContain(
      '{"StringEquals":{"aws:SourceAccount":{"Ref":"AWS::AccountId"}}}',
    );
  });
});
