import { describe, expect, it } from 'vitest';
import { serviceStack } from '../cloud/synthesized.ts';
import { leaveOutTypes, unknownToMiniStack } from './leave-out-types.ts';

describe('a template for an emulator', () => {
  const metrics = { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics: [] } };
  const alias = {
    Type: 'AWS::Lambda::Alias',
    DependsOn: ['Group', 'Version'],
    UpdatePolicy: { CodeDeployLambdaAliasUpdate: { ApplicationName: { Ref: 'Application' } } },
  };

  it('lacks the unknown types, their places in DependsOn, and what only they have used', () => {
    const template = {
      Parameters: { used: { Type: 'String' }, unused: { Type: 'String' } },
      Resources: {
        Application: { Type: 'AWS::CodeDeploy::Application' },
        Group: { Type: 'AWS::CodeDeploy::DeploymentGroup', Properties: { Role: { Ref: 'unused' } } },
        Alias: alias,
        Alarm: metrics,
        Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { Ref: 'used' } } },
        Nested: {
          Type: 'AWS::CloudFormation::Stack',
          Properties: {
            TemplateURL: 'x',
            Parameters: { application: { Ref: 'Application' }, queue: { Ref: 'Queue' } },
          },
        },
      },
    };
    expect(leaveOutTypes(template, unknownToMiniStack)).toEqual({
      Parameters: { used: { Type: 'String' } },
      Resources: {
        Alias: { Type: 'AWS::Lambda::Alias', DependsOn: ['Version'] },
        Queue: template.Resources.Queue,
        Nested: {
          Type: 'AWS::CloudFormation::Stack',
          Properties: { TemplateURL: 'x', Parameters: { queue: { Ref: 'Queue' } } },
        },
      },
    });
  });

  it('is refused if what remains refers to something that is left out', () => {
    const output = { Type: 'AWS::SQS::Queue', Properties: { Name: { Ref: 'Application' } } };
    const resources = { Application: { Type: 'AWS::CodeDeploy::Application' }, Queue: output };
    expect(() => leaveOutTypes({ Resources: resources }, unknownToMiniStack)).toThrow('refers to Application');
  });

  it('leaves out nothing else of the stack', () => {
    const { resources } = serviceStack({});
    const all = Object.fromEntries(
      resources.map(({ id, type, properties }) => [id, { Type: type, Properties: properties }]),
    );
    const kept = leaveOutTypes({ Resources: all }, unknownToMiniStack).Resources ?? {};
    const gone = Object.entries(all).filter(([id]) => !(id in kept));
    const others = gone.filter(([, { Type }]) => !unknownToMiniStack.some((one) => one === Type));
    expect(gone.length).toBeGreaterThan(others.length);
    expect(others.map(([, { Type, Properties }]) => [Type, 'Metrics' in Properties])).toEqual(
      others.map(() => ['AWS::CloudWatch::Alarm', true]),
    );
  });
});
