import { holdsCardNumber, maskCardNumbers } from '#core/kernel/card/card-numbers.ts';

/** Names whose values are always secrets. Compared in lower case without `-` and `_`. */
const secretNames = new Set([
  'rcode',
  'token',
  'accesstoken',
  'authorization',
  'password',
  'secret',
  'signingsecret',
  'hash',
  'vrfy',
  'cvv',
  'cardccv',
  'ccv',
  'cardno',
  'card',
  'accountnumber',
  'webhooksignature',
  'xsignature',
  'authvalue',
  'miscdata',
]);

/** Fields with long numbers that are not card numbers: our ids and acquirers' references. A card number sent in place of one is still masked. */
const idNames = new Set(['alertid', 'txid', 'parenttxid', 'duplicatealertid', 'arn', 'id']);

const bareName = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

const secretLike = [
  /\bwhsec_[\w+/=-]+/g,
  /\b[sr]k_(?:test|live)_\w+/g,
  /\bfwk_\d+_[\w-]+/g,
  /\bBearer\s+\S+/gi,
  /\bv1[,=][\w+/=-]{20,}/g,
  /\b(?:rcode|hash|token|password|vrfy)=[^&\s"]+/gi,
];

/** Parts joined by dots, each looked at once: a pattern for a whole token would start again at each of its letters. */
const dotted = /[\w-]+(?:\.[\w-]*)*/g;
const redacted = '[redacted]';

/** Without tokens (RFC 7519): three parts, of which the first is a JSON object in base 64 and so begins with `eyJ`. */
const withoutTokens = (text: string): string =>
  text.replace(dotted, (parts) => {
    const start = parts.indexOf('eyJ');
    if (start < 0) return parts;
    const [, claims, signature] = parts.slice(start).split('.', 3);
    return claims && signature !== undefined ? `${parts.slice(0, start)}${redacted}` : parts;
  });

/** Masks what must never be written: card numbers (first six and last four stay) and secrets in free text. */
export const redactText = (text: string): string =>
  secretLike.reduce((result, pattern) => result.replace(pattern, redacted), withoutTokens(maskCardNumbers(text)));

/** A copy of plain data that is safe to log: secrets recognised by name and by form, at any depth. Cycles end as `[cycle]`. */
export const redact = (value: unknown, name = '', seen: ReadonlySet<unknown> = new Set()): unknown => {
  if (value === undefined || value === null) return value;
  if (secretNames.has(bareName(name))) return '[redacted]';
  if (typeof value === 'string') return isOwnNumber(name, value) ? value : redactText(value);
  if (typeof value === 'number') return isOwnNumber(name, String(value)) ? value : redactNumber(value);
  if (typeof value === 'bigint') return redactText(String(value));
  if (typeof value !== 'object') return value;
  if (seen.has(value)) return '[cycle]';
  const within = new Set(seen).add(value);
  if (Array.isArray(value)) return value.map((entry) => redact(entry, name, within));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, redact(entry, key, within)]));
};

const isOwnNumber = (name: string, text: string): boolean => idNames.has(bareName(name)) && !holdsCardNumber(text);

const redactNumber = (value: number): number | string => {
  const text = redactText(String(value));
  return text === String(value) ? value : text;
};
