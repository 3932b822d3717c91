import { describe, expect, it } from 'vitest';
import { operations } from '#functions/operations.ts';
import { listRoutes } from '#lib/cloud/api-definition.ts';
import { stageNames } from '#lib/cloud/names.ts';
import { at, serviceStack, synthesize, toList } from './synthesized.ts';

const protectedStage = { stage: 'prod', operationsEmail: 'ops@shop.example' };
const { only } = serviceStack({ allowSandbox: 'true' });
const apiPaths = (context: Record<string, string>) =>
  Object.keys(at(serviceStack(context).only('AWS::ApiGateway::RestApi').properties['Body'], 'paths') as object);

it('takes TLS 1.2 with forward secrecy, or better', () => {
  expect(only('AWS::ApiGateway::RestApi').properties).toMatchObject({
    SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
    EndpointAccessMode: 'STRICT',
  });
});

describe('throttling', () => {
  const settings = toList(only('AWS::ApiGateway::Stage').properties['MethodSettings']);
  const placeOf = (path: string) => (path === '/' ? path : `/~1${path.slice(1).replaceAll('/', '~1')}`);
  const settingOf = (method: string, path: string) =>
    settings.find((one) => at(one, 'HttpMethod') === method && at(one, 'ResourcePath') === placeOf(path));

  it.each(listRoutes(operations).filter(({ operation }) => operation.auth === 'provider'))(
    '$method $path has a share of its own, that other calls cannot use up',
    ({ method, path }) => {
      expect(settingOf(method, path)).toMatchObject({ ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 });
    },
  );

  it.each(listRoutes(operations).filter(({ operation }) => operation.auth === 'public'))(
    '$method $path, which anybody may call, has less than the rest',
    ({ method, path }) => {
      expect(settingOf(method, path)).toMatchObject({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 });
    },
  );

  it('logs errors, and neither traces bodies nor bills metrics of each method, wherever it differs', () => {
    expect(settings.length).toBeGreaterThan(3);
    for (const one of settings) {
      expect(one).toMatchObject({ DataTraceEnabled: false, LoggingLevel: 'ERROR', MetricsEnabled: false });
    }
  });
});

describe('the firewall', () => {
  const rules = toList(only('AWS::WAFv2::WebACL').properties['Rules']);
  const signIn = rules.find((rule) => at(rule, 'Name') === 'sign-in');
  const places = toList(
    at(signIn, 'Statement', 'RateBasedStatement', 'ScopeDownStatement', 'OrStatement', 'Statements'),
  ).map((one) => at(one, 'ByteMatchStatement'));

  it('limits attempts to sign in by address', () => {
    expect(at(signIn, 'Action')).toEqual({ Block: {} });
    expect(at(signIn, 'Statement', 'RateBasedStatement')).toMatchObject({ Limit: 300, AggregateKeyType: 'IP' });
    const other = synthesize({ context: { signInsPerAddress: '40' } }).only('AWS::WAFv2::WebACL').properties['Rules'];
    expect(JSON.stringify(other)).toContain('"Limit":40');
  });

  // Operations that ask for a password or a code, and others that begin or renew a session.
  const guessable = listRoutes(operations).filter(
    ({ path, operation: { auth, body } }) =>
      auth === 'public' && (/\/session\//.test(path) || at(body, 'entries', 'password') !== undefined),
  );

  it.each(guessable)('counts $path among them, however it is spelled', ({ path }) => {
    const matching = places.filter((place) => `/dev${path}`.includes(String(at(place, 'SearchString'))));
    expect(matching).toEqual([
      expect.objectContaining({
        PositionalConstraint: 'CONTAINS',
        FieldToMatch: { UriPath: {} },
        TextTransformations: [
          { Priority: 0, Type: 'URL_DECODE' },
          { Priority: 1, Type: 'NORMALIZE_PATH' },
        ],
      }),
    ]);
  });

  it('knows one such place at least', () =>
    expect(guessable.map(({ path }) => path)).toContain('/api/v2/index.php/gettoken'));
});

describe('concurrency of their own', () => {
  const reservedIn = (context: Record<string, string>) =>
    Object.fromEntries(
      serviceStack(context)
        .ofType('AWS::Lambda::Function')
        .filter(({ properties }) => properties['ReservedConcurrentExecutions'] !== undefined)
        .map(({ properties }) => [String(properties['FunctionName']), properties['ReservedConcurrentExecutions']]),
    );
  const names = stageNames('prod');
  const intake = operations.filter(({ auth }) => auth === 'provider').map(names.functionOf);

  it('have intake and the authorizer of a protected stage, so that nothing else can keep alerts out', () => {
    expect(reservedIn(protectedStage)).toEqual(
      Object.fromEntries([...intake, 'forewarn-prod-auth-authorizer'].map((name) => [name, 32])),
    );
  });

  it('have none elsewhere, unless it is asked for, as it is taken from the whole account', () => {
    expect(reservedIn({})).toEqual({});
    expect(new Set(Object.values(reservedIn({ reservedConcurrency: '7' })))).toEqual(new Set([7]));
    expect(reservedIn({ ...protectedStage, reservedConcurrency: '0' })).toEqual({});
  });
});

describe('what is not for every stage', () => {
  it('has no route and no function where the sandbox is not allowed', () => {
    expect(apiPaths({}).filter((path) => path.includes('sandbox'))).toEqual([]);
    expect(apiPaths({ allowSandbox: 'true' })).toContain('/sandbox/pay/{id}');
    const names = serviceStack()
      .ofType('AWS::Lambda::Function')
      .map(({ properties }) => String(properties['FunctionName']));
    expect(names.filter((name) => name.includes('sandbox'))).toEqual([]);
  });

  it('shows the documents on no protected stage, unless they are allowed', () => {
    const documents = ['/docs', '/docs/{file}', '/openapi.json'];
    expect(apiPaths({})).toEqual(expect.arrayContaining(documents));
    expect(apiPaths({ allowDocs: 'false' }).filter((path) => documents.includes(path))).toEqual([]);
    expect(apiPaths(protectedStage).filter((path) => documents.includes(path))).toEqual([]);
    expect(apiPaths({ ...protectedStage, allowDocs: 'true' })).toEqual(expect.arrayContaining(documents));
  });
});

it('a protected stage is not deployed without an address for its alarms', () => {
  expect(() => synthesize({ context: { stage: 'prod' } })).toThrow(
    'operationsEmail: is required on stage prod, or nobody would be told of its alarms',
  );
  expect(() => serviceStack(protectedStage)).not.toThrow();
});
