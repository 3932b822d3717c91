import { isObject } from '#core/kernel/is-object.ts';
import { exchangeJson, type JsonAnswer } from '../ports/json-exchange-client.ts';

/** PayPal's REST API, with an access token of the app: https://developer.paypal.com/api/rest/ */

/** `base_url`: of a stand-in on this machine. */
export type PayPalKeys = {
  client_id: string;
  client_secret: string;
  webhook_id?: string | undefined;
  environment: 'test' | 'live';
  base_url?: string | undefined;
};

/** `requestId`: PayPal keeps it for 45 days, and repeats its answer to a request that has the same. */
type Request = { method?: 'GET' | 'POST'; path: string; body?: string | FormData; requestId?: string };

export type AskPayPal = (request: Request) => Promise<JsonAnswer>;

const payPalUrl = ({ environment, base_url }: PayPalKeys): string =>
  base_url ?? (environment === 'live' ? 'https://api-m.paypal.com' : 'https://api-m.sandbox.paypal.com');

const readAccess = (body: unknown): string | undefined => {
  const token = isObject(body) ? Object(body)['access_token'] : undefined;
  return typeof token === 'string' ? token : undefined;
};

const fetchToken = async (keys: PayPalKeys): Promise<{ token: string } | JsonAnswer> => {
  const basic = Buffer.from(`${keys.client_id}:${keys.client_secret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
  const init = { method: 'POST', headers, body: 'grant_type=client_credentials' };
  const answer = await exchangeJson(`${payPalUrl(keys)}/v1/oauth2/token`, init, true);
  // Without a token, nothing is sent to PayPal that could take effect.
  if ('failure' in answer) return { failure: 'unsent' };
  if (answer.status === 401 || answer.status === 403) return answer;
  const token = readAccess(answer.body);
  return token === undefined ? { failure: 'unsent' } : { token };
};

/** Asks PayPal with the keys of an app. The token is fetched once, with the first question. */
export const askPayPal = (keys: PayPalKeys): AskPayPal => {
  let fetched: ReturnType<typeof fetchToken> | undefined;
  return async ({ method = 'GET', path, body, requestId }) => {
    fetched ??= fetchToken(keys);
    const access = await fetched;
    if (!('token' in access)) return access;
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${access.token}`,
      // A form states its own type, with its boundary.
      ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...(requestId !== undefined && { 'paypal-request-id': requestId, prefer: 'return=representation' }),
    };
    const init = { method, headers, ...(body !== undefined && { body }) };
    return exchangeJson(`${payPalUrl(keys)}${path}`, init, method === 'GET' || requestId !== undefined);
  };
};
