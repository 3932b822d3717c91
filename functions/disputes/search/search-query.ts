import { exponentOf, isCurrency } from '#core/kernel/money/money.ts';
import {
  amountTerm,
  cardTerms,
  endsOfMasked,
  type SearchFieldName,
  type SearchKind,
  searchFieldNames,
  searchKinds,
  toTerm,
} from './search-fields.ts';

/** Reads what a person typed into the search box. Pure. */

/** One thing that a row must have. `field` null: in any field. `rank`: how few rows have it; 0 is never searched by itself. */
export type SearchToken = { term: string; field: SearchFieldName | null; rank: number; currency?: string };

/** `shown`: what was understood, in words for the reply; `strange`: what was not. Days are ISO, `until` exclusive. */
export type SearchQuery = {
  tokens: readonly SearchToken[];
  kinds: readonly SearchKind[];
  from: string | null;
  until: string | null;
  test: boolean | null;
  shown: readonly { filter: string; value: string }[];
  strange: readonly string[];
};

type Reading = {
  -readonly [K in keyof SearchQuery]: SearchQuery[K] extends readonly (infer T)[] ? T[] : SearchQuery[K];
};

// Maps, because people type the names of what every object has: `constructor`.
const symbols: ReadonlyMap<string, string | undefined> = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['$', undefined],
  ['¥', undefined],
]);
const networks: ReadonlyMap<string, string> = new Map([
  ...['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay'].map((name) => [name, name] as const),
  ['mc', 'mastercard'],
]);
const kindWords: ReadonlyMap<string, SearchKind> = new Map(
  searchKinds.flatMap((kind) => [
    [kind, kind],
    [`${kind}s`, kind],
  ]),
);

/**
 * A number as people write it: `1,234.50`, `1.234,50`, `45,2`. Undefined where it is none. A separator before exactly three last digits divides
 * thousands, except in a currency that has three decimals.
 */
export const readNumber = (text: string, currency?: string): string | undefined => {
  if (!/^\d{1,3}(?:[.,' ]?\d{3})*(?:[.,]\d{1,3})?$|^\d+(?:[.,]\d{1,3})?$/.test(text)) return undefined;
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const decimals = last < 0 ? '' : text.slice(last + 1);
  const isThousands = decimals.length === 3 && !(currency !== undefined && exponentOf(currency) === 3);
  const digits = (part: string): string => part.replace(/\D/g, '');
  if (last < 0 || isThousands) return digits(text).replace(/^0+(?=\d)/, '');
  return amountTerm(`${digits(text.slice(0, last)).replace(/^0+(?=\d)/, '')}.${decimals}`);
};

const number = String.raw`\d[\d.,']*`;
/** An amount with its currency on either side. */
const priced = new RegExp(
  String.raw`(?<![\w:])(?:([$€£¥]|[a-z]{3}\s?)\s?(${number})|(${number})\s?([$€£¥]|\s?[a-z]{3}))(?!\w)`,
  'giu',
);
const wholePriced = new RegExp(`^${priced.source}$`, 'iu');
/** First six and last four, with anything between them that a mask is made of. */
const ends = /(?<![\w-])(\d{6})[\s*•·.…xX-]+(\d{4})(?![\w-])/gu;
/** A mask that shows the last four, perhaps after the first ones: `4111 11** **** 1111`, `•••• 1111`. */
const masked = /(?<!\w)((?:\d[\d ]{0,7})?(?:[*•·…]|[xX]{2,}|\.{2,})[*•·…xX. -]*\d{4})(?!\w)/gu;

const ranks: Readonly<Record<SearchFieldName, number>> = {
  ...{
    arn: 9,
    email: 9,
    order: 8,
    reference: 8,
    account: 8,
    card: 4,
    ip: 6,
    name: 5,
    descriptor: 3,
    amount: 2,
    network: 0,
  },
};

/** A rank for words of an unknown field, by their form: those with few rows come first. */
const rankOfWord = (word: string): number => {
  if (word.includes('@')) return ranks.email;
  if (/^\d{4}$/.test(word)) return ranks.card - 0.5;
  if (/^\d{6}$/.test(word)) return ranks.card - 0.7;
  if (/\d{5,}/.test(word)) return 8;
  return /\d/.test(word) ? 6 : 5;
};

const cardToken = (first6: string, last4: string): SearchToken | undefined => {
  const [term] = cardTerms(first6, last4);
  return term === undefined ? undefined : { term, field: 'card', rank: ranks.card + (term.length > 6 ? 3 : 0) };
};

const addCard = (into: Reading, first6: string, last4: string): void => {
  const token = cardToken(first6, last4);
  if (!token) return;
  into.tokens.push(token);
  into.shown.push({ filter: 'card', value: [first6, last4 && `•••• ${last4}`].filter(Boolean).join(' ') });
};

const addAmount = (into: Reading, text: string, code: string | undefined): boolean => {
  const currency = code === undefined || symbols.has(code) ? symbols.get(code ?? '') : code.trim().toUpperCase();
  const term = readNumber(text.replace(/[.,']+$/, ''), currency);
  if (term === undefined) return false;
  into.tokens.push({ term, field: 'amount', rank: ranks.amount, ...(currency !== undefined && { currency }) });
  into.shown.push({ filter: 'amount', value: [term, currency].filter(Boolean).join(' ') });
  return true;
};

/** `sides`: what `priced` captures. */
const addPriced = (into: Reading, [before, after, first, last]: readonly (string | undefined)[]): boolean => {
  const code = (before ?? last ?? '').trim();
  const isCode = symbols.has(code) || isCurrency(code.toUpperCase());
  return isCode && addAmount(into, after ?? first ?? '', code);
};

const readAmountFilter = (value: string, into: Reading): boolean => {
  const [, ...sides] = wholePriced.exec(value) ?? [];
  return sides.length > 0 ? addPriced(into, sides) : addAmount(into, value, undefined);
};

/** Takes cards and priced amounts out of the text: they may have spaces. Returns the rest. */
const readSpaced = (text: string, into: Reading): string =>
  text
    .replace(ends, (_, first6: string, last4: string) => {
      addCard(into, first6, last4);
      return ' ';
    })
    .replace(masked, (_, mask: string) => {
      const { first6, last4 } = endsOfMasked(mask);
      addCard(into, first6, last4);
      return ' ';
    })
    .replace(priced, (all: string, ...sides: (string | undefined)[]) => (addPriced(into, sides) ? ' ' : all));

/** Date.parse takes the 30th of February for a day in March. */
const isDay = (value: string): boolean => {
  const ms = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value);
};
const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** Returns false where a filter's value is not understood. */
const readFilter = (name: string, value: string, into: Reading): boolean => {
  const show = () => into.shown.push({ filter: name, value });
  if (name === 'from' || name === 'until') {
    if (!isDay(value)) return false;
    into[name] = name === 'from' ? value : dayAfter(value);
    show();
    return true;
  }
  if (name === 'in') {
    const kind = kindWords.get(value.toLowerCase());
    if (!kind) return false;
    into.kinds.push(kind);
    show();
    return true;
  }
  if (name === 'test') {
    if (value !== 'yes' && value !== 'no') return false;
    into.test = value === 'yes';
    show();
    return true;
  }
  if (name === 'amount') return readAmountFilter(value, into);
  if (name === 'card') return readCardFilter(value, into);
  return readField(name, value, into);
};

const readCardFilter = (value: string, into: Reading): boolean => {
  const plain = value.replace(/\s/g, '');
  const [, first6 = '', last4 = ''] = /^(?:(\d{6})\D*)?(\d{4})$|^$/.exec(plain) ?? [];
  if (last4 !== '') addCard(into, first6, last4);
  else if (/^\d{6}$/.test(plain)) addCard(into, plain, '');
  else return false;
  return true;
};

const readField = (name: string, value: string, into: Reading): boolean => {
  const wanted = name === 'ref' ? 'reference' : name;
  const field = searchFieldNames.find((one) => one === wanted);
  const term = field === 'network' ? networks.get(value.toLowerCase()) : toTerm(value);
  if (!field || !term) return false;
  into.tokens.push({ term, field, rank: ranks[field] });
  into.shown.push({ filter: field, value });
  return true;
};

/** A word without a filter: a network, an amount with decimals, or whatever has it. */
const readWord = (word: string, into: Reading): void => {
  const network = networks.get(word.toLowerCase());
  if (network) return void readField('network', network, into);
  if (/^\d[\d.,']*[.,]\d{1,3}$/.test(word) && !/^\d+(?:\.\d+){3}$/.test(word) && addAmount(into, word, undefined))
    return;
  const term = toTerm(word).replace(/^#/, '');
  if (term !== '') into.tokens.push({ term, field: null, rank: rankOfWord(term) });
};

/** Returns what a text asks for. Card numbers in it are masked already. */
export const readQuery = (text: string): SearchQuery => {
  const into: Reading = { tokens: [], kinds: [], from: null, until: null, test: null, shown: [], strange: [] };
  const named = text.replace(
    /(?<!\S)([a-z]+):(?:"([^"]*)"|(\S+))/giu,
    (all, name: string, quoted?: string, plain?: string) => {
      if (/^\/\//.test(plain ?? '')) return all;
      if (!readFilter(name.toLowerCase(), (quoted ?? plain ?? '').trim(), into)) into.strange.push(all);
      return ' ';
    },
  );
  const quoted = readSpaced(named, into).replace(/"([^"]+)"/g, (_, phrase: string) => {
    readWord(phrase, into);
    return ' ';
  });
  for (const word of quoted.split(/\s+/)) if (/[\p{L}\p{N}]/u.test(word)) readWord(word, into);
  return into;
};

/** The token that the index is asked for: the one that the fewest rows have. Undefined where there is none. */
export const pickDriver = ({ tokens }: SearchQuery): SearchToken | undefined =>
  tokens.filter(({ rank }) => rank > 0).toSorted((one, other) => other.rank - one.rank)[0];
