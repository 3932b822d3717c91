/** The texts by which people find a row. Pure. */

/** The kinds of rows that a search finds, in the order in which results show them. */
export const searchKinds = ['alert', 'chargeback', 'payment', 'order'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** The fields that a filter such as `card:` names. Only `network` has too many rows to be searched by itself. */
export const searchFieldNames = [
  ...(['email', 'card', 'amount', 'order', 'arn', 'descriptor', 'reference', 'name', 'account', 'ip'] as const),
  'network',
] as const;
export type SearchFieldName = (typeof searchFieldNames)[number];

/** The terms of a row by field, each as `termOf` spells it. */
export type SearchFields = Partial<Record<SearchFieldName, readonly string[]>>;

const longestTerm = 100;

/** One spelling for each text: case, width of letters and runs of spaces do not count. */
export const toTerm = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim().slice(0, longestTerm);

/** An amount without trailing zeros, so that `45`, `45.0` and `45.00` are one term. `amount`: a decimal with a point. */
export const amountTerm = (amount: string): string =>
  amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount;

/** The terms of a card: first six with last four, and each alone. Either may be empty. */
export const cardTerms = (first6: string, last4: string): string[] =>
  [first6 !== '' && last4 !== '' ? `${first6}-${last4}` : '', first6, last4].filter((term) => term !== '');

/** The ends that a masked card number shows; empty where it shows none. */
export const endsOfMasked = (card: string): { first6: string; last4: string } => {
  const [, first6 = '', last4 = ''] = /^(\d{6})?\d*[^\d]*(\d{4})$/.exec(card.replace(/[\s-]/g, '')) ?? [];
  return { first6, last4 };
};

const shortestPart = 3;

/** A text as a whole, and its words: `SHOP*ONLINE 123` is also found by `shop*online` and by `online`. */
export const wordTerms = (text: string): string[] => {
  const term = toTerm(text);
  const words = [...term.split(' '), ...term.split(/[^\p{L}\p{N}]+/u)];
  return [term, ...words.filter((word) => word.length >= shortestPart)];
};

/** The words of rows that have few: the whole text, and what follows a separator in an order's number (`web-7004`: `7004`). */
export const numberTerms = (text: string): string[] =>
  wordTerms(text).filter((term, at) => at === 0 || /\d/.test(term));

/** The greatest number of terms of one row: more would only be those of an order with very many charges. */
const maxTerms = 60;

/** Fields without empty and repeated terms; `network` is no term. */
export const fieldsFrom = (all: Readonly<Partial<Record<SearchFieldName, readonly (string | null | undefined)[]>>>) =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, texts]) => {
      const terms = [...new Set((texts ?? []).flatMap((text) => (text ? [text] : [])))].filter((text) => text !== '');
      return terms.length === 0 ? [] : [[name, terms]];
    }),
  ) as SearchFields;

/** The terms under which a row is found. `only`: the fields that count. */
export const termsOfFields = (
  fields: SearchFields,
  only: readonly SearchFieldName[] = searchFieldNames.filter((name) => name !== 'network'),
): string[] => [...new Set(only.flatMap((name) => fields[name] ?? []))].slice(0, maxTerms);
