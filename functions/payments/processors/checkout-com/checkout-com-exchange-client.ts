import { exchangeJson, type JsonAnswer } from '../ports/json-exchange-client.ts';

/** Checkout.com's API: https://api-reference.checkout.com/ */

/** `prefix`: the first part of the account's own address. `base_url`: of a stand-in on this machine. */
export type CheckoutComKeys = {
  secret_key: string;
  prefix: string;
  webhook_key?: string | undefined;
  base_url?: string | undefined;
};

/** `key`: the idempotency key of what the request does; absent if it only reads, or if repeating it changes nothing. */
type Request = { method?: 'POST' | 'PUT' | 'DELETE'; path: string; body?: object; key?: string };

const checkoutUrl = ({ secret_key, prefix, base_url }: CheckoutComKeys): string => {
  const domain = secret_key.startsWith('sk_sbox_') ? 'api.sandbox.checkout.com' : 'api.checkout.com';
  return base_url ?? `https://${prefix}.${domain}`;
};

export type AskCheckoutCom = (request: Request) => Promise<JsonAnswer>;

/** Every request may be sent twice. A form states its own type, with its boundary. */
export const askCheckout =
  (keys: CheckoutComKeys): AskCheckoutCom =>
  ({ method, path, body, key }) =>
    exchangeJson(
      `${checkoutUrl(keys)}${path}`,
      {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${keys.secret_key}`,
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'cko-idempotency-key': key }),
        },
        ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      },
      true,
    );
