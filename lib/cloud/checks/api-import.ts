import { asFields, isFields } from '#core/kernel/is-object.ts';
import { at, type Fields, toList } from './stack-templates.ts';

/**
 * Checks an API definition as API Gateway's import does, and returns what it would refuse.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html#api-gateway-known-issues-rest-apis
 */
export const checkApiImport = (definition: unknown): string[] => {
  const paths = Object.entries(asFields(at(definition, 'paths')));
  return [
    ...checkVersion(definition),
    ...paths.flatMap(([path]) => checkParts(path)),
    ...checkVariables(paths.map(([path]) => path)),
    ...checkMethods(paths),
    ...paths.flatMap(([path, item]) => checkIntegrations(definition, path, asFields(item))),
    ...checkModels(definition),
    ...checkAuthorizers(definition),
    ...checkGatewayResponses(definition),
  ];
};

const checkVersion = (definition: unknown): string[] => {
  const version = String(at(definition, 'openapi'));
  return /^3\.0\.\d$/.test(version) ? [] : [`openapi: ${version} is not imported; 3.0 is`];
};

const splitPath = (path: string): string[] => path.split('/').filter((part) => part !== '');
const isVariable = (part: string): boolean => part.startsWith('{');

/** A variable is a whole part; only the last may be greedy. */
const checkParts = (path: string): string[] =>
  splitPath(path).flatMap((part, index, parts) => {
    if (!/^(?:[\w.\-:]+|\{[\w.\-:]+\+?\})$/.test(part)) return [`${path}: "${part}" cannot be a part of a path`];
    return part.endsWith('+}') && index < parts.length - 1 ? [`${path}: ${part} must be the last part`] : [];
  });

/** Below one resource, all variables have the same name. */
const checkVariables = (paths: readonly string[]): string[] => {
  const names = new Map<string, string>();
  return paths.flatMap((path) =>
    splitPath(path).flatMap((part, index, parts) => {
      if (!isVariable(part)) return [];
      const parent = normalizePath(parts.slice(0, index).join('/'));
      const other = names.get(parent) ?? part;
      names.set(parent, other);
      return other === part ? [] : [`${path}: ${part} and ${other} are variables at the same place`];
    }),
  );
};

/** The resource of a path: without empty parts and whatever the variables are called. */
const normalizePath = (path: string): string =>
  `/${splitPath(path)
    .map((part) => (isVariable(part) ? '{}' : part))
    .join('/')}`;

const anyMethod = 'x-amazon-apigateway-any-method';
const methodNames = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', anyMethod];

/** Paths that differ in a slash at the end are one resource, on which a method may be declared once. */
const checkMethods = (paths: readonly (readonly [string, unknown])[]): string[] => {
  const seen = new Map<string, string>();
  return paths.flatMap(([path, item]) =>
    Object.keys(asFields(item)).flatMap((method) => {
      if (method === 'parameters') return [];
      if (!methodNames.includes(method)) return [`${path}: ${method} is no method`];
      const place = `${method} ${normalizePath(path)}`;
      const other = seen.get(place);
      seen.set(place, path);
      return other === undefined ? [] : [`${path}: ${method} is declared on ${other} too, which is the same resource`];
    }),
  );
};

const checkIntegrations = (definition: unknown, path: string, item: Fields): string[] =>
  Object.entries(item)
    .filter(([method]) => methodNames.includes(method))
    .flatMap(([method, operation]) =>
      [
        ...checkIntegration(at(operation, 'x-amazon-apigateway-integration')),
        ...checkParameters(path, method, operation),
        ...checkSecurity(definition, operation),
      ].map((what) => `${method} ${path}: ${what}`),
    );

const checkIntegration = (integration: unknown): string[] => {
  if (!isFields(integration)) return ['has no integration'];
  const { type, httpMethod, uri, credentials, timeoutInMillis } = integration;
  return [
    ...(['aws', 'aws_proxy', 'http', 'http_proxy', 'mock'].includes(String(type)) ? [] : [`unknown type ${type}`]),
    ...(type === 'aws_proxy' && httpMethod !== 'POST' ? ['a function is invoked by POST'] : []),
    ...(type === 'aws_proxy' && !/lambda:path\/2015-03-31\/functions\/.+\/invocations/.test(JSON.stringify(uri ?? ''))
      ? ['the address of the function is not one of the gateway']
      : []),
    ...(credentials === undefined ? ['nothing allows the gateway to invoke the function'] : []),
    ...(timeoutInMillis !== undefined && !(Number(timeoutInMillis) >= 50 && Number(timeoutInMillis) <= 29_000)
      ? ['the timeout is not between 50 and 29,000 ms']
      : []),
  ];
};

/** Each variable of the path is declared, except for methods that say nothing about their parameters. */
const checkParameters = (path: string, method: string, operation: unknown): string[] => {
  if (method === anyMethod) return [];
  const variables = splitPath(path).filter(isVariable);
  const declared = toList(at(operation, 'parameters')).filter((one) => at(one, 'in') === 'path');
  const names = declared.map((one) => String(at(one, 'name')));
  return variables
    .map((part) => part.slice(1, -1).replace(/\+$/, ''))
    .filter((name) => !names.includes(name))
    .map((name) => `the variable ${name} is not declared`);
};

const readSchemes = (definition: unknown): Fields => asFields(at(definition, 'components', 'securitySchemes'));

const checkSecurity = (definition: unknown, operation: unknown): string[] =>
  toList(at(operation, 'security'))
    .flatMap((one) => Object.keys(asFields(one)))
    .filter((name) => !(name in readSchemes(definition)))
    .map((name) => `there is no security scheme ${name}`);

const unsupportedKeywords = ['discriminator', 'exclusiveMinimum', 'oneOf', 'readOnly'];

const checkModels = (definition: unknown): string[] => {
  const models = asFields(at(definition, 'components', 'schemas'));
  const references = [...JSON.stringify(definition).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  return [
    ...Object.entries(models).flatMap(([name, model]) => [
      ...(/^[a-zA-Z0-9]+$/.test(name) ? [] : [`model ${name}: the name has letters and digits only`]),
      ...unsupportedKeywords
        .filter((word) => JSON.stringify(model).includes(`"${word}":`))
        .map((word) => `model ${name}: ${word} is not supported`),
    ]),
    ...references.flatMap(([, name = '']) => (name in models ? [] : [`there is no model ${name}`])),
  ];
};

const checkAuthorizers = (definition: unknown): string[] =>
  Object.entries(readSchemes(definition)).flatMap(([name, scheme]) => {
    const authorizer = at(scheme, 'x-amazon-apigateway-authorizer');
    const cached = Number(at(authorizer, 'authorizerResultTtlInSeconds') ?? 0);
    return [
      ...(at(scheme, 'type') === 'apiKey' ? [] : [`security scheme ${name}: only apiKey is imported`]),
      ...(['token', 'request'].includes(String(at(authorizer, 'type'))) ? [] : [`authorizer ${name}: unknown type`]),
      ...(cached >= 0 && cached <= 3600 ? [] : [`authorizer ${name}: a result is cached for 3,600 seconds at most`]),
      ...(isPattern(at(authorizer, 'identityValidationExpression')) ? [] : [`authorizer ${name}: not a pattern`]),
    ];
  });

const isPattern = (text: unknown): boolean => {
  try {
    return new RegExp(String(text ?? '')) instanceof RegExp;
  } catch {
    return false;
  }
};

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html */
const responseTypes = [
  ...['ACCESS_DENIED', 'API_CONFIGURATION_ERROR', 'AUTHORIZER_CONFIGURATION_ERROR', 'AUTHORIZER_FAILURE'],
  ...['BAD_REQUEST_PARAMETERS', 'BAD_REQUEST_BODY', 'DEFAULT_4XX', 'DEFAULT_5XX', 'EXPIRED_TOKEN'],
  ...['INTEGRATION_FAILURE', 'INTEGRATION_TIMEOUT', 'INVALID_API_KEY', 'INVALID_SIGNATURE'],
  ...['MISSING_AUTHENTICATION_TOKEN', 'QUOTA_EXCEEDED', 'REQUEST_TOO_LARGE', 'RESOURCE_NOT_FOUND', 'THROTTLED'],
  ...['UNAUTHORIZED', 'UNSUPPORTED_MEDIA_TYPE', 'WAF_FILTERED'],
];

const checkGatewayResponses = (definition: unknown): string[] =>
  Object.entries(asFields(at(definition, 'x-amazon-apigateway-gateway-responses'))).flatMap(([type, response]) => [
    ...(responseTypes.includes(type) ? [] : [`gateway response ${type}: there is no such type`]),
    ...(at(response, 'statusCode') === undefined || /^[1-5]\d\d$/.test(String(at(response, 'statusCode')))
      ? []
      : [`gateway response ${type}: the status has three digits`]),
    ...Object.entries(asFields(at(response, 'responseParameters'))).flatMap(([name, value]) =>
      checkParameter(name, String(value)).map((what) => `gateway response ${type}: ${what}`),
    ),
    ...Object.values(asFields(at(response, 'responseTemplates'))).flatMap((template) =>
      checkTemplate(String(template)).map((what) => `gateway response ${type}: ${what}`),
    ),
  ]);

const checkParameter = (name: string, value: string): string[] => [
  ...(/^gatewayresponse\.header\.[\w-]+$/.test(name) ? [] : [`${name} is no header of a gateway response`]),
  ...(/^(?:'[^']*'|context\.[\w.]+|method\.request\.(?:header|querystring|path)\.[\w-]+|stageVariables\.\w+)$/.test(
    value,
  )
    ? []
    : [`${name}: ${value} is neither a text in quotes nor something that the gateway knows`]),
];

/** A template of a gateway response knows `$context` and nothing else; what it makes of it must be JSON. */
const checkTemplate = (template: string): string[] => {
  const unknown = [...template.matchAll(/\$(?!context\.[\w.]+)[\w.]*/g)].map(([found]) => found);
  try {
    JSON.parse(template.replace(/\$context\.[\w.]+/g, 'x'));
  } catch {
    return [`the template makes no JSON: ${template}`];
  }
  return unknown.map((found) => `the template cannot know ${found}`);
};

/** API Gateway's quota of resources of one API; Service Quotas raises it. */
export const resourceQuota = 300;

/** Counts the resources that an import creates for the paths: each path and whatever is above it. */
export const countApiResources = (definition: unknown): number =>
  new Set(
    Object.keys(asFields(at(definition, 'paths'))).flatMap((path) =>
      ['', ...splitPath(path)].map((_, index) => normalizePath(splitPath(path).slice(0, index).join('/'))),
    ),
  ).size;
