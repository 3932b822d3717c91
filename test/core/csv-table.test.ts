import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsvTable } from '#core/kernel/csv/csv-table.ts';

type Line = { record: Record<string, string>; info: { lines: number } };

/** The same table as csv-parse reads it. */
const refereed = (text: string, delimiter: string): { line: number; fields: Record<string, string> }[] =>
  // With `info`, the library returns records with their places.
  (
    parse(text, {
      columns: true,
      delimiter,
      info: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    }) as unknown as Line[]
  ).map(({ record, info }) => ({ line: info.lines, fields: { ...record } }));

const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '7', ' ', '"', ',', ';', '\t', '\n', '\r\n', '0', '.'),
  maxLength: 6,
});
const table = fc.integer({ min: 2, max: 4 }).chain((width) =>
  fc.record({
    delimiter: fc.constantFrom(',', ';', '\t'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    isEnded: fc.boolean(),
    rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 5 }),
    width: fc.constant(width),
  }),
);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const written = (text: string, delimiter: string): string =>
  /["\r\n]/.test(text) || text.includes(delimiter) ? quoted(text) : text;

describe('a table in CSV', () => {
  it('is read as csv-parse reads it, whatever its cells, delimiter and ends of lines', () => {
    const all = fc.property(table, ({ delimiter, end, isEnded, rows, width }) => {
      const head = Array.from({ length: width }, (_, column) => `column${column}`);
      // A last column that is never empty keeps rows from being blank, which both leave out.
      const lines = [head, ...rows.map((row) => [...row.slice(0, -1), `${row.at(-1)}x`])];
      const body = lines.map((one) => one.map((text) => written(text, delimiter)).join(delimiter)).join(end);
      const text = `sep=${delimiter}${end}${body}${isEnded ? end : ''}`;
      const own = readCsvTable(text);
      if ('fault' in own) throw new Error(JSON.stringify(own.fault));
      const known = refereed(`${body}${isEnded ? end : ''}`, delimiter);
      expect(own.records.map(({ fields }) => fields)).toEqual(known.map(({ fields }) => fields));
    });
    fc.assert(all, { numRuns: 500 });
  });

  it.each([
    ['a,b\n"1,2', 'quote_open'],
    ['a,b\n1"2,3', 'quote_inside'],
    ['a,b\n"1"2,3', 'quote_after'],
  ])('is refused where csv-parse refuses it: %j', (text, kind) => {
    expect(() => refereed(text, ',')).toThrow();
    expect(readCsvTable(text)).toMatchObject({ fault: { kind } });
  });
});
