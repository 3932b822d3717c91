import type { ComponentChildren } from 'preact';
import { shortKey } from './text-key.ts';

/** The forms of a sentence with a number, by the categories of `Intl.PluralRules`. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;
/**
 * The texts of a language by the English ones, or by their short keys; those with a number have several forms, and the English plural is
 * their key.
 */
export type Catalogue = Readonly<Record<string, string | Forms>>;

/** The names in braces in a text. */
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<Text, Value> = Readonly<Record<Names<Text>, Value>>;
type Given<Text, Value> = [Names<Text>] extends [never] ? [] : [values: Values<Text, Value>];

type Plain = string | number;
/** The values next to the number. */
type GivenBeside<Text> = [Exclude<Names<Text>, 'count'>] extends [never]
  ? []
  : [values: Readonly<Record<Exclude<Names<Text>, 'count'>, Plain>>];

let catalogue: Catalogue = {};
let locale = 'en-GB';
let plurals = new Intl.PluralRules(locale);
const formats = new Map<string, Intl.NumberFormat>();

/** Sets the language of all texts, dates and numbers. Tables of texts are read once: to be called before the screens are loaded. */
export const setLanguage = (next: { locale: string; catalogue?: Catalogue }): void => {
  catalogue = next.catalogue ?? {};
  locale = next.locale;
  plurals = new Intl.PluralRules(locale);
  formats.clear();
};

/** The locale in which dates, numbers and amounts are written. */
export const presentLocale = (): string => locale;

/** True where texts are shown as the source has them. */
export const isEnglish = (): boolean => locale.startsWith('en');

/** Returns a cached format of numbers in the present language. */
export const numberFormat = (options: Intl.NumberFormatOptions = {}): Intl.NumberFormat => {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
};

/** Returns a text without what follows `|`, which tells texts apart that are the same in English: `Refund|noun`. */
const withoutContext = (text: string): string => text.replace(/\|.*$/, '');

const lookUp = (key: string): string | Forms | undefined => catalogue[key] ?? catalogue[shortKey(key)];

const findText = (key: string): string => {
  const found = lookUp(key) ?? withoutContext(key);
  return typeof found === 'string' ? found : found.other;
};

const fill = (text: string, values: Readonly<Record<string, Plain>> = {}): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** Returns an English text in the present language, with values in place of the names in braces. */
export const translate = <const Text extends string>(text: Text, ...[values]: Given<Text, Plain>): string =>
  fill(findText(text), values);

/** Returns a state of `shownStates` in the present language, and any other as it is. */
export const translateState = (state: string): string => {
  const found = lookUp(`${state}|state`);
  return typeof found === 'string' ? found : state;
};

/** Returns a text with a number, in the form that the number needs. `{count}` stands for the number. */
export const translateCount = <const Text extends string>(
  count: number,
  one: string,
  other: Text,
  ...[values]: GivenBeside<Text>
): string => {
  const found = lookUp(other);
  const forms: Forms = typeof found === 'object' ? found : { one: withoutContext(one), other: withoutContext(other) };
  return fill(forms[plurals.select(count)] ?? forms.other, { ...values, count: numberFormat().format(count) });
};

/** Returns a text with elements in it, for a sentence that has a link or a time. */
export const compose = <const Text extends string>(text: Text, values: Values<Text, ComponentChildren>) => {
  const parts = findText(text).split(/\{(\w+)\}/);
  return parts.map((part, index) => (index % 2 === 0 ? part : (values as Record<string, ComponentChildren>)[part]));
};

/** Returns several things as a sentence has them: `a, b and c`. */
export const listText = (items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat(locale, { type }).format(items);

/** Returns words that begin with a capital letter as they stand within a sentence. German keeps the capitals of its nouns. */
export const inSentence = (text: string): string => (locale.startsWith('de') ? text : text.toLowerCase());

/** Runs something with English texts: what networks read is not in the language of the page. */
export const inEnglish = <T>(run: () => T): T => {
  const [before, present] = [catalogue, locale];
  setLanguage({ locale: 'en-GB' });
  try {
    return run();
  } finally {
    setLanguage({ locale: present, catalogue: before });
  }
};

/** Returns a sentence that continues another one: its first letter is no capital. */
export const lowerFirst = (text: string): string => `${inSentence(text.charAt(0))}${text.slice(1)}`;
