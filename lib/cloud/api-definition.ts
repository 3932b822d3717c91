import { tokenWanted } from '../../functions/core/access.ts';
import { refusals } from '../../functions/core/errors.ts';
import type { Operation } from '../../functions/core/operation.ts';
import { securityHeaders } from '../../functions/core/security-headers.ts';

export type Route = { method: string; path: string; operation: Operation };

/** What the definition points at; texts as CloudFormation resolves them. */
export type Targets = {
  title: string;
  /** The gateway's address of a function. */
  uriOf: (operation: Operation) => string;
  authorizerUri: string;
  /** The role under which the gateway invokes functions. */
  invokeRoleArn: string;
};

type Json = Record<string, unknown>;

/** How long an authorizer's answer may be used again: so long can a revoked token live on. */
export const authorizerCacheSeconds = 60;

/** Every path of every operation, aliases too. */
export const routesOf = (operations: readonly Operation[]): Route[] =>
  operations.flatMap((operation) =>
    [operation.path, ...(operation.aliases ?? [])].map((path) => ({ method: operation.method, path, operation })),
  );

/**
 * The gateway as an OpenAPI document with Amazon's extensions: routes, authorizer and the gateway's own errors. It has no
 * models: the functions check what they get. Throws an Error for routes that a deployment would refuse.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 */
export const apiDefinition = (operations: readonly Operation[], targets: Targets): Json => {
  const routes = routesOf(operations);
  refuseTwoNamesAtOnePlace(routes);
  const paths: Record<string, Json> = {};
  for (const { method, path, operation } of routes) {
    const item = { ...paths[path] };
    const key = method.toLowerCase();
    if (key in item) throw new Error(`Two operations answer ${method} ${path}`);
    paths[path] = { ...item, [key]: methodOf(operation, path, targets) };
  }
  return {
    openapi: '3.0.1',
    info: { title: targets.title, version: '1' },
    paths,
    components: { securitySchemes: { bearer: authorizer(targets) } },
    'x-amazon-apigateway-binary-media-types': ['*/*'],
    'x-amazon-apigateway-gateway-responses': gatewayResponses(),
  };
};

/**
 * The gateway's tree has one variable at each place, whatever follows it: `/a/{x}/b` and `/a/{y}/c` cannot both be
 * deployed, though nothing says so before.
 */
const refuseTwoNamesAtOnePlace = (routes: readonly Route[]): void => {
  const names = new Map<string, string>();
  for (const { path } of routes) {
    let place = '';
    for (const part of path.split('/').slice(1)) {
      if (part.startsWith('{')) {
        const other = names.get(place) ?? part;
        if (other !== part)
          throw new Error(`${path}: the gateway knows ${other} at this place, and takes one name only`);
        names.set(place, part);
      }
      place += `/${part.startsWith('{') ? '{}' : part}`;
    }
  }
};

const methodOf = (operation: Operation, path: string, { uriOf, invokeRoleArn }: Targets): Json => {
  const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const needsToken = operation.auth === 'bearer' || operation.auth === 'admin';
  return {
    summary: operation.summary,
    ...(variables.length > 0 && {
      parameters: variables.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    }),
    ...(needsToken && { security: [{ bearer: [] }] }),
    responses: { default: { description: 'What the function answers' } },
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: uriOf(operation),
      credentials: invokeRoleArn,
      passthroughBehavior: 'when_no_match',
      timeoutInMillis: 29_000,
    },
  };
};

const authorizer = ({ authorizerUri, invokeRoleArn }: Targets): Json => ({
  type: 'apiKey',
  name: 'Authorization',
  in: 'header',
  'x-amazon-apigateway-authtype': 'custom',
  'x-amazon-apigateway-authorizer': {
    type: 'token',
    authorizerUri,
    authorizerCredentials: invokeRoleArn,
    authorizerResultTtlInSeconds: authorizerCacheSeconds,
    identityValidationExpression: '^[Bb]earer [-A-Za-z0-9._~+/]+=*$',
  },
});

const words = {
  badRequest: {
    statusCode: 400,
    msg: refusals.request_invalid.msg,
    details: 'The gateway could not read the request.',
    code: 'request_invalid',
  },
  noToken: { statusCode: 401, msg: refusals.unauthenticated.msg, details: tokenWanted, code: 'unauthenticated' },
  denied: { statusCode: 403, msg: refusals.scope_missing.msg, details: '', code: 'scope_missing' },
  firewall: { statusCode: 403, msg: 'Refused', details: 'The firewall refused the request.', code: 'firewall' },
  noRoute: {
    statusCode: 404,
    msg: refusals.route_not_found.msg,
    details: 'Look at the path and the method.',
    code: 'route_not_found',
  },
  tooLarge: {
    statusCode: 413,
    msg: refusals.body_too_large.msg,
    details: 'A body has at most 256 KiB.',
    code: 'body_too_large',
  },
  mediaType: {
    statusCode: 415,
    msg: refusals.content_type_unsupported.msg,
    details: '',
    code: 'content_type_unsupported',
  },
  tooMany: {
    statusCode: 429,
    msg: 'Too many requests',
    details: 'Try again a little later.',
    code: 'too_many_requests',
  },
  broken: { statusCode: 500, msg: refusals.internal.msg, details: '', code: 'internal' },
  noAnswer: { statusCode: 504, msg: refusals.internal.msg, details: 'The answer took too long.', code: 'timed_out' },
} as const;

/** What the gateway itself answers, in the words and shape of every other error. An unknown route has no token either. */
const wordsOf: Readonly<Record<string, keyof typeof words>> = {
  ACCESS_DENIED: 'denied',
  API_CONFIGURATION_ERROR: 'broken',
  AUTHORIZER_CONFIGURATION_ERROR: 'broken',
  AUTHORIZER_FAILURE: 'broken',
  BAD_REQUEST_BODY: 'badRequest',
  BAD_REQUEST_PARAMETERS: 'badRequest',
  DEFAULT_4XX: 'badRequest',
  DEFAULT_5XX: 'broken',
  EXPIRED_TOKEN: 'noToken',
  INTEGRATION_FAILURE: 'broken',
  INTEGRATION_TIMEOUT: 'noAnswer',
  INVALID_API_KEY: 'denied',
  INVALID_SIGNATURE: 'noToken',
  MISSING_AUTHENTICATION_TOKEN: 'noRoute',
  QUOTA_EXCEEDED: 'tooMany',
  REQUEST_TOO_LARGE: 'tooLarge',
  RESOURCE_NOT_FOUND: 'noRoute',
  THROTTLED: 'tooMany',
  UNAUTHORIZED: 'noToken',
  UNSUPPORTED_MEDIA_TYPE: 'mediaType',
  WAF_FILTERED: 'firewall',
};

/** Values are expressions: the name of something the gateway knows, or a text in quotes. */
const gatewayHeaders = {
  'gatewayresponse.header.x-request-id': 'context.requestId',
  'gatewayresponse.header.cache-control': "'no-store'",
  ...Object.fromEntries(
    Object.entries(securityHeaders).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]),
  ),
};

const gatewayResponses = (): Json =>
  Object.fromEntries(
    Object.entries(wordsOf).map(([type, name]) => {
      const { statusCode, msg, details, code } = words[name];
      // The two defaults cover several errors: each keeps the status it has.
      const status = type.startsWith('DEFAULT_') ? {} : { statusCode };
      return [
        type,
        {
          ...status,
          responseParameters: gatewayHeaders,
          responseTemplates: { 'application/json': JSON.stringify({ msg, details, code }) },
        },
      ];
    }),
  );
