import * as v from 'valibot';
import { exchangeJson, type JsonAnswer } from '../ports/json-exchange-client.ts';

/** Authorize.Net's API in JSON: https://developer.authorize.net/api/reference/index.html */

/** `base_url`: of a stand-in on this machine. */
export type AuthorizeNetKeys = {
  api_login_id: string;
  transaction_key: string;
  environment?: 'test' | 'live' | undefined;
  base_url?: string | undefined;
};

/**
 * A request by its name, such as `getTransactionDetails`. JSON is translated into XML there, so fields must have the order of the schema:
 * https://api.authorize.net/xml/v1/schema/AnetApiSchema.xsd
 */
export type AskAuthorizeNet = (name: string, fields?: object) => Promise<JsonAnswer>;

const Answer = v.looseObject({
  messages: v.object({ resultCode: v.string(), message: v.array(v.object({ code: v.string() })) }),
});

/** The HTTP statuses that stand for Authorize.Net's errors: https://developer.authorize.net/api/reference/responseCodes.html. Others are 500. */
const statuses: Readonly<Record<string, number>> = {
  // The keys are missing, wrong or inactive.
  E00005: 401,
  E00006: 401,
  E00007: 401,
  E00008: 401,
  // The user or the account lacks the permission.
  E00010: 403,
  E00011: 403,
  // There is no such record, or no such subscription.
  E00040: 404,
  E00035: 404,
  // Assumed: the subscription cannot be cancelled, as it has ended. To be compared with https://developer.authorize.net/api/reference/responseCodes.html.
  E00038: 409,
  // The server is too busy, or closed for maintenance.
  E00053: 429,
  E00104: 429,
  // The transaction was refused; its own answer says why.
  E00027: 200,
};

/** Authorize.Net answers errors with status 200. */
const withStatus = (answer: JsonAnswer): JsonAnswer => {
  if ('failure' in answer || answer.status !== 200) return answer;
  const { success, output } = v.safeParse(Answer, answer.body);
  if (!success) return { status: 500, body: undefined };
  if (output.messages.resultCode === 'Ok') return answer;
  return { status: statuses[output.messages.message[0]?.code ?? ''] ?? 500, body: answer.body };
};

const authNetUrl = ({ environment, base_url }: AuthorizeNetKeys): string =>
  base_url ?? (environment === 'test' ? 'https://apitest.authorize.net' : 'https://api.authorize.net');

/** Transactions have no idempotency key, so they are sent once. The byte order mark of answers is dropped by `fetch`. */
export const askAuthorizeNet =
  (keys: AuthorizeNetKeys): AskAuthorizeNet =>
  async (name, fields = {}) => {
    const merchantAuthentication = { name: keys.api_login_id, transactionKey: keys.transaction_key };
    const body = JSON.stringify({ [`${name}Request`]: { merchantAuthentication, ...fields } });
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const url = `${authNetUrl(keys)}/xml/v1/request.api`;
    return withStatus(await exchangeJson(url, { method: 'POST', headers, body }, name !== 'createTransaction'));
  };
