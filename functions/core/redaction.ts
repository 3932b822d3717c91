import { passesLuhn } from './luhn.ts';

/** Names whose values are secrets wherever they stand. Compared in lower case without `-` and `_`. */
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

/** Our own numbers that may look like a card number and are none. */
const idNames = new Set(['alertid', 'txid', 'parenttxid', 'duplicatealertid', 'arn', 'id']);

const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

/** 13 to 19 digits, perhaps in groups; schemes' numbers start with 2 to 6. */
const cardLike = /(?<!\d)[2-6](?:[ ./_-]?\d){12,18}(?!\d)/g;
const secretLike = [
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  /\bwhsec_[\w+/=-]+/g,
  /\b[sr]k_(?:test|live)_\w+/g,
  /\bBearer\s+\S+/gi,
  /\bv1[,=][\w+/=-]{20,}/g,
  /\b(?:rcode|hash|token|password|vrfy)=[^&\s"]+/gi,
];

/** Masks what must not be written anywhere: card numbers (first six and last four stay) and secrets in free text. */
export const redactText = (text: string): string => {
  const withoutCards = text.replace(cardLike, (match) => {
    const digits = match.replace(/\D/g, '');
    return passesLuhn(digits) ? `${digits.slice(0, 6)}******${digits.slice(-4)}` : match;
  });
  return secretLike.reduce((result, pattern) => result.replace(pattern, '[redacted]'), withoutCards);
};

/** A copy of plain data that is safe to log: secrets by name and by look, at any depth. Cycles end as `[cycle]`. */
export const redact = (value: unknown, name = '', seen: ReadonlySet<unknown> = new Set()): unknown => {
  if (value === undefined || value === null) return value;
  if (secretNames.has(plain(name))) return '[redacted]';
  if (typeof value === 'string') return idNames.has(plain(name)) ? value : redactText(value);
  if (typeof value === 'number') return idNames.has(plain(name)) ? value : redactNumber(value);
  if (typeof value === 'bigint') return redactText(String(value));
  if (typeof value !== 'object') return value;
  if (seen.has(value)) return '[cycle]';
  const within = new Set(seen).add(value);
  if (Array.isArray(value)) return value.map((entry) => redact(entry, name, within));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, redact(entry, key, within)]));
};

const redactNumber = (value: number): number | string => {
  const text = redactText(String(value));
  return text === String(value) ? value : text;
};
