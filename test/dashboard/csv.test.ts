import { describe, expect, it } from 'vitest';
import { csvName, csvText } from '#lib/dashboard/parts/csv.ts';

const toCell = (value: unknown): string =>
  csvText([{ a: value }])
    .split('\r\n')
    .slice(1, -1)
    .join('\r\n');

describe('a list as a file', () => {
  it.each([
    ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
    ['+1 555 0100', `"'+1 555 0100"`],
    ['-2+3', `"'-2+3"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\tx', `"'\tx"`],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['＝1+1', `"'＝1+1"`],
    ['＋1', `"'＋1"`],
    ['－1', `"'－1"`],
    ['＠SUM(A1)', `"'＠SUM(A1)"`],
  ])('has no cell that a spreadsheet takes for a formula: %j', (text, cell) => {
    expect(toCell(text)).toBe(cell);
  });

  it.each([
    ['Tea', '"Tea"'],
    ['a=b', '"a=b"'],
    ['shop;=HYPERLINK(1)', '"shop;=HYPERLINK(1)"'],
    ['a\t=1', '"a\t=1"'],
    ['a|=1', '"a|=1"'],
    [true, 'true'],
    [-5, '-5'],
    ['Tea, first flush', '"Tea, first flush"'],
    ['say "tea"', '"say ""tea"""'],
    ['two\nlines', '"two\nlines"'],
    [' padded', '" padded"'],
    [null, ''],
    [undefined, ''],
    [0, '0'],
  ])('says %j as it is', (value, cell) => expect(toCell(value)).toBe(cell));

  it('has a column for every name that any row has', () => {
    expect(csvText([{ a: 1 }, { b: 2, a: 3 }])).toBe('\uFEFF"a","b"\r\n1,\r\n3,2\r\n');
  });

  it('is called by what it holds and when it was made', () => {
    const at = Date.parse('2026-05-02T10:00:30Z');
    expect(csvName('orders', ['../etc', ''], at)).toBe('orders-.._etc-2026-05-02T1000Z.csv');
  });
});
