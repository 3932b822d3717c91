import type { APIGatewayProxyEvent } from 'aws-lambda';
import { callerAt } from '#test/support/gateway-caller.ts';
import { getHandler, type OperationName } from './functions.ts';
import type { World } from './world/world.ts';

export type Call = {
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string>>;
  /** The authorizer's context of the caller's token; null: it carried none. */
  caller?: Readonly<Record<string, string>> | null;
};
export type Reply = { status: number; body: Record<string, unknown> };

/** The gateway's time limit for a function. */
const timeoutSeconds = 29;

/**
 * Calls an operation as the gateway does; a function that dies or takes too long is answered for with 502. `isMortal`: whether
 * it may be killed.
 */
export const callOnce = (world: World, name: OperationName, call: Call, then: (reply: Reply) => void): void => {
  world.lambda.invoke({ name, timeoutSeconds }, getHandler(world, name), toEvent(name, call), (end) => {
    if (end.kind !== 'done') return then({ status: 502, body: {} });
    const { statusCode, body } = end.value;
    world.onText(`answer of ${name}`, name === 'merchants/create-site' ? '' : body);
    world.note(`${name} answered ${statusCode}`);
    then({ status: statusCode, body: parse(body) });
  });
};

const parse = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { text };
  }
};

const maxAttempts = 60;

/**
 * Calls an operation until its result is known, as careful callers do: again after a while for as long as the service fails.
 * `make` is called for each try, as signatures age.
 */
export const callUntilKnown = (
  world: World,
  name: OperationName,
  make: () => Call,
  then: (reply: Reply) => void,
  tries = 1,
): void => {
  callOnce(world, name, make(), (reply) => {
    if (reply.status < 500 || tries >= maxAttempts) return then(reply);
    world.timeline.after(Math.min(600_000, 500 * 2 ** Math.min(tries, 10)), () =>
      callUntilKnown(world, name, make, then, tries + 1),
    );
  });
};

const texts = (values: Readonly<Record<string, string | number>> | undefined): Record<string, string> | null =>
  values ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])) : null;

const toEvent = (name: OperationName, { body, headers, params, query, caller = null }: Call): APIGatewayProxyEvent => ({
  path: `/${name}`,
  resource: `/${name}`,
  httpMethod: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  multiValueHeaders: {},
  queryStringParameters: texts(query),
  multiValueQueryStringParameters: null,
  pathParameters: texts(params),
  stageVariables: null,
  body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  isBase64Encoded: false,
  requestContext: {
    accountId: '000000000000',
    apiId: 'api',
    authorizer: caller,
    protocol: 'HTTP/1.1',
    httpMethod: 'POST',
    identity: callerAt('192.0.2.1'),
    path: `/${name}`,
    stage: 'simulation',
    requestId: 'request',
    requestTimeEpoch: 0,
    resourceId: 'resource',
    resourcePath: `/${name}`,
  },
});
