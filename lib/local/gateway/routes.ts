import * as v from 'valibot';
import { UserError } from '../user-error.ts';

const Integration = v.looseObject({
  type: v.pipe(v.string(), v.toLowerCase()),
  uri: v.string(),
  timeoutInMillis: v.optional(v.number(), 29_000),
});
const Method = v.looseObject({
  security: v.optional(v.array(v.record(v.string(), v.array(v.string())))),
  'x-amazon-apigateway-integration': v.optional(Integration),
});
const AuthorizerScheme = v.looseObject({
  name: v.optional(v.string(), 'Authorization'),
  'x-amazon-apigateway-authorizer': v.optional(
    v.looseObject({
      type: v.picklist(['token', 'request']),
      authorizerUri: v.string(),
      authorizerResultTtlInSeconds: v.optional(v.number(), 300),
      identityValidationExpression: v.optional(v.string()),
      identitySource: v.optional(v.string()),
    }),
  ),
});
const GatewayResponse = v.looseObject({
  statusCode: v.optional(v.union([v.string(), v.number()])),
  responseParameters: v.optional(v.record(v.string(), v.string()), {}),
  responseTemplates: v.optional(v.record(v.string(), v.string()), {}),
});

/** The part of an API Gateway definition (OpenAPI with its extensions) that decides what happens to a request. */
export const Definition = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), v.unknown())),
  security: v.optional(v.array(v.record(v.string(), v.array(v.string())))),
  components: v.optional(v.looseObject({ securitySchemes: v.optional(v.record(v.string(), AuthorizerScheme), {}) }), {
    securitySchemes: {},
  }),
  'x-amazon-apigateway-gateway-responses': v.optional(v.record(v.string(), GatewayResponse), {}),
  'x-amazon-apigateway-binary-media-types': v.optional(v.array(v.string()), []),
  'x-amazon-apigateway-minimum-compression-size': v.optional(v.number(), Number.POSITIVE_INFINITY),
});
export type Definition = v.InferOutput<typeof Definition>;
export type GatewayResponse = v.InferOutput<typeof GatewayResponse>;

/** A Lambda authorizer as the gateway's definition configures it. */
export type Authorizer = {
  name: string;
  functionArn: string;
  /** The header that carries the token, in lower case. */
  header: string;
  timeToLiveSeconds: number;
  validation: RegExp | undefined;
};

export type Route = {
  /** As the definition spells it: `/api/v3/site/{sid}/details`. */
  resource: string;
  method: string;
  functionArn: string;
  timeoutMilliseconds: number;
  authorizer: Authorizer | undefined;
};

export type Match = { route: Route; pathParameters: Readonly<Record<string, string>> };

/** Finds the route of a method and a path (still percent-encoded); undefined if there is none. */
export type Router = (method: string, path: string) => Match | undefined;

const functionArnIn = (uri: string): string => {
  const [, arn] = /\/functions\/(.+)\/invocations$/.exec(uri) ?? [];
  if (!arn) throw new UserError(`The gateway's definition calls ${uri}, which is no function.`);
  return arn;
};

/** Reads the routes of a definition. Throws UserError on what the local stack cannot serve. */
export const readRoutes = (definition: Definition): Route[] => {
  const schemes = definition.components.securitySchemes;
  const authorizers = new Map(
    Object.entries(schemes).flatMap(([name, scheme]) => {
      const authorizer = toAuthorizer(name, scheme);
      return authorizer ? [[name, authorizer] as const] : [];
    }),
  );
  return Object.entries(definition.paths).flatMap(([resource, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(get|post|put|patch|delete|head|options|x-amazon-apigateway-any-method)$/.test(method))
      .map(([method, declared]) => {
        const { security, 'x-amazon-apigateway-integration': integration } = v.parse(Method, declared);
        if (integration?.type !== 'aws_proxy') {
          throw new UserError(`${method} ${resource} has no aws_proxy integration; the local stack serves only those.`);
        }
        const [scheme] = (security ?? definition.security ?? []).flatMap(Object.keys);
        return {
          resource,
          method: method === 'x-amazon-apigateway-any-method' ? 'ANY' : method.toUpperCase(),
          functionArn: functionArnIn(integration.uri),
          timeoutMilliseconds: integration.timeoutInMillis,
          authorizer: scheme === undefined ? undefined : authorizers.get(scheme),
        };
      }),
  );
};

type Scheme = v.InferOutput<typeof AuthorizerScheme>;

const toAuthorizer = (name: string, scheme: Scheme): Authorizer | undefined => {
  const declared = scheme['x-amazon-apigateway-authorizer'];
  if (!declared) return undefined;
  const { type, authorizerUri, authorizerResultTtlInSeconds, identityValidationExpression, identitySource } = declared;
  if (type !== 'token') throw new UserError(`${name} is a ${type} authorizer; the local stack knows token ones only.`);
  return {
    name,
    functionArn: functionArnIn(authorizerUri),
    header: (identitySource?.replace(/^method\.request\.header\./, '') ?? scheme.name).toLowerCase(),
    timeToLiveSeconds: authorizerResultTtlInSeconds,
    validation:
      identityValidationExpression === undefined ? undefined : new RegExp(`^(?:${identityValidationExpression})$`),
  };
};

/** As the gateway does: the resource is chosen first, segment by segment, a literal before a variable; then the method. */
export const createRouter = (routes: readonly Route[]): Router => {
  const resources = Map.groupBy(routes, ({ resource }) => resource);
  const ordered = [...resources.keys()].map((resource) => resource.split('/')).sort(byPrecision);
  return (method, path) => {
    // A slash at the end makes no other resource.
    const segments = (path.length > 1 ? path.replace(/\/$/, '') : path).split('/');
    for (const pattern of ordered) {
      const pathParameters = matchPath(pattern, segments);
      if (!pathParameters) continue;
      const candidates = resources.get(pattern.join('/')) ?? [];
      const route = candidates.find((one) => one.method === method) ?? candidates.find((one) => one.method === 'ANY');
      return route && { route, pathParameters };
    }
    return undefined;
  };
};

const rank = (segment: string | undefined): number => {
  if (segment === undefined) return 3;
  if (!segment.startsWith('{')) return 0;
  return segment.endsWith('+}') ? 2 : 1;
};

const byPrecision = (left: readonly string[], right: readonly string[]): number => {
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rank(left[index]) - rank(right[index]);
    if (difference !== 0) return difference;
  }
  return 0;
};

const matchPath = (pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined => {
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const [, name, plus] = /^\{([^+}]+)(\+?)\}$/.exec(part) ?? [];
    const segment = plus ? segments.slice(index).join('/') : segments[index];
    if (name === undefined ? segment !== part : !segment) return undefined;
    if (name !== undefined) parameters[name] = decodeURIComponent(segment ?? '');
    if (plus) return parameters;
  }
  return pattern.length === segments.length ? parameters : undefined;
};
