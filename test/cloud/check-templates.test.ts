import { readFileSync } from 'node:fs';
import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { checkApiImport, countApiResources } from '#lib/cloud/checks/api-import.ts';
import { firstDeploymentCheck, templateChecks } from '#lib/cloud/checks/check-templates.ts';
import { creationOrder, rehearseFailedCreation } from '#lib/cloud/checks/create-rehearsal.ts';
import { checkPolicies } from '#lib/cloud/checks/iam-grammar.ts';
import { checkQuotas, quotaBudget, quotaWarnings } from '#lib/cloud/checks/quota-budget.ts';
import { type Fields, type Resource, serviceStack } from './synthesized.ts';

const prod = { stage: 'prod', operationsEmail: 'ops@shop.example', allowSandbox: 'true' };
const first = serviceStack({ ...prod, firstDeployment: 'true' });
const definition = first.only('AWS::ApiGateway::RestApi').properties['Body'];

const resource = (type: string, properties: Fields, deletionPolicy?: string, id = 'Planted'): Resource => ({
  ...{ id, type, properties, deletionPolicy, updatePolicy: undefined, dependsOn: [] },
});

describe('the template checks', () => {
  it.each([...templateChecks, firstDeploymentCheck])('$name finds no fault in a first deployment', ({ run }) => {
    expect(run(first)).toEqual([]);
  });

  it.each(templateChecks)('$name finds no fault in a later deployment', ({ run }) => {
    expect(run(serviceStack(prod))).toEqual([]);
  });
});

describe('the API import', () => {
  const integration = {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: 'arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/f/invocations',
    credentials: 'role',
  };
  const method = (more: Fields = {}) => ({ 'x-amazon-apigateway-integration': integration, ...more });
  const variable = (name: string) => ({ parameters: [{ name, in: 'path', required: true }] });
  const api = (paths: Fields, more: Fields = {}) => ({ openapi: '3.0.1', paths, ...more });
  const responses = (type: string, response: Fields) =>
    api({}, { 'x-amazon-apigateway-gateway-responses': { [type]: response } });
  const schemas = (own: Fields) => api({}, { components: { schemas: own } });
  const authorizer = (own: Fields) =>
    api({}, { components: { securitySchemes: { one: { type: 'apiKey', 'x-amazon-apigateway-authorizer': own } } } });

  it('accepts a valid definition', () => {
    expect(checkApiImport(api({ '/a/{id}': { post: method(variable('id')) } }))).toEqual([]);
  });

  const faults: [what: string, definition: Fields, finding: RegExp][] = [
    ['another version', { openapi: '3.1.0', paths: {} }, /3\.1\.0 is not imported/],
    ['a method twice on one resource', api({ '/a': { post: method() }, '/a/': { post: method() } }), /same resource/],
    [
      'two variables at one place',
      api({ '/a/{x}/b': { get: method(variable('x')) }, '/a/{y}/c': { get: method(variable('y')) } }),
      /variables at the same place/,
    ],
    ['a variable within a part', api({ '/a-{x}': { get: method(variable('x')) } }), /cannot be a part/],
    ['a greedy variable in the middle', api({ '/{x+}/a': { get: method(variable('x')) } }), /last part/],
    ['an unknown method', api({ '/a': { fetch: method() } }), /is no method/],
    ['no integration', api({ '/a': { get: {} } }), /no integration/],
    [
      'a GET to a function',
      api({ '/a': { get: method({ 'x-amazon-apigateway-integration': { ...integration, httpMethod: 'GET' } }) } }),
      /invoked by POST/,
    ],
    ['a variable that is not declared', api({ '/{x}': { get: method() } }), /x is not declared/],
    [
      'an unknown security scheme',
      api({ '/a': { get: method({ security: [{ bearer: [] }] }) } }),
      /no security scheme/,
    ],
    ['a model with a hyphen', schemas({ 'a-b': {} }), /letters and digits/],
    ['a keyword that models do not have', schemas({ A: { oneOf: [] } }), /oneOf is not supported/],
    ['a missing model', api({ '/a': { get: method({ x: { $ref: '#/components/schemas/B' } }) } }), /no model B/],
    ['a long cache', authorizer({ type: 'token', authorizerResultTtlInSeconds: 3601 }), /3,600/],
    ['a broken pattern', authorizer({ type: 'token', identityValidationExpression: '(' }), /not a pattern/],
    ['an unknown response', responses('TEAPOT', {}), /no such type/],
    ['a template without JSON', responses('THROTTLED', { responseTemplates: { 'application/json': '{' } }), /no JSON/],
    [
      'a template that reads the input',
      responses('THROTTLED', { responseTemplates: { 'application/json': '{"a":"$input.body"}' } }),
      /cannot know \$input/,
    ],
    [
      'a header without quotes',
      responses('THROTTLED', { responseParameters: { 'gatewayresponse.header.a': 'no-store' } }),
      /neither a text in quotes/,
    ],
  ];

  it.each(faults)('refuses %s', (_, planted, finding) => {
    expect(checkApiImport(planted).join()).toMatch(finding);
  });

  it('counts one resource for each part of a path, whatever its variables are called', () => {
    expect(countApiResources(api({ '/a/{x}': {}, '/a/{x}/b': {}, '/a': {} }))).toBe(4);
    expect(countApiResources(definition)).toBeGreaterThan(200);
  });
});

describe("IAM's grammar", () => {
  const statement = { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*' };
  const role = (...Statement: Fields[]) => ({
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }],
    },
    Policies: [{ PolicyName: 'p', PolicyDocument: { Version: '2012-10-17', Statement } }],
  });
  const check = (...statements: Fields[]) => checkPolicies([resource('AWS::IAM::Role', role(...statements))]);

  it('accepts a valid statement', () => expect(check(statement)).toEqual([]));

  const faults: [what: string, statement: Fields, finding: RegExp][] = [
    ['an unknown effect', { ...statement, Effect: 'allow' }, /Effect must be/],
    ['an action without a service', { ...statement, Action: 'SendMessage' }, /not written as service:Action/],
    ['no resource', { Effect: 'Allow', Action: 'sqs:SendMessage' }, /either Resource or NotResource/],
    ['a principal', { ...statement, Principal: '*' }, /has no Principal/],
    ['a resource that is no ARN', { ...statement, Resource: 'queue' }, /is no ARN/],
    ['a resource of another service', { ...statement, Resource: 'arn:aws:sns:::topic' }, /does not apply/],
    ['an unknown operator', { ...statement, Condition: { StringIs: { 'aws:x': 'y' } } }, /no condition operator/],
    ['a condition without a key', { ...statement, Condition: { StringEquals: { account: 'y' } } }, /no condition key/],
    ['a misspelled element', { ...statement, Conditions: {} }, /Conditions is no element/],
    ['a Sid with a hyphen', { ...statement, Sid: 'a-b' }, /letters and digits only/],
    ['more characters than IAM stores', { ...statement, Resource: `arn:aws:sqs:::${'q'.repeat(10_240)}` }, /of 10240/],
  ];

  it.each(faults)('refuses %s', (_, planted, finding) => {
    expect(check(planted).join()).toMatch(finding);
  });

  it('refuses two statements with the same Sid, and an outdated policy version', () => {
    expect(check({ ...statement, Sid: 'a' }, { ...statement, Sid: 'a' }).join()).toMatch(/same Sid/);
    const old = { Policies: [{ PolicyDocument: { Version: '2008-10-17', Statement: [statement] } }] };
    expect(checkPolicies([resource('AWS::IAM::Role', old)]).join()).toMatch(/Version must be/);
  });
});

describe('a failed first deployment', () => {
  const order = creationOrder(first.resources);

  it('creates every resource after the resources that it refers to', () => {
    expect(order).toHaveLength(first.resources.length);
    const placeOf = new Map(order.map(({ id }, index) => [id, index]));
    const late = order.flatMap(({ id, dependsOn }, index) =>
      dependsOn.filter((other) => (placeOf.get(other) ?? -1) > index).map((other) => `${id} before ${other}`),
    );
    expect(late).toEqual([]);
  });

  const twenty = Array.from({ length: 20 }, (_, index) => order[Math.floor(((index + 1) * (order.length - 1)) / 20)]);

  it.each(twenty)('can be repeated after $id failed', (failing) => {
    expect(failing && rehearseFailedCreation(order, failing)).toEqual([]);
  });

  it('can be repeated after any resource failed', () => expect(firstDeploymentCheck.run(first)).toEqual([]));

  it('cannot be repeated if the table is retained or protected', () => {
    const planted = (deletionPolicy: string, properties: Fields): Resource[] => [
      resource('AWS::DynamoDB::GlobalTable', { TableName: 'forewarn-prod', ...properties }, deletionPolicy, 'Table'),
      resource('AWS::SNS::Topic', { TopicName: 'alarms' }, undefined, 'Topic'),
    ];
    const run = (own: Resource[]) => firstDeploymentCheck.run({ ...first, resources: own }).join();
    expect(run(planted('RetainExceptOnCreate', {}))).toBe('');
    expect(run(planted('Retain', {}))).toBe('if Topic fails, Table exists already');
    expect(run(planted('RetainExceptOnCreate', { Replicas: [{ DeletionProtectionEnabled: true }] }))).toMatch(
      /the rollback cannot delete Table/,
    );
    expect(firstDeploymentCheck.run(serviceStack(prod)).join()).toMatch(/the rollback cannot delete Table/);
  });

  it('reports resources that depend on each other', () => {
    const loop = [
      resource('A::B::C', { x: { Ref: 'Two' } }, undefined, 'One'),
      resource('A::B::C', { x: { 'Fn::GetAtt': ['One', 'Arn'] } }, undefined, 'Two'),
    ];
    expect(() => creationOrder(loop)).toThrow('One → Two → One');
  });
});

describe('the quota budget', () => {
  it('stays within its share of every quota', () => {
    for (const { used, quota, share } of quotaBudget(first)) expect(used).toBeLessThanOrEqual(quota * share);
    expect(quotaBudget(first).find(({ what }) => what === 'IAM roles of the account')?.used).toBeGreaterThan(100);
  });

  it('warns of a quota that is nearly used', () => {
    const row = { what: 'rules', quota: 100, share: 0.9 };
    expect(quotaWarnings([{ ...row, used: 81 }])).toEqual([]);
    expect(quotaWarnings([{ ...row, used: 82 }])).toEqual(['rules: 82 of 100']);
    expect(quotaWarnings(quotaBudget(first)).join()).toContain('resources of the API');
  });

  it('finds an API with more resources than its quota', () => {
    const paths = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`/r${index}`, {}]));
    const planted = resource('AWS::ApiGateway::RestApi', { Body: { paths } });
    expect(checkQuotas(quotaBudget({ ...first, resources: [planted] }))).toEqual([
      'resources of the API: 301 of 300, more than the 98 % meant for it',
    ]);
  });

  it("finds a function whose variables exceed Lambda's limit", () => {
    const planted = resource('AWS::Lambda::Function', { Environment: { Variables: { A: 'x'.repeat(4096) } } });
    expect(checkQuotas(quotaBudget({ ...first, resources: [planted] })).join()).toMatch(/variables of a function/);
  });

  it('finds a template with too many resources', () => {
    const templates = first.templates.map((one) => ({ ...one, resources: 499 }));
    expect(checkQuotas(quotaBudget({ ...first, templates })).join()).toMatch(/resources of a template: 499 of 500/);
  });
});

describe('the CloudFormation schemas', () => {
  it('fail the synthesis of a property that does not exist', () => {
    const app = new App({ context: JSON.parse(readFileSync('cdk.json', 'utf8')).context });
    const stack = new Stack(app, 'Planted');
    new CfnResource(stack, 'Queue', { type: 'AWS::SQS::Queue', properties: { VisibilityTimeOut: 30 } });
    expect(() => app.synth()).toThrow();
  });
});
