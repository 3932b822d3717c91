/** Reads tables in CSV (RFC 4180), as spreadsheets and billing systems write them. For commands and browsers: it imports nothing. */

/** A line of a CSV file: its number, its values by the names of the head, and how many cells it has beyond the head. */
export type CsvRecord = { line: number; fields: Record<string, string>; extra?: number };

/** Why a text is no table; `name`: of a column. */
export type CsvFault =
  | { kind: 'quote_open' | 'quote_inside' | 'quote_after'; line: number }
  | { kind: 'column_twice'; name: string };

export type CsvTable = { names: readonly string[]; records: readonly CsvRecord[] };

type Row = { line: number; fields: string[] };

const delimiters = [',', ';', '\t'] as const;

/** A first line that names the delimiter, as Excel writes it. */
const separatorLine = /^sep=(.)(?:\r\n|\r|\n)/i;

/** The number of rows that show how wide the table is, and of lines that may stand above its head. */
const maxSampled = 20;

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

/** The ends of lines, anywhere in a text. */
const lineEnds = /\r\n|\r|\n/g;
const countLines = (text: string): number => text.match(lineEnds)?.length ?? 0;

/** One cell at a place: in quotes, which are doubled inside, or up to the delimiter or the end of the line. */
const readCell = (text: string, at: number, delimiter: string): { cell: string; end: number } | CsvFault['kind'] => {
  if (text[at] !== '"') {
    let end = at;
    while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
    const cell = text.slice(at, end);
    return cell.includes('"') ? 'quote_inside' : { cell, end };
  }
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) return 'quote_open';
  const next = text[end + 1];
  if (next !== undefined && next !== delimiter && next !== '\n' && next !== '\r') return 'quote_after';
  return { cell: text.slice(at + 1, end).replaceAll('""', '"'), end: end + 1 };
};

/** The rows of a text, without empty lines. A row that goes over several lines has the number of its last one. */
const readRows = (text: string, delimiter: string, firstLine: number): Row[] | CsvFault => {
  const rows: Row[] = [];
  let [at, line] = [0, firstLine];
  while (at < text.length) {
    const fields: string[] = [];
    for (;;) {
      const read = readCell(text, at, delimiter);
      if (typeof read === 'string') return { kind: read as 'quote_open', line };
      fields.push(read.cell);
      line += countLines(text.slice(at, read.end));
      at = read.end + 1;
      if (text[read.end] !== delimiter) break;
    }
    if (fields.length > 1 || fields[0] !== '') rows.push({ line, fields });
    if (text[at - 1] === '\r' && text[at] === '\n') at += 1;
    line += 1;
  }
  return rows;
};

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

const indexOfName = (names: readonly string[], name: string): number =>
  names.findIndex((one) => one.toLowerCase() === name.toLowerCase());

/**
 * Reads a table with a head. Its delimiter may be a comma, a semicolon or a tab, or what a first line `sep=;` names. Lines above the
 * head that are shorter than the table, such as a title, are left out.
 */
export const readCsvTable = (text: string): CsvTable | { fault: CsvFault } => {
  const [separator = '', sign] = separatorLine.exec(text) ?? [];
  const all = readRows(text.slice(separator.length), sign ?? guessDelimiter(text), separator === '' ? 1 : 2);
  if (!Array.isArray(all)) return { fault: all };
  const [head, ...rows] = all.slice(headAt(all));
  const names = head?.fields.map((name) => name.trim()) ?? [];
  const twice = names.find((name, at) => name !== '' && indexOfName(names, name) !== at);
  if (twice !== undefined) return { fault: { kind: 'column_twice', name: twice } };
  const records = rows.map(({ line, fields }) => {
    const extra = fields.slice(names.length).filter((cell) => cell.trim() !== '').length;
    const values = names.map((name, at) => [name, fields[at] ?? ''] as const);
    return { line, fields: Object.fromEntries(values), ...(extra > 0 && { extra }) };
  });
  return { names, records };
};

/** The reason why a line of any file cannot be read, whatever its columns mean. */
export type RowFault = { kind: 'cells'; count: number } | { kind: 'rounded'; name: string; value: string };

/** A long number as a spreadsheet writes it: its last digits are lost. */
const scientific = /^[-+]?\d(?:[.,]\d+)?E\+\d+$/i;

/** Finds what keeps a line from being read; undefined if nothing does. */
export const findRowFault = ({ fields, extra }: CsvRecord): RowFault | undefined => {
  if (extra) return { kind: 'cells', count: extra };
  const [name, value] = Object.entries(fields).find(([, one]) => scientific.test(one.trim())) ?? [];
  return name === undefined || value === undefined ? undefined : { kind: 'rounded', name, value };
};

/** The same in words that follow the number of the line. */
export const rowFaultWords = (fault: RowFault): string =>
  fault.kind === 'cells'
    ? `has ${fault.count} more cells than the head: quote cells with a delimiter`
    : `${fault.name}: ${fault.value} is a long number that a spreadsheet has rounded; export the column as text`;
