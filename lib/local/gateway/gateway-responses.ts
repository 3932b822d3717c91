import type { GatewayResponse } from './routes.ts';

/** The gateway's own answers, with the status each has unless the definition says otherwise. */
const statuses = {
  MISSING_AUTHENTICATION_TOKEN: 403,
  UNAUTHORIZED: 401,
  ACCESS_DENIED: 403,
  REQUEST_TOO_LARGE: 413,
  WAF_FILTERED: 403,
  THROTTLED: 429,
  BAD_REQUEST_PARAMETERS: 400,
  AUTHORIZER_CONFIGURATION_ERROR: 500,
  INTEGRATION_TIMEOUT: 504,
  /** A function that failed or answered what is no reply: 502, and no type of its own. */
  DEFAULT_5XX: 502,
} as const;

export type ResponseType = keyof typeof statuses;

export type HttpReply = { status: number; headers: Record<string, string | string[]>; body: string | Buffer };

const messages: Readonly<Record<ResponseType, string>> = {
  MISSING_AUTHENTICATION_TOKEN: 'Missing Authentication Token',
  UNAUTHORIZED: 'Unauthorized',
  ACCESS_DENIED: 'User is not authorized to access this resource',
  REQUEST_TOO_LARGE: 'Request Too Long',
  WAF_FILTERED: 'Forbidden',
  THROTTLED: 'Too Many Requests',
  BAD_REQUEST_PARAMETERS: 'Invalid request',
  AUTHORIZER_CONFIGURATION_ERROR: 'Internal server error',
  INTEGRATION_TIMEOUT: 'Endpoint request timed out',
  DEFAULT_5XX: 'Internal server error',
};

/**
 * An answer of the gateway itself, as the definition words it.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export const gatewayReply = (
  responses: Readonly<Record<string, GatewayResponse>>,
  type: ResponseType,
  requestId: string,
  authorizer: Readonly<Record<string, unknown>> = {},
): HttpReply => {
  const status = statuses[type];
  const general = responses[status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX'];
  const declared = responses[type] ?? general;
  const context: Readonly<Record<string, string>> = {
    'context.requestId': requestId,
    'context.extendedRequestId': requestId,
    'context.error.message': messages[type],
    'context.error.messageString': JSON.stringify(messages[type]),
    'context.error.responseType': type,
    'context.error.validationErrorString': '',
    ...Object.fromEntries(
      Object.entries(authorizer).map(([name, value]) => [`context.authorizer.${name}`, String(value)]),
    ),
  };
  const template = declared?.responseTemplates['application/json'] ?? '{"message":$context.error.messageString}';
  const headers = Object.entries(declared?.responseParameters ?? {}).flatMap(([name, value]) => {
    const [, header] = /^gatewayresponse\.header\.(.+)$/.exec(name) ?? [];
    return header === undefined ? [] : [[header.toLowerCase(), headerValue(value, context)] as const];
  });
  return {
    status: Number(declared?.statusCode ?? status),
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': type, ...Object.fromEntries(headers) },
    body: template.replace(/\$(context\.[\w.]+\w)/g, (whole, name: string) => context[name] ?? whole),
  };
};

/** A header's value: `'text'` or the name of something in the context. */
const headerValue = (value: string, context: Readonly<Record<string, string>>): string =>
  /^'(.*)'$/.exec(value)?.[1] ?? context[value] ?? '';
