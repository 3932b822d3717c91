import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { apiDefinition, listRoutes } from '#lib/cloud/api-definition.ts';
import { stageNames } from '#lib/cloud/names.ts';
import { at, fakeAuthorizer, fakeOperation, fakeWorkers, serviceStack, synthesize, toList } from './synthesized.ts';

const { only, ofType } = serviceStack({ allowSandbox: 'true' });
const names = stageNames('dev');
const body = only('AWS::ApiGateway::RestApi').properties['Body'];
const integration = 'x-amazon-apigateway-integration';
const anyMethod = 'x-amazon-apigateway-any-method';

const authorizerWorker = workers.find(({ on }) => 'authorizer' in on) ?? fakeAuthorizer;
const targets = { title: 'test', uriOf: () => 'uri', authorizerUri: 'uri', invokeRoleArn: 'role' };

describe('the gateway', () => {
  it('has exactly the routes that are declared', () => {
    const routes = Object.entries(at(body, 'paths') as object).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== 'head' && method !== anyMethod)
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.sort()).toEqual(
      listRoutes(operations)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it.each(listRoutes(operations))('$method $path reaches its function as a proxy', ({ method, path, operation }) => {
    const target = at(body, 'paths', path, method.toLowerCase(), integration);
    expect(at(target, 'type')).toBe('aws_proxy');
    expect(at(target, 'httpMethod')).toBe('POST');
    expect(JSON.stringify(at(target, 'uri'))).toContain(`:function:${names.functionOf(operation)}:live/invocations"`);
    expect(at(target, 'credentials')).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^GatewayRole/), 'Arn'] });
  });

  it('answers HEAD where GET is answered, by the same function, as many at a time', () => {
    const paths = Object.entries(at(body, 'paths') as object);
    for (const [, item] of paths) expect(at(item, 'head')).toEqual(at(item, 'get'));
    expect(paths.filter(([, item]) => 'head' in item).length).toBeGreaterThan(10);
    const limits = toList(only('AWS::ApiGateway::Stage').properties['MethodSettings']);
    const limitOf = (method: string) =>
      limits.find((one) => at(one, 'ResourcePath') === '/~1health' && at(one, 'HttpMethod') === method);
    expect(limitOf('HEAD')).toEqual({ ...Object(limitOf('GET')), HttpMethod: 'HEAD' });
  });

  it('hands whatever a path does not take to one of its own functions, without asking for a token', () => {
    for (const [path, item] of Object.entries(at(body, 'paths') as object)) {
      const uris = listRoutes(operations)
        .filter((route) => route.path === path)
        .map(({ method }) => JSON.stringify(at(item, method.toLowerCase(), integration, 'uri')));
      expect(uris, path).toContain(JSON.stringify(at(item, anyMethod, integration, 'uri')));
      expect(at(item, anyMethod, 'security'), path).toBeUndefined();
    }
  });

  it('is not made where an operation does not know the other methods of its path', () => {
    const one = fakeOperation();
    const other = { ...fakeOperation(), name: 'other', method: 'PUT' as const };
    expect(() => apiDefinition([one, other], targets)).toThrow('has to name all methods of');
    const named = [
      { ...one, otherMethods: ['PUT' as const] },
      { ...other, otherMethods: [one.method] },
    ];
    expect(() => apiDefinition(named, targets)).not.toThrow();
  });

  it('asks for a token where an operation does, and nowhere else', () => {
    const asking = listRoutes(operations).filter(
      ({ method, path }) => toList(at(body, 'paths', path, method.toLowerCase(), 'security')).length > 0,
    );
    expect(asking.map(({ path }) => path)).toEqual(
      listRoutes(operations)
        .filter(({ operation }) => ['bearer', 'admin'].includes(operation.auth))
        .map(({ path }) => path),
    );
  });

  it('asks the authorizer about Bearer tokens, and keeps its answer for a minute at most', () => {
    expect(at(body, 'components', 'securitySchemes', 'bearer')).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      'x-amazon-apigateway-authorizer': { type: 'token', authorizerResultTtlInSeconds: 60 },
    });
  });

  it('takes every body as bytes, so that a signature over it can be checked', () => {
    expect(at(body, 'x-amazon-apigateway-binary-media-types')).toEqual(['*/*']);
  });

  it('compresses replies of 1 KiB or more', () => {
    expect(at(body, 'x-amazon-apigateway-minimum-compression-size')).toBe(1024);
  });

  it('may invoke the functions of operations and the authorizer, and no other', () => {
    const [role] = ofType('AWS::IAM::Role').filter(({ id }) => id.startsWith('GatewayRole'));
    const [statement, ...others] = toList(at(role?.properties, 'Policies', 0, 'PolicyDocument', 'Statement'));
    expect([at(statement, 'Action'), others]).toEqual(['lambda:InvokeFunction', []]);
    const texts = [...JSON.stringify(at(statement, 'Resource')).matchAll(/:function:([^"]+)"/g)].map(
      ([, name]) => name,
    );
    const allowed = new RegExp(`^(${texts.join('|').replaceAll('*', '.*')})$`);
    const isAllowed = (one: Operation | Worker, ending: string) => allowed.test(`${names.functionOf(one)}${ending}`);
    for (const ending of ['', ':live', ':7']) {
      expect(operations.filter((one) => !isAllowed(one, ending))).toEqual([]);
      expect(workers.filter((one) => isAllowed(one, ending))).toEqual([authorizerWorker]);
    }
  });

  it('goes live once all its functions are there', () => {
    const { dependsOn } = only('AWS::ApiGateway::Deployment');
    const holding = ofType('AWS::Lambda::Function').flatMap(({ id }) => (id.includes('/') ? [id.split('/')[0]] : []));
    expect(holding.length).toBe(operations.length);
    expect(dependsOn).toEqual(expect.arrayContaining([...new Set(holding)]));
  });
});

describe("the gateway's own errors", () => {
  const responses = at(body, 'x-amazon-apigateway-gateway-responses') as Record<string, unknown>;

  it.each(Object.entries(responses))('%s has our words, and the request id', (_, response) => {
    const text = String(at(response, 'responseTemplates', 'application/json'));
    expect(JSON.parse(text)).toEqual({
      msg: expect.stringMatching(/\S/),
      details: expect.any(String),
      code: expect.stringMatching(/^[a-z_]+$|^\$context\.authorizer\.code$/),
      doc: `/errors/${at(JSON.parse(text), 'code')}`,
    });
    const headers = at(response, 'responseParameters');
    expect(at(headers, 'gatewayresponse.header.x-request-id')).toBe('context.requestId');
    expect(at(headers, 'gatewayresponse.header.x-content-type-options')).toBe("'nosniff'");
    expect(at(headers, 'gatewayresponse.header.strict-transport-security')).toMatch(/^'max-age=\d{8}/);
  });

  it.each([
    ['MISSING_AUTHENTICATION_TOKEN', 404],
    ['UNAUTHORIZED', 401],
    // It is the authorizer that denies, in words of its own: see accounts/auth/authorizer-policy.ts.
    ['ACCESS_DENIED', 401],
    ['REQUEST_TOO_LARGE', 413],
    ['THROTTLED', 429],
    ['WAF_FILTERED', 403],
    ['AUTHORIZER_FAILURE', 500],
    ['INTEGRATION_TIMEOUT', 504],
  ])('%s is %i', (type, status) => expect(at(responses[type], 'statusCode')).toBe(status));

  it('covers whatever else goes wrong', () => {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['DEFAULT_4XX', 'DEFAULT_5XX']));
  });
});

describe('a definition that could not be deployed', () => {
  const withPaths = (...paths: readonly `/${string}`[]) =>
    apiDefinition(
      paths.map((path, index) => fakeOperation({ path, name: `show-${index}` })),
      targets,
    );

  it('has two names for one place of the path tree', () => {
    expect(() => withPaths('/a/{id}/x', '/a/{sid}/y')).toThrow(
      '/a/{sid}/y: the gateway already uses {id} at this place',
    );
    expect(() => withPaths('/a/{id}/x', '/b/{sid}/y', '/a/{id}/y/{n}')).not.toThrow();
  });

  it('has two names even below another variable', () => {
    expect(() => withPaths('/a/{id}/b/{x}', '/a/{id}/b/{y}')).toThrow('allows only one name there');
  });

  it('answers one route twice, were it only by an alias', () => {
    expect(() =>
      apiDefinition([fakeOperation({ path: '/a' }), fakeOperation({ path: '/b', aliases: ['/a'] })], targets),
    ).toThrow('Two operations answer POST /a');
  });

  it('declares a path with and without a slash at its end, which are one resource', () => {
    expect(() => withPaths('/a/b', '/a/b/')).toThrow('Two operations answer POST /a/b');
  });

  it('is found whatever the order of the routes', () => {
    const paths = ['/a/{id}/x', '/a/fixed', '/a/{other}', '/c/{id}'] as const;
    fc.assert(
      fc.property(fc.shuffledSubarray([...paths], { minLength: 4 }), (order) => {
        expect(() => withPaths(...order)).toThrow('allows only one name there');
      }),
    );
  });
});

it('declares a path that ends with a slash as the resource without it', () => {
  const { only: one } = synthesize({ operations: [fakeOperation({ path: '/a/b/' })], workers: fakeWorkers });
  expect(Object.keys(at(one('AWS::ApiGateway::RestApi').properties['Body'], 'paths') as object)).toEqual(['/a/b']);
});

it('makes a new deployment when a route is added', () => {
  const idWith = (path: `/${string}`) =>
    synthesize({ operations: [fakeOperation({ path })], workers: fakeWorkers }).only('AWS::ApiGateway::Deployment').id;
  expect(idWith('/a')).not.toBe(idWith('/b'));
});
