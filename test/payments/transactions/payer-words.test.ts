import { expect, it } from 'vitest';
import { fillIn, languageFor, payerLanguages, wordsIn } from '#payments/transactions/payer/payer-words.ts';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['it, PT-br;q=0.7, en;q=0.3', 'pt'],
  ['en;q=0.2, fr;q=0.9', 'fr'],
  ['es;q=0, en', 'en'],
  ['*', 'en'],
  ['fr;q=much', 'en'],
])('accept-language %j is answered in %s', (header, language) => expect(languageFor(header)).toBe(language));

it.each(payerLanguages)('%s has every sentence, with places where English has them', (language) => {
  const english = wordsIn('en');
  for (const [name, sentence] of Object.entries(wordsIn(language))) {
    expect(sentence.trim(), name).not.toBe('');
    expect(sentence.includes('{}'), name).toBe(english[name as keyof typeof english].includes('{}'));
    if (language !== 'en') expect(sentence, name).not.toBe(english[name as keyof typeof english]);
  }
});

it('what is put in stays as it is', () => expect(fillIn('To {}', '$& {}')).toBe('To $& {}'));
