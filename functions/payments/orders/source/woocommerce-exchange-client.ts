import { webhookUrlRules } from '#accounts/merchants/settings/url-rules.ts';
import { callGuarded, type GuardedAnswer } from '#core/platform/post/guarded-call-client.ts';

/**
 * The REST API of a WooCommerce shop, version 3: https://woocommerce.github.io/woocommerce-rest-api-docs/. The keys are a
 * username and a password: https://woocommerce.github.io/woocommerce-rest-api-docs/#authentication-over-https
 */
export type WooKeys = { consumer_key: string; consumer_secret: string };

const limits = { timeoutMilliseconds: 15_000, maxBytes: 8 * 1024 * 1024 };

/** With fields, a POST, by which WordPress edits as by PUT: https://developer.wordpress.org/reference/classes/wp_rest_server/ (EDITABLE). */
export type AskWoo = (path: string, query: Record<string, string>, fields?: object) => Promise<GuardedAnswer>;

export const askWooWith = (baseUrl: string, { consumer_key: key, consumer_secret: secret }: WooKeys): AskWoo => {
  const headers = {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
    'user-agent': 'Forewarn',
  };
  return (path, query, fields) => {
    const url = `${baseUrl.replace(/\/+$/, '')}/wp-json/wc/v3/${path}?${new URLSearchParams(query)}`;
    if (fields === undefined) return callGuarded({ url, headers }, webhookUrlRules(), limits);
    const body = JSON.stringify(fields);
    const typed = { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    return callGuarded({ url, headers: typed, body }, webhookUrlRules(), limits);
  };
};
