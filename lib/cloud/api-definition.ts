import { tokenWanted } from '#core/platform/http/access.ts';
import { securityHeaders } from '#core/platform/http/security-headers.ts';
import { gatewayRefusals, pageOfCode, refusals } from '#core/platform/operation/errors.ts';
import type { Operation } from '#core/platform/operation/operation.ts';

export type Route = { method: string; path: string; operation: Operation };

/** The resources that the definition refers to; texts as CloudFormation resolves them. */
export type Targets = {
  title: string;
  /** The gateway's address of a function. */
  uriOf: (operation: Operation) => string;
  authorizerUri: string;
  /** The role under which the gateway invokes functions. */
  invokeRoleArn: string;
};

type Json = Record<string, unknown>;

/** The time for which an authorizer's answer may be reused, and so for which a revoked token may still work. */
const authorizerCacheSeconds = 60;

/** Every resource of every operation, aliases too; without HEAD, which comes with GET. */
export const listRoutes = (operations: readonly Operation[]): Route[] =>
  operations.flatMap((operation) =>
    [operation.path, ...(operation.aliases ?? [])].map((path) => ({
      method: operation.method,
      path: toResource(path),
      operation,
    })),
  );

/**
 * The resource of a path. A resource has no empty last part, so a path with a slash at its end and the same path without it are one
 * resource, and declaring both fails as a duplicate method.
 */
const toResource = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path);

/**
 * The gateway as an OpenAPI document with Amazon's extensions: routes, authorizer and the gateway's own errors. It has no
 * models: the functions check what they get. Throws an Error for routes that a deployment would refuse.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 */
export const apiDefinition = (operations: readonly Operation[], targets: Targets): Json => {
  const routes = listRoutes(operations);
  refuseTwoNamesAtOnePlace(routes);
  const paths: Record<string, Json> = {};
  for (const { method, path, operation } of routes) {
    const item = { ...paths[path] };
    const key = method.toLowerCase();
    if (key in item) throw new Error(`Two operations answer ${method} ${path}`);
    const declared = makeMethod(operation, path, targets);
    paths[path] = { ...item, [key]: declared, ...(key === 'get' && { head: declared }) };
  }
  for (const [path, item] of Object.entries(paths))
    paths[path] = { ...item, [anyMethod]: refusing(routes, path, targets) };
  return {
    openapi: '3.0.1',
    info: { title: targets.title, version: '1' },
    paths,
    components: { securitySchemes: { bearer: authorizer(targets) } },
    'x-amazon-apigateway-binary-media-types': ['*/*'],
    'x-amazon-apigateway-minimum-compression-size': minCompressedBytes,
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
          throw new Error(`${path}: the gateway already uses ${other} at this place, and allows only one name there`);
        names.set(place, part);
      }
      place += `/${part.startsWith('{') ? '{}' : part}`;
    }
  }
};

/**
 * Replies from this size on are compressed for callers that accept it: smaller ones fit into a packet.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gzip-compression-decompression.html
 */
const minCompressedBytes = 1024;

const integration = 'x-amazon-apigateway-integration';
const anyMethod = 'x-amazon-apigateway-any-method';

/**
 * Where a path's other methods go: to one of its own functions, which refuses them and says which the path takes. The gateway
 * itself would say that there is no such path. Throws an Error where that function does not know its neighbours' methods.
 */
const refusing = (routes: readonly Route[], path: string, targets: Targets): Json => {
  const own = routes.filter((route) => route.path === path);
  for (const { operation } of own) {
    const known = [operation.method, ...(operation.otherMethods ?? [])].sort().join();
    const all = own
      .map(({ method }) => method)
      .sort()
      .join();
    if (known !== all)
      throw new Error(`${operation.area}/${operation.name} has to name all methods of ${path}: ${all}`);
  }
  const [first] = own;
  if (!first) throw new Error(`Nothing answers ${path}`);
  const { responses, [integration]: target } = makeMethod(first.operation, path, targets);
  return { responses, [integration]: target };
};

const makeMethod = (operation: Operation, path: string, { uriOf, invokeRoleArn }: Targets): Json => {
  const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const needsToken = operation.auth === 'bearer' || operation.auth === 'admin';
  return {
    summary: operation.summary,
    ...(variables.length > 0 && {
      parameters: variables.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    }),
    ...(needsToken && { security: [{ bearer: [] }] }),
    // Each method says it twice, as does what refuses the path's others: it is short for the template's sake.
    responses: { default: { description: 'Any' } },
    [integration]: {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: uriOf(operation),
      credentials: invokeRoleArn,
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
  // With the authorizer's words.
  refused: {
    statusCode: 401,
    msg: '$context.authorizer.msg',
    details: '$context.authorizer.details',
    code: '$context.authorizer.code',
  },
  denied: { statusCode: 403, msg: refusals.scope_missing.msg, details: '', code: 'scope_missing' },
  firewall: {
    statusCode: 403,
    msg: gatewayRefusals.firewall.msg,
    details: 'The firewall refused the request.',
    code: 'firewall',
  },
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
    msg: gatewayRefusals.too_many_requests.msg,
    details: 'Try again a little later.',
    code: 'too_many_requests',
  },
  broken: { statusCode: 500, msg: refusals.internal.msg, details: '', code: 'internal' },
  noAnswer: {
    statusCode: 504,
    msg: gatewayRefusals.timed_out.msg,
    details: 'The answer took too long.',
    code: 'timed_out',
  },
} as const;

/** The gateway's own answers, in the words and shape of every other error. An unknown route has no token either. */
const wordsOf: Readonly<Record<string, keyof typeof words>> = {
  ACCESS_DENIED: 'refused',
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
          responseTemplates: { 'application/json': JSON.stringify({ msg, details, code, doc: pageOfCode(code) }) },
        },
      ];
    }),
  );
