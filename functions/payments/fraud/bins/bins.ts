import { isCountry } from '#core/kernel/countries.ts';

/**
 * Where cards were issued, by the first six to eight digits of their numbers. The table of them is the operator's own: see
 * docs/decisions/0036-fraud.md.
 */

/** First eight digits of numbers, from and to inclusive, that were issued in one country (ISO 3166-1, two letters). */
export type BinRange = { from: string; to: string; country: string };

/** The number of leading digits of a card number that identify its issuer. */
const binDigits = 8;
const rowDigits = 6;

/** The leading digits of a card number, which identify its issuer; the number cannot be derived from them. */
export const toBin = (number: string): string => number.slice(0, binDigits);

const rangeWidth = ({ from, to }: BinRange): number => Number(to) - Number(from);

/** The ranges that contain numbers with these first six to eight digits, in the order given. */
export const rangesUnder = (ranges: readonly BinRange[], digits: string): BinRange[] =>
  ranges
    .filter(({ from, to }) => from <= digits.padEnd(binDigits, '9') && digits.padEnd(binDigits, '0') <= to)
    .toSorted((left, right) => (left.from < right.from ? -1 : 1));

/** The country of the narrowest range that contains a card's first eight digits; null if none does. */
export const countryOfBin = (ranges: readonly BinRange[], bin: string): string | null => {
  const fitting = ranges.filter(({ from, to }) => from <= bin && bin <= to);
  return fitting.toSorted((left, right) => rangeWidth(left) - rangeWidth(right))[0]?.country ?? null;
};

/** One line of a BIN table: its number in the file, and its fields by their names in the head. */
export type BinRecord = { line: number; fields: Readonly<Record<string, string>> };

export type BinTable = {
  /** The ranges that numbers with these first six digits may be in. */
  ranges: ReadonlyMap<string, readonly BinRange[]>;
  /** Unusable lines: those without a country of ISO 3166-1, or finer than eight digits. */
  skipped: { withoutCountry: number; tooFine: number };
};

const columns = {
  from: ['iin_start', 'bin_start', 'from', 'bin', 'iin'],
  to: ['iin_end', 'bin_end', 'to'],
  country: ['country', 'alpha_2', 'isocode2', 'country_code', 'iso_country'],
} as const;

const findColumn = (names: readonly string[], wanted: readonly string[]): string | undefined =>
  wanted.flatMap((name) => names.filter((one) => one.trim().toLowerCase() === name))[0];

const maxProblems = 5;
/** A larger range would be a card scheme's, not an issuer's. */
const maxRows = 1000;

/**
 * Reads the lines of a table: the first digits of card numbers, or a range of them, and a country. `names`: the head. Returns
 * what is wrong, each problem with its line.
 */
export const readBinTable = (names: readonly string[], records: readonly BinRecord[]): BinTable | string[] => {
  const from = findColumn(names, columns.from);
  const country = findColumn(names, columns.country);
  if (from === undefined || country === undefined) {
    return [
      `the head must name the first digits (${columns.from.join(', ')}) and the country (${columns.country.join(', ')})`,
    ];
  }
  const to = findColumn(names, columns.to);
  const lines = records.map(({ fields, line }) => ({ line, ...toBinLine(fields, { from, to, country }) }));
  const problems = lines.flatMap((one) => ('problem' in one ? [`line ${one.line}: ${one.problem}`] : []));
  if (problems.length > 0) return problems.slice(0, maxProblems);
  const ranges = new Map<string, BinRange[]>();
  for (const line of lines) if ('range' in line) addTo(ranges, line.range);
  const countOf = (why: string) => lines.filter((line) => 'skipped' in line && line.skipped === why).length;
  return { ranges, skipped: { withoutCountry: countOf('country'), tooFine: countOf('digits') } };
};

type Line = { range: BinRange } | { skipped: 'country' | 'digits' } | { problem: string };
type Columns = { from: string; to: string | undefined; country: string };

const toBinLine = (record: BinRecord['fields'], columns: Columns): Line => {
  const from = record[columns.from]?.trim() ?? '';
  const to = (columns.to === undefined ? '' : record[columns.to]?.trim()) || from;
  const country = record[columns.country]?.trim().toUpperCase() ?? '';
  if (!/^\d{4,11}$/.test(from) || !/^\d{4,11}$/.test(to)) return { problem: 'the first digits must be 4 to 11 digits' };
  if (from.length !== to.length) return { problem: 'both ends of the range must have as many digits' };
  if (to < from) return { problem: 'the range must end where it begins or later' };
  if (
    Number(to.slice(0, rowDigits).padEnd(rowDigits, '9')) - Number(from.slice(0, rowDigits).padEnd(rowDigits, '0')) >=
    maxRows
  ) {
    return { problem: `the range must not hold more than ${maxRows} times six digits` };
  }
  // Tables still list countries that no longer exist, and placeholders for no country.
  if (!isCountry(country)) return { skipped: 'country' };
  const range = { from: from.padEnd(binDigits, '0'), to: to.padEnd(binDigits, '9'), country };
  return from.length > binDigits ? narrowRange(range) : { range };
};

/** Digits beyond the eighth are not used: a range counts if it contains all numbers with the same first eight. */
const narrowRange = ({ from, to, country }: BinRange): Line => {
  const isWhole = /^0*$/.test(from.slice(binDigits)) && /^9*$/.test(to.slice(binDigits));
  return isWhole ? { range: { from: toBin(from), to: toBin(to), country } } : { skipped: 'digits' };
};

const addTo = (ranges: Map<string, BinRange[]>, range: BinRange): void => {
  const last = Number(range.to.slice(0, rowDigits));
  for (let row = Number(range.from.slice(0, rowDigits)); row <= last; row += 1) {
    const first6 = String(row).padStart(rowDigits, '0');
    ranges.set(first6, [...(ranges.get(first6) ?? []), range]);
  }
};
