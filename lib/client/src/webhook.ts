import type { Webhooks } from './schema.ts';

/** A call that is not Forewarn's, is too old, was changed on the way, or cannot be checked because the secret is missing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

/** The content of a notification, by its kind; of kinds that are added later, only the fields. */
export type Notification = {
  [Kind in keyof Webhooks]: {
    kind: Kind;
    /** The same on every attempt of one notification, so that you can ignore what you have seen. */
    id: string;
    fields: Webhooks[Kind];
  };
}[keyof Webhooks];

type WebhookRequest = {
  headers: Headers | Record<string, string | string[] | undefined>;
  /** As it came, before anything parsed it. */
  body: string | Uint8Array;
};

type WebhookOptions = {
  /** The signing secret of the site, `whsec_…`. A missing one is refused. */
  secret: string | undefined;
  /** Milliseconds since 1970; default: now. The local service has a clock of its own. */
  now?: number;
};

const tolerance = 300_000;
const kinds: Readonly<Record<string, keyof Webhooks>> = {
  statusupdate: 'status_update',
  alert_deadline: 'alert_deadline',
  enrollment_request_status_update: 'enrollment_update',
};

/** Verifies a webhook and reads its fields, whether they came as a form or as JSON. Throws WebhookRefused. */
export const openWebhook = async (request: WebhookRequest, options: WebhookOptions): Promise<Notification> => {
  const bytes = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : request.body;
  const header = (name: string): string => {
    const { headers } = request;
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== 'string') throw new WebhookRefused(`The header ${name} is missing.`);
    return value;
  };
  const key = await importKey(options.secret);
  const id = header('webhook-id');
  await verify(key, id, header('webhook-timestamp'), header('webhook-signature'), bytes, options.now);
  const text = new TextDecoder().decode(bytes);
  const fields = readFields(header('content-type'), text);
  const action = kinds[String(fields['action'])];
  const kind = action ?? ('txid' in fields && !('alert_type' in fields) ? 'postback' : 'new_alert');
  // The signature says that these are Forewarn's fields of that kind.
  return { kind, id, fields } as Notification;
};

/** In bytes, as Standard Webhooks asks: a shorter key is a secret that was not set, or not copied completely. */
const shortestKey = 24;

const importKey = async (secret: unknown): Promise<CryptoKey> => {
  const bytes = typeof secret === 'string' ? fromBase64(secret.trim().replace(/^whsec_/, '')) : new Uint8Array();
  if (bytes.length < shortestKey)
    throw new WebhookRefused("The signing secret is missing or too short: use the site's secret, whsec_….");
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
};

const readFields = (contentType: string, text: string): Record<string, unknown> => {
  try {
    return contentType.startsWith('application/json') ? JSON.parse(text) : fieldsOfForm(text);
  } catch {
    throw new WebhookRefused('The body cannot be read.');
  }
};

const verify = async (
  key: CryptoKey,
  id: string,
  seconds: string,
  signatures: string,
  body: Uint8Array,
  now = Date.now(),
): Promise<void> => {
  const isRecent = /^\d+$/.test(seconds) && Math.abs(now - Number(seconds) * 1000) <= tolerance;
  if (!isRecent) throw new WebhookRefused('The timestamp is more than five minutes away.');
  const head = new TextEncoder().encode(`${id}.${seconds}.`);
  const signed = new Uint8Array([...head, ...body]);
  // While a secret is rotated there are two signatures; one that is yours will do.
  for (const one of signatures.split(' ')) {
    const isOurs = one.startsWith('v1,') && (await crypto.subtle.verify('HMAC', key, fromBase64(one.slice(3)), signed));
    if (isOurs) return;
  }
  throw new WebhookRefused('No signature fits.');
};

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    throw new WebhookRefused('The signing secret or the signature is not valid base64.');
  }
};

const fieldsOfForm = (text: string): Record<string, unknown> => {
  const form = new URLSearchParams(text);
  const fields = [...new Set(form.keys())].map((name) =>
    name.endsWith('[]') ? [name.slice(0, -2), form.getAll(name)] : [name, form.get(name)],
  );
  const read = Object.fromEntries(fields);
  return { ...read, ...(read.txdetails && { txdetails: JSON.parse(read.txdetails) }) };
};
