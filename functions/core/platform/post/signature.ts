import { createHmac } from 'node:crypto';
import { equalSecrets } from '#core/kernel/crypto.ts';

export type SignatureHeaders = { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string };

const prefix = 'whsec_';

/** The key inside a `whsec_` secret. The error does not repeat the secret. */
const readSigningSecret = (secret: string): Buffer => {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : '', 'base64');
  if (key.length === 0) throw new Error(`A signing secret must be ${prefix} followed by base64`);
  return key;
};

/**
 * The three headers of Standard Webhooks 1.0.0 for one attempt: HMAC-SHA256 over `id.timestamp.body`, of the body's bytes
 * as they are sent, once per secret. While a secret is being rotated there are two (newest first), and a receiver who
 * holds either of them can verify. `timestampSeconds` is that of the attempt; `id` stays the same on every attempt.
 * Throws if there is no secret or a malformed one: nothing leaves unsigned.
 */
export const signatureHeaders = ({
  id,
  timestampSeconds,
  body,
  secrets,
}: {
  id: string;
  timestampSeconds: number;
  body: string | Uint8Array;
  secrets: readonly string[];
}): SignatureHeaders => {
  if (secrets.length === 0) throw new Error('A notification cannot be signed without a signing secret');
  const timestamp = String(Math.floor(timestampSeconds));
  const sign = (secret: string) =>
    createHmac('sha256', readSigningSecret(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
};

/** The oldest that a signed message may be: https://www.standardwebhooks.com recommends five minutes. */
const toleranceSeconds = 300;

type Received = {
  /** In lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
  secret: string;
  nowSeconds: number;
};

/** Checks whether a message was signed by Standard Webhooks 1.0.0 with a secret, not longer than five minutes ago. */
export const isSignedWebhook = ({ headers, body, secret, nowSeconds }: Received): boolean => {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': sent = '' } = headers;
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Number(timestamp) - nowSeconds) > toleranceSeconds) return false;
  const timestampSeconds = Number(timestamp);
  const expected = signatureHeaders({ id, timestampSeconds, body, secrets: [secret] })['webhook-signature'];
  return sent.split(' ').some((one) => equalSecrets(one, expected));
};
