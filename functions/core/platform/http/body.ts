import { Refusal } from '../operation/errors.ts';
import type { BodyFormat } from '../operation/operation.ts';

export const largestBytes = 256 * 1024;

/**
 * The request's body as text. Refuses one over 256 KiB (413) and one that is not UTF-8 (400).
 * A byte order mark stays, as senders sign it too. The gateway hands bodies over in base64, since it treats every media type as binary to keep their bytes.
 */
export const bodyText = (body: string | null | undefined, isBase64Encoded: boolean | undefined): string => {
  const bytes = bodyBytes(body, isBase64Encoded);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Refusal('request_invalid', 'body: must be UTF-8.', { cause });
  }
};

/** The request's body as it was sent. Refuses one over 256 KiB (413). */
export const bodyBytes = (body: string | null | undefined, isBase64Encoded: boolean | undefined): Buffer => {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > largestBytes) throw new Refusal('body_too_large', 'Send at most 262144 bytes.');
  return bytes;
};

/** RFC 2046, 5.1.1: up to 70 characters, in quotes where a sender likes them. */
const multipart =
  /^multipart\/form-data\s*;(?:[^"]*;)?\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;.*)?$/i;

/** The boundary between the parts of a multipart form; undefined for any other content type. */
export const readBoundary = (contentType: string | undefined): string | undefined => {
  const [, quoted, bare] = multipart.exec((contentType ?? '').trim()) ?? [];
  return quoted ?? bare;
};

/** Refuses a body that is compressed or otherwise encoded (415): signatures are over the bytes sent. */
export const checkEncoding = (contentEncoding: string | undefined): void => {
  const encodings = (contentEncoding ?? '').split(',').map((one) => one.trim().toLowerCase());
  if (encodings.every((one) => one === '' || one === 'identity')) return;
  throw new Refusal('content_type_unsupported', 'Send the body without Content-Encoding.', {
    headers: { 'accept-encoding': 'identity' },
  });
};

const mediaTypes: Record<BodyFormat, RegExp> = {
  json: /^application\/(?:[\w.+-]+\+)?json(?:\s*;.*)?$/i,
  multipart,
  form: /^application\/x-www-form-urlencoded(?:\s*;.*)?$/i,
};
/** ASCII is a subset of UTF-8. */
const charsets = ['utf-8', 'utf8', 'us-ascii', 'ascii'];
const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i;

/** Refuses a content type that names a charset other than UTF-8 (415). */
const checkCharset = (contentType: string): void => {
  const [, quoted, bare] = charset.exec(contentType) ?? [];
  const named = quoted ?? bare;
  if (named === undefined || charsets.includes(named.toLowerCase())) return;
  throw new Refusal('content_type_unsupported', 'Send the body as UTF-8, and name no other charset.');
};

const spellings: Record<BodyFormat, string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/** The media type of a format, without parameters. */
export const mediaTypeOf = (format: BodyFormat): string => spellings[format];

/** Which of the allowed formats the content type names; refuses any other (415). */
export const findBodyFormat = (contentType: string | undefined, allowed: readonly BodyFormat[]): BodyFormat => {
  const named = (contentType ?? '').trim();
  const format = allowed.find((candidate) => mediaTypes[candidate].test(named));
  if (format) {
    checkCharset(named);
    return format;
  }
  throw new Refusal(
    'content_type_unsupported',
    `Send Content-Type ${allowed.map((one) => spellings[one]).join(' or ')}.`,
  );
};

/** Checks whether the content type names a form where forms are taken. */
export const isAllowedForm = (contentType: string | undefined, allowed: readonly BodyFormat[]): boolean =>
  allowed.includes('form') && mediaTypes.form.test((contentType ?? '').trim());

const entryName = /^([a-z_]{1,40})\[(\d{1,3})\](?:\[([a-z_]{1,40})\])?$/;

/** One entry of a list: its fields by name, or under an empty name the entry itself. */
type Place = Map<string, unknown>;

/**
 * A form's fields with `name[]` gathered under `name`, always as a list; and `name[0]` as a list, `name[0][field]` as a list of
 * objects, in the order of the numbers. Refuses a list in which only some entries have numbers (400): the position of the
 * others depends on the order of the fields, which the parser does not keep.
 */
export const gatherLists = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const numbered = new Map<string, Map<number, Place>>();
  const others = new Map<string, unknown>();
  for (const [name, value] of Object.entries(fields)) {
    const [, list, position, field = ''] = entryName.exec(name) ?? [];
    if (list !== undefined) {
      const places = numbered.get(list) ?? new Map<number, Place>();
      const place: Place = places.get(Number(position)) ?? new Map();
      numbered.set(list, places.set(Number(position), place.set(field, value)));
    } else if (name.endsWith('[]')) others.set(name.slice(0, -2), Array.isArray(value) ? value : [value]);
    else others.set(name, value);
  }
  for (const [list, places] of numbered) {
    if (others.has(list)) {
      throw new Refusal('request_invalid', `${list}: number all its entries, as in ${list}[0], or none of them.`);
    }
    others.set(list, inOrder(places));
  }
  return Object.fromEntries(others);
};

const inOrder = (places: ReadonlyMap<number, Place>): unknown[] =>
  [...places]
    .toSorted(([left], [right]) => left - right)
    .map(([, place]) => (place.has('') ? place.get('') : Object.fromEntries(place)));
