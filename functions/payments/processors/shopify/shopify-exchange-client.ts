import * as v from 'valibot';
import { exchangeJson, type JsonAnswer } from '../ports/json-exchange-client.ts';
import { shopifyDocuments } from './shopify-documents.ts';

/** Shopify's Admin API of one shop, with a token of the merchant's app. */

/** `base_url`: of a stand-in on this machine. */
export type ShopifyKeys = {
  shop: string;
  client_id: string;
  client_secret: string;
  base_url?: string | undefined;
};

/** Each version is supported for a year: https://shopify.dev/docs/api/usage/versioning */
const version = '2026-07';

const shopUrl = ({ shop, base_url }: ShopifyKeys): string => base_url ?? `https://${shop}`;

const Token = v.object({ access_token: v.string() });

const fetchToken = async (keys: ShopifyKeys): Promise<{ token: string } | JsonAnswer> => {
  const { client_id, client_secret } = keys;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString();
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
  const url = `${shopUrl(keys)}/admin/oauth/access_token`;
  const answer = await exchangeJson(url, { method: 'POST', headers, body }, true);
  // Without a token, nothing is sent to Shopify that could take effect.
  if ('failure' in answer) return { failure: 'unsent' };
  if ([400, 401, 403, 404].includes(answer.status)) return { status: 401, body: undefined };
  const { success, output } = v.safeParse(Token, answer.body);
  return success ? { token: output.access_token } : { failure: 'unsent' };
};

const Answer = v.object({
  data: v.nullish(v.unknown()),
  errors: v.nullish(v.array(v.object({ extensions: v.nullish(v.object({ code: v.nullish(v.string(), '') })) })), []),
});

/** Errors of GraphQL come with status 200; a document that was refused before it was done has a code that says so. */
const statuses: Readonly<Record<string, number>> = { ACCESS_DENIED: 403, THROTTLED: 429 };

const unwrapAnswer = (answer: JsonAnswer): JsonAnswer => {
  if ('failure' in answer || answer.status !== 200) return answer;
  const { success, output } = v.safeParse(Answer, answer.body);
  if (!success) return { status: 500, body: undefined };
  const [first] = output.errors ?? [];
  if (first) return { status: statuses[first.extensions?.code ?? ''] ?? 500, body: undefined };
  return { status: 200, body: output.data };
};

/** `name`: of a document, or a query. */
export type AskShopify = (
  name: keyof typeof shopifyDocuments | `query ${string}`,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<JsonAnswer>;

/** `path`: within this version of the Admin API. */
export type PostToShopify = (path: string, body: object, isRepeatable: boolean) => Promise<JsonAnswer>;

/** Posts JSON to Shopify. The token is fetched once, with the first request. */
export const shopifyPost = (keys: ShopifyKeys): PostToShopify => {
  let fetched: ReturnType<typeof fetchToken> | undefined;
  return async (path, body, isRepeatable) => {
    fetched ??= fetchToken(keys);
    const access = await fetched;
    if (!('token' in access)) return access;
    const headers = { 'content-type': 'application/json', 'x-shopify-access-token': access.token };
    const url = `${shopUrl(keys)}/admin/api/${version}/${path}`;
    return exchangeJson(url, { method: 'POST', headers, body: JSON.stringify(body) }, isRepeatable);
  };
};

const documents: Readonly<Record<string, string>> = shopifyDocuments;

/** Documents that are sent once: the answer to a second try could say that it was throttled, which says nothing about the first. */
const sentOnce: readonly string[] = ['refund', 'updateEvidence'];

/** Asks Shopify; the body of an answer is its data. */
export const askShopify =
  (keys: ShopifyKeys, post = shopifyPost(keys)): AskShopify =>
  async (name, variables = {}) => {
    return unwrapAnswer(
      await post('graphql.json', { query: documents[name] ?? name, variables }, !sentOnce.includes(name)),
    );
  };
