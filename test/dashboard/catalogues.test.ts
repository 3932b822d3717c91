import { describe, expect, it } from 'vitest';
import { languages } from '#lib/dashboard/language/languages.ts';
import { shownStates } from '#lib/dashboard/language/states.ts';
import { shortKey } from '#lib/dashboard/language/text-key.ts';
import type { Catalogue, Forms } from '#lib/dashboard/language/translate.ts';
import { listBareTexts, listBareTextsIn, listTexts, listTextsIn, type SourceText } from './dashboard-texts.ts';

const texts: readonly SourceText[] = [
  ...listTexts(),
  ...shownStates.map((state) => ({ key: `${state}|state`, one: null })),
];
const keys = texts.map(({ key }) => key);

const namesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name)).sort();

/** The names that a form must have. The number may be a word in the singular: `The first row`. */
const namesOfForm = (text: string): string[] => namesIn(text).filter((name) => name !== 'count');

/** Returns what is wrong with a text of a catalogue. */
const findFaults = ({ key, one }: SourceText, found: string | Forms | undefined, locale: string): string[] => {
  if (found === undefined) return [];
  const wanted = key.replace(/\|.*$/, '');
  if (typeof found === 'string')
    return [
      ...(one === null ? [] : [`${key}: has no plural`]),
      ...(String(namesIn(found)) === String(namesIn(wanted)) ? [] : [`${key}: ${found}`]),
      ...(found.trim() === '' ? [`${key}: is empty`] : []),
    ];
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  return [
    ...(one === null ? [`${key}: has a plural`] : []),
    ...(String(Object.keys(found).sort()) === String(pluralCategories.toSorted()) ? [] : [`${key}: has other forms`]),
    ...(String(namesIn(found.other)) === String(namesIn(wanted)) ? [] : [`${key}: ${found.other}`]),
    ...Object.values(found)
      .filter((form) => String(namesOfForm(form)) !== String(namesOfForm(wanted)))
      .map((form) => `${key}: ${form}`),
  ];
};

const translated = languages.flatMap(({ code, locale, load }) => (load ? [{ code, locale, load }] : []));

describe('the texts of the dashboard', () => {
  it('are found in calls of translation, wherever these are', () => {
    const source = `
      const label = translate('A label');
      const text = (count: number) => translateCount(count, '{count} row', '{count} rows', { a: translate('Inside') });
      const Part = () => <p title={translate('A title')}>{compose('See {link}.', { link: 1 })}</p>;
    `;
    expect(listTextsIn(source)).toEqual([
      { key: 'A label', one: null },
      { key: '{count} rows', one: '{count} row' },
      { key: 'Inside', one: null },
      { key: 'A title', one: null },
      { key: 'See {link}.', one: null },
    ]);
    expect(() => listTextsIn('translate(text)')).toThrow('literal');
    expect(keys.length).toBeGreaterThan(1500);
  });

  it.each([
    ['<p>Some words</p>', ['Some words']],
    ['<p>{"Some words"}</p>', ['Some words']],
    ['<p>{isOpen ? "Close" : "Open"}</p>', ['Close', 'Open']],
    ['<p>{`$' + '{count} alerts`}</p>', [' alerts']],
    ['<Field label="Name" name="name" />', ['Name']],
    ['<input placeholder={"Such as " + example} />', ['Such as ']],
    ['<button aria-label="Close" title={`Close $' + '{name}`} />', ['Close', 'Close ']],
    ['const columns = [{ label: "Amount", cell: (row) => row.amount }];', ['Amount']],
    ['say("Saved.");', ['Saved.']],
    ['<p>{count} <code>npm start</code></p>', []],
    ['<p class="quiet">{translate("Some words")} {count} · ×</p>', []],
    ['<p>{state === "OPEN" && <Badge state="OPEN" />} UTC</p>', []],
  ])('are found bare in %s', (source, found) => {
    expect(listBareTextsIn(source)).toEqual(found);
  });

  it('have short keys of their own', () => {
    const ofTexts = Map.groupBy(new Set(keys), shortKey);
    expect([...ofTexts.values()].filter((same) => same.length > 1)).toEqual([]);
  });

  it('are all translated', () => {
    expect(listBareTexts()).toEqual([]);
  });
});

describe.each(translated)('the catalogue $code', ({ locale, load }) => {
  it('has every text of the dashboard, and no other', async () => {
    const { default: words } = await load();
    expect(keys.filter((key) => !(key in words))).toEqual([]);
    expect(Object.keys(words).filter((key) => !keys.includes(key))).toEqual([]);
  });

  it('has the values of each text, and the plural forms of its language', async () => {
    const words: Catalogue = (await load()).default;
    expect(texts.flatMap((text) => findFaults(text, words[text.key], locale))).toEqual([]);
  });
});
