import { expect, it } from 'vitest';
import { readCsvTable } from '#core/kernel/csv/csv-table.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { toStoredCaseName } from '#disputes/alerts/intake/case-name-store.ts';
import {
  findStatementColumns,
  lineFaultWords,
  readStatementRecords,
  sumStatementLines,
} from '#disputes/costs/statement/statement-file.ts';
import { storeStatement } from '#disputes/costs/statement/statement-report-store.ts';
import { ask, beforePuts, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

const readText = (text: string, currency?: string) => {
  const table = readCsvTable(text);
  if ('fault' in table) return table.fault;
  return readStatementRecords(table.records, findStatementColumns(table.names), currency).map((one) =>
    'read' in one
      ? [one.line, one.read.caseId, one.read.kind, formatAmount(one.read.amount), one.read.amount.currency]
      : [one.line, lineFaultWords(one.fault)],
  );
};
const head = 'caseId,kind,amount,currency\n';

it.each([
  [
    'plain lines',
    `${head}A,charge,25.00,USD\nB,credit,1,usd\n`,
    [
      [2, 'A', 'charge', '25.00', 'USD'],
      [3, 'B', 'credit', '1.00', 'USD'],
    ],
  ],
  [
    'CRLF, an empty line and no end',
    `caseId,amount,currency\r\nA,25,USD\r\n\r\nB,2,USD`,
    [
      [2, 'A', 'charge', '25.00', 'USD'],
      [4, 'B', 'charge', '2.00', 'USD'],
    ],
  ],
  ['old line ends', 'caseId,amount,currency\rA,25,USD\r', [[2, 'A', 'charge', '25.00', 'USD']]],
  [
    'quotes, doubled and with delimiters',
    `${head}"A ""1"", b",charge,"25.00",USD\n`,
    [[2, 'A "1", b', 'charge', '25.00', 'USD']],
  ],
  [
    'a line break in a cell',
    `${head}"A\nb",charge,25.00,USD\nB,fee,1,USD`,
    [
      [3, 'A b', 'charge', '25.00', 'USD'],
      [4, 'kind: must be one of charge, credit'],
    ],
  ],
  [
    'semicolons under a title',
    `Bill of May\ncaseId;amount;currency\nA;25.00;EUR\n`,
    [[3, 'A', 'charge', '25.00', 'EUR']],
  ],
  ['tabs and other capitals', 'CASEID\tAMOUNT\tCURRENCY\nA\t25.00\tEUR\n', [[2, 'A', 'charge', '25.00', 'EUR']]],
  ['a named delimiter', 'sep=|\ncaseId|amount|currency\nA|25.00|EUR\n', [[3, 'A', 'charge', '25.00', 'EUR']]],
  [
    'amounts of other currencies',
    `${head}A,,500,JPY\nB,,500.5,JPY\nC,,1.234,KWD\nD,,1.234,USD\nE,,1.00,XYZ\n`,
    [
      [2, 'A', 'charge', '500', 'JPY'],
      [3, 'amount: has more decimals than JPY has (0)'],
      [4, 'C', 'charge', '1.234', 'KWD'],
      [5, 'amount: has more decimals than USD has (2)'],
      [6, 'amount: needs a currency of ISO 4217'],
    ],
  ],
  [
    'what a spreadsheet broke',
    `${head}1.2E+24,charge,25.00,USD\nA,charge,"25,00",USD,x\n,charge,1,USD\nB,charge,"1,204.50",USD\nC,charge,,USD`,
    [
      [2, 'caseId: 1.2E+24 is a long number that a spreadsheet has rounded; export the column as text'],
      [3, 'has 1 more cells than the head: quote cells with a delimiter'],
      [4, 'caseId: is required'],
      [5, 'amount: must be a decimal such as 10.50, without separators, sign or exponent'],
      [6, 'amount: is required'],
    ],
  ],
  ['an open quote', `${head}"A,charge,25.00,USD\n`, { kind: 'quote_open', line: 2 }],
  ['a quote inside', `${head}A"b,charge,25.00,USD\n`, { kind: 'quote_inside', line: 2 }],
  ['text behind a quote', `${head}A,charge,25.00,USD\n"A"b,charge,25.00,USD\n`, { kind: 'quote_after', line: 3 }],
  ['a column twice', 'caseId,amount,Amount\n', { kind: 'column_twice', name: 'Amount' }],
] as const)('reads a statement with %s', (_, text, wanted) => expect(readText(text)).toEqual(wanted));

it('takes the currency of all lines where no column has one, and sums charges less credits', () => {
  const table = readCsvTable('caseId,kind,amount\nA,,25.00\nB,credit,30.50\n');
  if ('fault' in table) throw new Error('unreadable');
  const seen = readStatementRecords(table.records, findStatementColumns(table.names), 'EUR');
  const read = seen.flatMap((one) => ('read' in one ? [one.read] : []));
  expect(sumStatementLines(read)).toEqual([{ currency: 'EUR', minor: -550n }]);
});

const line = (number: number, case_id: string, amount = '25.00') => ({
  line: number,
  case_id,
  amount,
  currency: 'USD',
});
const send = async (body: object, as: 'admin' | { mid: number } = 'admin') => {
  const sent = { provider: 'provider_b', month: '2026-02', lines: [], ...body };
  const answer = await ask('costs/import-statement', { as, body: sent });
  return answer as { status: number; body: Record<string, unknown> };
};
const stored = async () => {
  const { body } = await ask('costs/statements', { body: { provider: 'provider_b', month: '2026-02' } });
  return body as { statements: Record<string, unknown>[]; findings: { case_id: string }[] };
};

it('stores a statement once it is no dry run, and no poorer one in its place', async () => {
  const lines = [line(2, 'C-1'), line(3, 'C-1'), line(4, '4111111111111111')];
  const unread = [{ line: 5, problem: 'amount: 4111 1111 1111 1111' }];
  const dry = await send({ lines, unread, dry_run: true });
  expect(dry.body).toMatchObject({
    stored: false,
    statement: { lines: 3, unread: 1, findings: { never_received: 3 } },
  });
  expect(await stored()).toMatchObject({ code: 'statement_not_found' });
  expect((await send({ lines, unread })).body).toMatchObject({ stored: true, statement: { lines: 3 } });
  expect(JSON.stringify(await stored())).not.toMatch(/4111 ?1111 ?1111/);
  const { caseId } = await toStoredCaseName('provider_b', '4111111111111111');
  expect((await stored()).findings.map((one) => one.case_id)).toEqual(['C-1', 'C-1', caseId]);
  expect((await send({ lines: lines.slice(1), unread })).body).toMatchObject({
    stored: false,
    statement: { lines: 3 },
  });
  expect((await send({ lines: lines.slice(1) })).body).toMatchObject({ stored: true, statement: { lines: 2 } });
  // Another import is faster each time.
  let isOther = false;
  beforePuts(async () => {
    if (isOther) return;
    isOther = true;
    const none = { lines: 9, findings: [], totals: [], claimable: [] };
    await storeStatement({ provider: 'provider_b', month: '2026-02' }, none);
    isOther = false;
  });
  expect(await send({ lines })).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
  beforePuts();
  expect(await stored()).toMatchObject({ statements: [{ lines: 9 }], findings: [] });
  expectDeclared('costs/import-statement');
});

it('is for operators alone', async () => {
  expect((await send({}, { mid: 1 })).body).toMatchObject({ code: 'scope_missing' });
});
