import { isObject } from '#core/kernel/is-object.ts';
import { keepNumberText } from '#core/kernel/money/number-text.ts';
import { Refusal } from '../operation/errors.ts';

/** Comments of caches after a JSON text that are cut off. */
const maxComments = 8;

/** Cuts off what servers put around JSON: a byte order mark, and comments of caches after it. Linear in the length, whatever the text is. */
const withoutWrapping = (text: string): string => {
  let rest = text.replace(/^\ufeff+/, '').trimEnd();
  for (let found = 0; found < maxComments && rest.endsWith('-->'); found++) {
    const start = rest.lastIndexOf('<!--');
    if (start < 0) break;
    rest = rest.slice(0, start).trimEnd();
  }
  return rest;
};

/** Parses a JSON text from outside; undefined if it is not JSON. */
export const parseJson = (text: string): unknown => {
  for (const candidate of [text, withoutWrapping(text)])
    try {
      return JSON.parse(candidate);
    } catch {
      // It may be wrapped, or be no JSON.
    }
  return undefined;
};

/** Checks whether an answer has something before its JSON, or in its place: a page of HTML, or a notice of PHP. */
export const beginsOtherwise = (text: string): boolean => !/^[\s\ufeff]*(?:[[{]|$)/.test(text);

/** Why a text from outside is no JSON, in words for the owner of its sender. */
export const describeNoJson = (text: string): string => {
  if (text.includes('\ufffd')) return 'it is not text in UTF-8; it may be compressed, which was not asked for';
  if (beginsOtherwise(text)) return 'it begins with HTML or a notice of its server, such as of PHP';
  return text.trim() === '' ? 'it is empty' : 'it is not JSON';
};

const maxDepth = 32;

/** Checks whether a careless copy of an object with this entry would get another prototype. The parser refuses the same keys. */
const isForbidden = (key: string, value: unknown): boolean =>
  key === '__proto__' || (key === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype'));

/** A JSON body with its numbers as they were sent (see keepNumberText). Throws request_invalid, which never repeats the body. */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text, (key: string, value: unknown, context?: { source?: string }) => {
      if (isForbidden(key, value)) throw new SyntaxError('A key names a prototype');
      return keepNumberText(key, value, context);
    });
  } catch {
    throw new Refusal('request_invalid', 'body: is not valid JSON, or nests more than 32 levels deep.');
  }
};

/**
 * The same JSON with every number quoted that a parser would misread, such as a 19-digit `card_no` or `1e3`. Refuses what
 * readJson refuses, and more than 32 levels.
 */
export const canonicalJson = (text: string): string => {
  const value = readJson(text);
  if (isTooDeep(value)) throw new Refusal('request_invalid', 'body: nests more than 32 levels deep.');
  return JSON.stringify(value);
};

/** True if arrays and objects nest more than 32 deep. Looks no deeper than that. */
export const isTooDeep = (value: unknown, depth = 0): boolean => {
  if (!isObject(value)) return false;
  if (depth >= maxDepth) return true;
  return Object.values(value).some((entry) => isTooDeep(entry, depth + 1));
};
