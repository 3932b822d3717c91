import * as v from 'valibot';
import { CardMasked } from '#core/kernel/schema/text.ts';
import { parseJson } from '#core/platform/http/json.ts';

/** The issuer's data about the payer's browser: what the page's script collected, and what the request itself contains. */

const words =
  'must be the JSON object that the SDK makes: language, colorDepth, screenHeight, screenWidth, timezone, userAgent';
const whole = (least: number, most: number) =>
  v.pipe(v.number(words), v.integer(words), v.minValue(least, words), v.maxValue(most, words));

/** The color depths for which EMVCo has a code. */
const colorDepths = [48, 32, 24, 16, 15, 8, 4, 1] as const;
/** A depth that has no code, such as the 30 bits of some screens, counts as the next lower one. */
export const nearestColorDepth = (bits: number): number => colorDepths.find((known) => known <= bits) ?? 1;

const longestUserAgent = 2048;
const longestLanguage = 8;

const BrowserFields = v.object(
  {
    javaEnabled: v.optional(v.boolean(words), false),
    javascriptEnabled: v.optional(v.literal(true, words), true),
    language: v.pipe(v.string(words), v.regex(/^[A-Za-z]{1,8}(?:-[A-Za-z\d]{1,8})*$/, words)),
    colorDepth: v.pipe(whole(1, 1024), v.transform(nearestColorDepth)),
    screenHeight: whole(0, 999_999),
    screenWidth: whole(0, 999_999),
    timezone: whole(-1440, 1440),
    userAgent: v.pipe(
      v.string(words),
      v.minLength(1, words),
      v.transform((text) => text.slice(0, longestUserAgent)),
      CardMasked,
    ),
  },
  words,
);

/** The field `browser`: JSON as text, since a form has nothing else. */
export const BrowserData = v.pipe(
  v.string(words),
  v.maxLength(8192, words),
  v.transform(parseJson),
  v.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null, words),
  BrowserFields,
);
export type BrowserData = v.InferOutput<typeof BrowserData>;

/** The browser's data in the request itself. */
export type RequestData = { accept: string; acceptLanguage: string; ip: string };

/** IPv4 or IPv6, of at most 45 characters, without a zone. */
const isAddress = (text: string): boolean => /^(?:[\d.]{7,15}|[\da-fA-F:.]{2,45})$/.test(text);

/** A list of languages in EMVCo's form: `de-CH, de;q=0.9` is two. At most ten, as more add nothing. */
const acceptedLanguages = (header: string, language: string): string[] => {
  const tags = header.split(',').map((part) => part.split(';')[0]?.trim() ?? '');
  const known = tags.filter((tag) => /^[A-Za-z]{1,8}(?:-[A-Za-z\d]{1,8})*$/.test(tag)).slice(0, 10);
  return known.length > 0 ? known : [language];
};

/** The fields of an AReq about the browser. Offsets of the time zone are written as text: minutes, negative in the east. */
export const browserFields = (browser: BrowserData, { accept, acceptLanguage, ip }: RequestData, version: string) => ({
  browserAcceptHeader: (accept || '*/*').slice(0, 2048),
  browserJavascriptEnabled: true,
  browserJavaEnabled: browser.javaEnabled,
  browserLanguage: browser.language.slice(0, longestLanguage),
  browserColorDepth: String(browser.colorDepth),
  browserScreenHeight: String(browser.screenHeight),
  browserScreenWidth: String(browser.screenWidth),
  browserTZ: String(browser.timezone),
  browserUserAgent: browser.userAgent,
  ...(isAddress(ip) && { browserIP: ip }),
  ...(version === '2.3.1' && { acceptLanguage: acceptedLanguages(acceptLanguage, browser.language) }),
});
