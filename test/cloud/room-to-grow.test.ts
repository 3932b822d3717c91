import { describe, expect, it } from 'vitest';
import type { Operation } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import { listRoutes } from '#lib/cloud/api-definition.ts';
import { at, synthesize, toList } from './synthesized.ts';

/**
 * CloudFormation's limits for one template.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
 */
const limits = { resources: 500, bytes: 1_000_000, parameters: 200, outputs: 200 } as const;
/** The share of them that may be used, with twice the present operations. */
const share = 0.7;
/** IAM: all inline policies of a role together, without white space. */
const policyLimit = 10_240;
/** CloudWatch: alarms in one widget, metrics in one graph. */
const widgetLimits = { alarms: 100, metrics: 500 } as const;
/** API Gateway: nodes of the path tree, by default; Service Quotas raises it. */
const nodeQuota = 300;

/** Every operation twice: the same grants, another name, a route of its own. */
const twice = operations.flatMap((operation): Operation[] => {
  const { aliases = [], ...one } = operation;
  const twin = { ...one, name: `${one.name}-twin`, path: `/twin${one.path}` as const };
  return [operation, { ...twin, aliases: aliases.map((alias) => `/twin${alias}` as const) }];
});
/** With all that a stage can have. */
const context = { stage: 'dev', allowSandbox: 'true', operationsEmail: 'ops@shop.example', reservedConcurrency: '10' };
const { templates, ofType, only } = synthesize({ operations: twice, context });

describe('twice the operations', () => {
  it('are all there', () => {
    expect(twice.length).toBe(2 * operations.length);
    const names = new Set(ofType('AWS::Lambda::Function').map(({ properties }) => properties['FunctionName']));
    expect(twice.filter(({ area, name }) => !names.has(`forewarn-dev-${area}_${name}`))).toEqual([]);
    const paths = at(only('AWS::ApiGateway::RestApi').properties['Body'], 'paths');
    expect(listRoutes(twice).filter(({ path }) => at(paths, path) === undefined)).toEqual([]);
  });

  it.each(templates)('leave room in $name', ({ resources, bytes, parameters, outputs }) => {
    expect(resources).toBeLessThanOrEqual(share * limits.resources);
    expect(bytes).toBeLessThanOrEqual(share * limits.bytes);
    expect(parameters).toBeLessThanOrEqual(share * limits.parameters);
    expect(outputs).toBeLessThanOrEqual(share * limits.outputs);
  });

  it('leave the main stack as large as it is, but for its routes', () => {
    const [main] = templates;
    const [today] = synthesize({ context }).templates;
    expect(main?.resources).toBe(today?.resources);
    expect(main?.parameters).toBe(today?.parameters);
    expect(main?.outputs).toBe(today?.outputs);
  });

  it('have a role each, whose policy IAM takes', () => {
    const functions = ofType('AWS::Lambda::Function');
    const roles = new Set(functions.map(({ properties }) => JSON.stringify(properties['Role'])));
    expect(roles.size).toBe(functions.length);
    const sizes = ofType('AWS::IAM::Role').map(({ properties }) =>
      toList(properties['Policies'])
        .map((policy) => JSON.stringify(at(policy, 'PolicyDocument')).length)
        .reduce((sum, one) => sum + one, 0),
    );
    expect(Math.max(...sizes)).toBeLessThan(policyLimit);
  });
});

it('shows no more alarms and metrics than a widget of the dashboard takes', () => {
  const text = JSON.stringify(at(only('AWS::CloudWatch::Dashboard').properties['DashboardBody'], 'Fn::Join', 1));
  const alarms = text.split('"type\\":\\"alarm').slice(1);
  expect(alarms.length).toBeGreaterThan(0);
  const shown = alarms.map((widget) => [...widget.matchAll(/:alarm:forewarn-dev\//g)].length);
  expect(shown.reduce((sum, one) => sum + one, 0)).toBe(
    ofType('AWS::CloudWatch::Alarm').filter(({ id }) => !id.includes('ReleaseAlarm')).length,
  );
  expect(Math.max(...shown)).toBeLessThanOrEqual(widgetLimits.alarms);
  const graphs = text.split('"metrics\\":[').slice(1);
  for (const graph of graphs) expect(graph.split('AWS/').length - 1).toBeLessThan(widgetLimits.metrics);
});

it("has a path tree that fits the gateway's quota; beyond it, the runbook has to say which quota to raise first", () => {
  const nodes = new Set(
    listRoutes(operations).flatMap(({ path }) => {
      const parts = path.split('/').slice(1);
      return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    }),
  );
  expect(nodes.size + 1).toBeLessThanOrEqual(nodeQuota);
});
