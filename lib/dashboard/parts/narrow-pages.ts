import { translate } from '../language/translate.ts';
import { brandNames, cardBrand } from './card-text.ts';
import { isAtLeast } from './money.ts';

export type Filter<Row = never> = {
  /** Its name in the address, and in the operation. */
  name: string;
  label: string;
  /** For a choice among few; else it is typed. */
  choices?: readonly { value: string; label: string }[];
  type?: 'text' | 'date' | 'number' | 'site';
  hint?: string;
  placeholder?: string;
  /** The form of a word in the search box that belongs to this filter. */
  fits?: RegExp;
  /** Only typed into the search box: the form has others for the same. */
  isTyped?: true;
  /** Checks whether a row fits a value, where the service's list has no such filter: see `narrowPages`. */
  keeps?: (row: Row, value: string) => boolean;
};

/** A page of a list; `totalResult` is absent where it was not counted. */
export type Page<Row> = {
  list: readonly Row[];
  totalResult?: number | undefined;
  next_cursor: string | null;
  /** A note about the next page for readers. */
  note?: string;
};
export type PageAsked = { size: number; cursor?: string };

/** The filters that apply, by their names. */
export type FilterValues = Readonly<Record<string, string>>;
export type Load<Row> = (given: FilterValues, page: PageAsked, signal?: AbortSignal) => Promise<Page<Row>>;

/** So many rows are looked through at once; the next page goes on behind them. */
const maxLookedAt = 1000;
const piece = 200;

/**
 * Reads pages by filters of which the service's list has no index: its pages are looked through. A page may have fewer rows than wanted, or
 * none, and still a next page.
 */
export const narrowPages =
  <Row>(filters: readonly Filter<Row>[], load: Load<Row>): Load<Row> =>
  async (given, page, signal) => {
    const own = filters.flatMap(({ name, keeps }) => {
      const value = given[name];
      return keeps && value !== undefined ? [{ name, fits: (row: Row) => keeps(row, value) }] : [];
    });
    if (own.length === 0) return load(given, page, signal);
    const sent = Object.fromEntries(Object.entries(given).filter(([key]) => own.every(({ name }) => name !== key)));
    const found: Row[] = [];
    let { cursor } = page;
    for (let looked = 0; looked < maxLookedAt && found.length < page.size; looked += piece) {
      const read = await load(sent, { size: piece, ...(cursor !== undefined && { cursor }) }, signal);
      found.push(...read.list.filter((row) => own.every(({ fits }) => fits(row))));
      cursor = read.next_cursor ?? undefined;
      if (cursor === undefined) break;
    }
    return { list: found, next_cursor: cursor ?? null };
  };

const maxExported = 10_000;

/** All rows of a list up to ten thousand, each once: a first page may begin with rows that later ones have too. */
export const readAllPages = async <Row>(
  load: Load<Row>,
  given: FilterValues,
  keyOf: (row: Row) => string,
): Promise<{ rows: Row[]; isCut: boolean }> => {
  const found = new Map<string, Row>();
  let cursor: string | null | undefined;
  do {
    const page = await load(given, { size: 500, ...(cursor && { cursor }) });
    for (const row of page.list) found.set(keyOf(row), row);
    cursor = page.next_cursor;
  } while (cursor && found.size < maxExported);
  return { rows: [...found.values()].slice(0, maxExported), isCut: cursor !== null || found.size > maxExported };
};

export const yesOrNo = [
  { value: 'true', label: translate('Yes') },
  { value: 'false', label: translate('No') },
] as const;
export const amountFilters: readonly Filter<{ amount: string }>[] = [
  {
    name: 'amount_from',
    label: translate('Amount from'),
    hint: translate('Such as 361.56'),
    keeps: ({ amount }, value) => isAtLeast(amount, value),
  },
  { name: 'amount_to', label: translate('Amount until'), keeps: ({ amount }, value) => isAtLeast(value, amount) },
];
export const networkFilter: Filter<{ card: string | null }> = {
  name: 'network',
  label: translate('Network'),
  choices: brandNames.map((name) => ({ value: name, label: name })),
  keeps: ({ card }, value) => cardBrand(card ?? '') === value,
};
