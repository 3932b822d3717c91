import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import { account } from '../template/resolver.ts';
import type { Definition, Match } from './routes.ts';

export type ReceivedRequest = {
  request: IncomingMessage;
  url: URL;
  body: Buffer;
  requestId: string;
  match: Match;
  /** The context from the authorizer. */
  authorizer: Readonly<Record<string, unknown>>;
};

/**
 * The event a function gets from a REST API with a proxy integration.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-input-format
 */
export const proxyEvent = (
  received: ReceivedRequest,
  { definition, stage, clock }: { definition: Definition; stage: string; clock: Clock },
) => {
  const { request, url, body, match } = received;
  const headers = groupByName(pairs(request.rawHeaders));
  const query = groupByName([...url.searchParams]);
  const isBinary = definition['x-amazon-apigateway-binary-media-types'].some((type) => isOfType(type, request));
  return {
    resource: match.route.resource,
    path: url.pathname,
    httpMethod: request.method,
    headers: pickLast(headers),
    multiValueHeaders: headers,
    queryStringParameters: orNull(pickLast(query)),
    multiValueQueryStringParameters: orNull(query),
    pathParameters: orNull(match.pathParameters),
    stageVariables: null,
    requestContext: requestContext(received, stage, clock.now()),
    body: body.length === 0 ? null : body.toString(isBinary ? 'base64' : 'utf8'),
    isBase64Encoded: isBinary && body.length > 0,
  };
};

const requestContext = (
  { request, url, requestId, match, authorizer }: ReceivedRequest,
  stage: string,
  now: number,
) => ({
  accountId: account,
  apiId: 'local',
  stage,
  resourceId: 'local',
  resourcePath: match.route.resource,
  path: url.pathname,
  httpMethod: request.method,
  protocol: `HTTP/${request.httpVersion}`,
  requestId,
  requestTime: new Date(now).toUTCString(),
  requestTimeEpoch: now,
  domainName: request.headers.host,
  identity: {
    sourceIp: request.socket.remoteAddress,
    userAgent: request.headers['user-agent'] ?? null,
    clientCert: clientCertificate(request),
  },
  ...(match.route.authorizer && { authorizer }),
});

/** The local stack has no certificates: callers name their subject in this header, which a deployment ignores. */
const clientCertificate = ({ headers }: IncomingMessage) => {
  const subjectDN = headers['x-local-client-subject'];
  return subjectDN === undefined ? null : { subjectDN };
};

const pairs = (flat: readonly string[]): [string, string][] =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] satisfies [string, string]] : []));

const groupByName = (entries: readonly (readonly [string, string])[]): Record<string, string[]> => {
  const groups = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries([...groups].map(([name, values]) => [name, values.map(([, value]) => value)]));
};

const pickLast = (groups: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(groups).map(([name, values]) => [name, values.at(-1) ?? '']));

const orNull = <T extends object>(value: T): T | null => (Object.keys(value).length === 0 ? null : value);

const isOfType = (type: string, request: IncomingMessage): boolean =>
  type === '*/*' || (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === type;
