import * as v from 'valibot';
import { isFields } from '#core/kernel/is-object.ts';
import { CardMasked } from '#core/kernel/schema/text.ts';
import { parseJson } from '#core/platform/http/json.ts';

/** The issuer's data about the payer's browser: what the page's script collected, and what the request itself contains. */

const words =
  'must be the JSON object that the SDK makes: language, colorDepth, screenHeight, screenWidth, timezone, userAgent';
/** A number of the browser, which may have fractions, such as screens that are zoomed, or none where the browser hides it. */
const whole = (least: number, most: number, unknown: number) =>
  v.pipe(
    v.optional(v.nullable(v.number(words)), null),
    v.transform((value) => Math.min(Math.max(Math.round(value ?? unknown), least), most)),
  );

/** The color depths for which EMVCo has a code. */
const colorDepths = [48, 32, 24, 16, 15, 8, 4, 1] as const;
/** A depth that has no code, such as the 30 bits of some screens, counts as the next lower one. */
export const nearestColorDepth = (bits: number): number => colorDepths.find((known) => known <= bits) ?? 1;

const longestUserAgent = 2048;
/** Of `browserLanguage`, by version. https://docs.3dsecure.io (areq_220, areq_231) */
const longestLanguage = (version: string): number => (version === '2.3.1' ? 35 : 8);

/** A language, script and region, such as `zh-Hans-CN`, in a tag of IETF BCP 47, or in the form of POSIX: `en_US.UTF-8`. */
const languageTag = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?![a-z\d])/i;

/** A tag without what issuers do not need, cut at a hyphen; undefined for what is no language. */
const shortTag = (text: string, longest: number): string | undefined => {
  const [, language, script, region] = languageTag.exec(text.trim()) ?? [];
  if (!language) return undefined;
  const scriptTag = script && `${script.slice(0, 1).toUpperCase()}${script.slice(1).toLowerCase()}`;
  const parts = [language.toLowerCase(), scriptTag, region?.toUpperCase()].filter((part) => part !== undefined);
  return parts.reduce((tag, part) => (`${tag}-${part}`.length > longest ? tag : `${tag}-${part}`));
};

const BrowserFields = v.object(
  {
    javaEnabled: v.optional(v.boolean(words), false),
    javascriptEnabled: v.optional(v.literal(true, words), true),
    // Some browsers have an empty one, and Chromium on Linux may have `en-US@posix`: what is no tag is replaced below.
    language: v.pipe(
      v.optional(v.nullable(v.string(words)), null),
      v.transform((text) => (text ?? '').slice(0, 255)),
      CardMasked,
    ),
    colorDepth: v.pipe(whole(1, 1024, 24), v.transform(nearestColorDepth)),
    screenHeight: whole(0, 999_999, 0),
    screenWidth: whole(0, 999_999, 0),
    timezone: whole(-1440, 1440, 0),
    userAgent: v.pipe(
      v.optional(v.nullable(v.string(words)), null),
      v.transform((text) => text?.slice(0, longestUserAgent) || 'unknown'),
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
  v.custom<Record<string, unknown>>((value) => isFields(value) && ('userAgent' in value || 'language' in value), words),
  BrowserFields,
);
export type BrowserData = v.InferOutput<typeof BrowserData>;

/** The browser's data in the request itself. */
export type RequestData = { accept: string; acceptLanguage: string; ip: string };

/** IPv4 or IPv6, of at most 45 characters, without a zone. */
const isAddress = (text: string): boolean => /^(?:[\d.]{7,15}|[\da-fA-F:.]{2,45})$/.test(text);

/** The languages that the request accepts, in EMVCo's form: `de-CH, de;q=0.9` is two. At most ten, as more add nothing. */
const acceptedLanguages = (header: string, longest: number): string[] =>
  header
    .split(',')
    .flatMap((part) => shortTag(part.split(';')[0] ?? '', longest) ?? [])
    .slice(0, 10);

/** The browser's language: what its page says, else what its request accepts. */
const pickLanguages = (page: string, header: string, version: string): [string, ...string[]] => {
  const accepted = acceptedLanguages(header, longestLanguage(version));
  return [shortTag(page, longestLanguage(version)) ?? accepted[0] ?? 'en', ...accepted];
};

/** The fields of an AReq about the browser. Offsets of the time zone are written as text: minutes, negative in the east. */
export const browserFields = (browser: BrowserData, { accept, acceptLanguage, ip }: RequestData, version: string) => {
  const [browserLanguage, ...accepted] = pickLanguages(browser.language, acceptLanguage, version);
  return {
    browserAcceptHeader: (accept || '*/*').slice(0, 2048),
    browserJavascriptEnabled: true,
    browserJavaEnabled: browser.javaEnabled,
    browserLanguage,
    browserColorDepth: String(browser.colorDepth),
    browserScreenHeight: String(browser.screenHeight),
    browserScreenWidth: String(browser.screenWidth),
    browserTZ: String(browser.timezone),
    browserUserAgent: browser.userAgent,
    ...(isAddress(ip) && { browserIP: ip }),
    ...(version === '2.3.1' && { acceptLanguage: accepted.length > 0 ? accepted : [browserLanguage] }),
  };
};
