import { Refusal } from '../operation/errors.ts';

/** No operation has more fields than this; node:querystring ignores the pairs after the first 1000. */
const maxPairs = 1000;

/** A `%` that does not begin an escape is taken literally, as browsers do; bytes that are not UTF-8 throw a URIError. */
const decode = (text: string): string =>
  decodeURIComponent(text.replaceAll('+', ' ').replaceAll(/%(?![\da-f]{2})/gi, '%25'));

const safeName = /^[\w.[\]-]{1,60}$/;

const decodedAs = (name: string, text: string): string => {
  try {
    return decode(text);
  } catch (cause) {
    const field = safeName.test(name) ? name : 'body';
    throw new Refusal('request_invalid', `${field}: must be UTF-8, percent-encoded.`, { cause });
  }
};

const encodePair = (pair: string): string => {
  const equals = pair.indexOf('=');
  const name = decodedAs('body', equals < 0 ? pair : pair.slice(0, equals));
  const value = equals < 0 ? '' : decodedAs(name, pair.slice(equals + 1));
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
};

/**
 * The same form (application/x-www-form-urlencoded) in its canonical encoding, which every parser reads alike. Refuses bytes
 * that are not UTF-8, naming the field: parsers replace them by U+FFFD, and two different texts would become one.
 */
export const canonicalForm = (text: string): string => {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > maxPairs) throw new Refusal('request_invalid', 'body: has more than 1000 fields.');
  return pairs.map(encodePair).join('&');
};
