import { recordNames } from '#core/kernel/record-of.ts';
import languages from './payer-words.json' with { type: 'json' };

/** The texts for payers, in their languages. `{}` is a placeholder: a number of tries, a channel. */
export type PayerWords = Readonly<Record<keyof typeof languages.en, string>>;
export type Language = keyof typeof languages;
export const payerLanguages = recordNames(languages);

export const wordsIn = (language: Language): PayerWords => languages[language];

/** The sentence with a value where it has its place. */
export const fillIn = (sentence: string, value: string): string => sentence.replace('{}', () => value);

/** The best of our languages that an `accept-language` header takes; English if it takes none. `de-AT` is German. */
export const languageFor = (header: string | undefined): Language => {
  const wanted = (header ?? '').split(',').flatMap((part, place) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1);
    const language = payerLanguages.find((one) => one === tag.split('-')[0]);
    return language && weight > 0 ? [{ language, weight, place }] : [];
  });
  wanted.sort((left, right) => right.weight - left.weight || left.place - right.place);
  return wanted[0]?.language ?? 'en';
};
