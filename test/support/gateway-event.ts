import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { callerAt } from './gateway-caller.ts';
import { learn, watchAnswer } from './secret-leak-scan.ts';

type Change = Partial<Pick<APIGatewayProxyEvent, 'path' | 'body' | 'isBase64Encoded'>> & {
  headers?: Record<string, string>;
  pathParameters?: Record<string, string>;
  query?: Record<string, string>;
  /** The context from the gateway's authorizer; null: no authorizer ran. */
  authorizer?: Record<string, string> | null;
  requestId?: string;
  /** Default POST. */
  method?: string;
};

/** An event as the REST gateway hands it to a function, changed as asked. */
export const gatewayEvent = (change: Change = {}): APIGatewayProxyEvent => {
  const {
    path = '/',
    method = 'POST',
    body = null,
    isBase64Encoded = false,
    headers = {},
    query = null,
    authorizer = null,
  } = change;
  return {
    path,
    resource: path,
    httpMethod: method,
    headers,
    multiValueHeaders: {},
    queryStringParameters: query,
    multiValueQueryStringParameters: null,
    pathParameters: change.pathParameters ?? null,
    stageVariables: null,
    body,
    isBase64Encoded,
    requestContext: { ...requestContext(path, authorizer), ...(change.requestId && { requestId: change.requestId }) },
  };
};

const requestContext = (
  path: string,
  authorizer: Record<string, string> | null,
): APIGatewayProxyEvent['requestContext'] => ({
  accountId: '000000000000',
  apiId: 'api',
  authorizer,
  httpMethod: 'POST',
  identity: callerAt('127.0.0.1'),
  path,
  protocol: 'HTTP/1.1',
  requestId: 'request-1',
  requestTimeEpoch: 0,
  resourceId: 'resource',
  resourcePath: path,
  stage: 'test',
});

/** Lambda's context of a call. */
export const lambdaContext: Context = {
  awsRequestId: 'request-1',
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'test',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:000000000000:function:test',
  logGroupName: '',
  logStreamName: '',
  memoryLimitInMB: '256',
  getRemainingTimeInMillis: () => 30_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};

/** `body`: text where it is no JSON; bytes where it is no text. */
export type Answer = { status: number; headers: Record<string, unknown>; body: unknown };

/** Calls a function's handler as Lambda does and reads its reply. */
export const call = async (
  handler: (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>,
  event: APIGatewayProxyEvent,
): Promise<Answer> => {
  learn(JSON.stringify(event));
  const { statusCode, headers = {}, body, isBase64Encoded } = await handler(event, lambdaContext);
  watchAnswer(event.path, body, headers);
  if (isBase64Encoded) return { status: statusCode, headers, body: Buffer.from(body, 'base64') };
  const isJson = String(headers['content-type']).startsWith('application/json');
  return { status: statusCode, headers, body: isJson ? JSON.parse(body) : body };
};
