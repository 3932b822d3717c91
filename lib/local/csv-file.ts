import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { codeIn, errorText, UserError } from './user-error.ts';

/** A line of a CSV file: its number, its values by the names of the head, and how many cells it has beyond the head. */
export type CsvRecord = { line: number; fields: Record<string, string>; extra?: number };

/**
 * Reads a CSV file in UTF-8 with a head; its delimiter may be a comma, a semicolon or a tab, or what a first line `sep=;` names. Lines above the
 * head that are shorter than the table, such as a title, are left out. Throws UserError.
 */
export const readCsvFile = (file: string): { names: readonly string[]; records: CsvRecord[] } => {
  const all = readCsvRows(file, readCsvText(file));
  const [head, ...rows] = all.slice(headAt(all));
  const names = head?.fields.map((name) => name.trim()) ?? [];
  const twice = names.find((name, at) => name !== '' && indexOfName(names, name) !== at);
  if (twice !== undefined)
    throw new UserError(`${file}: the head has the column ${twice} twice. Remove or rename one.`);
  const records = rows.map(({ line, fields }) => {
    const extra = fields.slice(names.length).filter((cell) => cell.trim() !== '').length;
    return {
      line,
      fields: Object.fromEntries(names.map((name, at) => [name, fields[at] ?? ''])),
      ...(extra > 0 && { extra }),
    };
  });
  return { names, records };
};

const indexOfName = (names: readonly string[], name: string): number =>
  names.findIndex((one) => one.toLowerCase() === name.toLowerCase());

/** The number of rows that show how wide the table is, and of lines that may stand above its head. */
const maxSampled = 20;

/** Where the head is: the first row that is as wide as most are. */
const headAt = (rows: readonly Row[]): number => {
  const widths = rows.slice(0, maxSampled).map(({ fields }) => fields.filter((cell) => cell.trim() !== '').length);
  const body = widths.slice(1).toSorted((left, right) => left - right);
  const usual = body[body.length >> 1] ?? 0;
  const isTitle = (width: number) => width < usual && width <= Math.max(1, usual / 2);
  return Math.max(
    0,
    widths.findIndex((width) => !isTitle(width)),
  );
};

const readCsvText = (file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const isOther = error instanceof TypeError;
    throw new UserError(
      `${file} ${isOther ? 'is not text in UTF-8' : `cannot be read (${codeIn(error) ?? errorText(error)})`}.`,
    );
  }
};

const delimiters = [',', ';', '\t'] as const;

/** A first line that names the delimiter, as Excel writes it. */
const separatorLine = /^sep=(.)\r?\n/i;

/** The sign that parts most of the first lines, and most often: a title may have another one. */
const guessDelimiter = (text: string): string => {
  const lines = text
    .slice(0, 100_000)
    .split(/[\r\n]+/)
    .slice(0, maxSampled)
    .map((line) => line.replaceAll(/"[^"]*"/g, ''));
  const partsBy = (sign: string): number => lines.filter((line) => line.includes(sign)).length;
  const inHead = (sign: string): number => Math.max(...lines.map((line) => line.split(sign).length));
  const [best = ','] = delimiters.toSorted(
    (left, right) => partsBy(right) - partsBy(left) || inHead(right) - inHead(left),
  );
  return best;
};

type Row = { line: number; fields: string[] };

const readCsvRows = (file: string, text: string): Row[] => {
  try {
    const rows: Row[] = [];
    const [separator = '', sign] = separatorLine.exec(text) ?? [];
    const above = separator === '' ? 0 : 1;
    parse(text.slice(separator.length), {
      ...{ delimiter: sign ?? guessDelimiter(text), relaxColumnCount: true, skipEmptyLines: true },
      onRecord: (fields: string[], { lines }) => {
        rows.push({ line: lines + above, fields });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (error instanceof CsvError) throw new UserError(`${file} is not a CSV file: ${error.message}.`);
    throw error;
  }
};
