import { isFields } from '#core/kernel/is-object.ts';

/** EMVCo's messages travel through browsers as JSON in base64url without padding; many issuers pad anyway. */

const encoded = /^[A-Za-z0-9_+/-]+={0,2}$/;
const longest = 65_536;

export const toBase64Url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * A message from base64url or base64, padded or not, also in lines, or with blanks for `+`, as a form that is not escaped has it; undefined if it
 * is not one. Never throws.
 */
export const fromBase64Url = (text: string): Readonly<Record<string, unknown>> | undefined => {
  const lines = text.trim().replace(/[\r\n\t]+ */g, '');
  return decode(lines.replaceAll(' ', '+')) ?? decode(lines.replaceAll(' ', ''));
};

const decode = (trimmed: string): Readonly<Record<string, unknown>> | undefined => {
  if (trimmed.length > longest || !encoded.test(trimmed)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(trimmed, 'base64url').toString('utf8'));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** UUIDs are the same in upper and lower case (RFC 9562). */
export const isSameUuid = (one: unknown, other: unknown): boolean =>
  isUuid(one) && isUuid(other) && one.toLowerCase() === other.toLowerCase();
export const isUuid = (text: unknown): text is string => typeof text === 'string' && uuid.test(text);
