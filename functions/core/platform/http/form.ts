import { Refusal } from '../operation/errors.ts';

/** No call of ours has more fields than this. */
const mostPairs = 1000;

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

/**
 * A form's fields (application/x-www-form-urlencoded) in their order; repeated ones as a list. Refuses bytes that are not
 * UTF-8, naming the field: replaced by U+FFFD, two different texts would become one.
 */
export const readForm = (text: string): Record<string, string | string[]> => {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > mostPairs) throw new Refusal('request_invalid', 'body: has more than 1000 fields.');
  const fields = new Map<string, string[]>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = decodedAs('body', equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodedAs(name, pair.slice(equals + 1));
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  );
};
