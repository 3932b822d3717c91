import { useState } from 'preact/hooks';
import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import { type CsvFault, type CsvRecord, type CsvTable, readCsvTable } from '#core/kernel/csv/csv-table.ts';
import { formatAmount, type Money, parseAmount } from '#core/kernel/money/money.ts';
import type { importStatementOperation as ImportStatementOperation } from '#disputes/costs/api/import-statement/operation.ts';
import type { StatementLine } from '#disputes/costs/statement/statement.ts';
import {
  findStatementColumns,
  type LineFault,
  lineFaultWords,
  readStatementRecords,
  type SeenLine,
  type StatementCell,
  type StatementColumns,
  statementCells,
  sumStatementLines,
} from '#disputes/costs/statement/statement-file.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { serviceNow } from '../app/clock.ts';
import { say } from '../app/messages.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { monthText } from '../parts/dates.ts';
import { Field, Select } from '../parts/field.tsx';
import { amountText } from '../parts/money.ts';
import { DataTable } from '../parts/table.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { countText } from '../parts/words.ts';
import { Tile } from './report-parts.tsx';

const importStatement = remote<typeof ImportStatementOperation>({ path: '/api/v3/reports/statements', method: 'PUT' });
type Compared = ReplyOf<typeof ImportStatementOperation>;
type Sent = Parameters<typeof importStatement>[0]['body'];
type Provider = Compared['statement']['provider'];

const providers = ['provider_a', 'provider_b', 'rdr'] as const satisfies readonly Provider[];

/** As many as a call takes; larger files are for the command. */
const maxLines = 5000;
const maxBytes = 250_000;

const cellLabels: Readonly<Record<StatementCell, string>> = {
  caseId: translate('Network’s number'),
  kind: translate('Charge or credit'),
  amount: translate('Amount'),
  currency: translate('Currency'),
};

const sayFileFault = (fault: CsvFault): string => {
  if (fault.kind === 'column_twice') return translate('The column {name} is there twice.', { name: fault.name });
  return translate('Line {line} has a quote that is not closed, or in a wrong place.', { line: fault.line });
};

const sayLineFault = (fault: LineFault): string => {
  switch (fault.kind) {
    case 'cells':
      return translateCount(fault.count, '{count} cell more than the head has', '{count} cells more than the head has');
    case 'rounded':
      return translate('A spreadsheet has rounded a long number. Export the column as text.');
    case 'missing':
      return translate('{cell} is missing', { cell: cellLabels[fault.name] });
    case 'kind':
      return translate('Neither charge nor credit');
    case 'currency':
      return translate('No currency such as USD');
    case 'decimal':
      return translate('The amount is no number such as 1204.50');
    case 'decimals':
      return translate('The amount has more decimals than {currency}', { currency: fault.currency });
  }
};

/** The text of a file; undefined if it is not in UTF-8. */
const readText = async (file: File): Promise<string | undefined> => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
};

const sayMoney = ({ minor, currency }: Money): string => {
  const text = amountText(formatAmount({ minor: minor < 0n ? -minor : minor, currency }), currency);
  return minor < 0n ? `−${text}` : text;
};

/** The difference between the sender's total and the lines read; undefined if they cannot be compared. */
const findDifference = (total: string, sums: readonly Money[]): Money | undefined => {
  const [sum, other] = sums;
  const given = sum && !other ? parseAmount(total.trim(), sum.currency) : undefined;
  return sum && typeof given === 'object' ? { ...sum, minor: given.minor - sum.minor } : undefined;
};

const sayDifference = (total: string, sums: readonly Money[]): string | undefined => {
  if (total.trim() === '') return undefined;
  const difference = findDifference(total, sums);
  if (!difference) return translate('Enter a number such as 18356.00. It is compared if all lines have one currency.');
  if (difference.minor === 0n) return translate('The lines that were read come to the sender’s total.');
  return translate('The sender’s total differs by {amount} from the lines that were read.', {
    amount: sayMoney(difference),
  });
};

const lastMonth = (): string => {
  const [year = 0, month = 0] = new Date(serviceNow()).toISOString().split('-').map(Number);
  return new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7);
};

const toSentLine = ({ line, caseId, kind, amount }: StatementLine) => ({
  ...{ line, case_id: caseId, amount: formatAmount(amount), currency: amount.currency },
  ...(kind === 'credit' && { kind }),
});

type Unread = Extract<SeenLine, { fault: LineFault }>;
const toSentFault = ({ line, fault }: Unread) => ({
  line,
  problem: lineFaultWords(fault).replaceAll(/\s+/g, ' ').slice(0, 300),
});

/** A network's bill as a file: which of its lines can be read and what they come to, before it is booked. */
export const StatementUpload = ({ onDone }: { onDone: () => void }) => {
  const [table, setTable] = useState<CsvTable>();
  const [problem, setProblem] = useState<string>();
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const text = await readText(file);
    const read = text === undefined ? undefined : readCsvTable(text);
    setTable(read && !('fault' in read) ? read : undefined);
    if (!read) setProblem(translate('The file is not text in UTF-8. Export it as CSV.'));
    else if ('fault' in read) setProblem(sayFileFault(read.fault));
    else setProblem(read.records.length === 0 ? translate('The file has no lines.') : undefined);
  };
  return (
    <Card title={translate('Read a statement')}>
      <div class="fields">
        <Field
          label={translate('The CSV file of a network')}
          type="file"
          accept=".csv,text/csv"
          hint={translate('It is read in your browser. Nothing is booked before you have seen it.')}
          problem={problem}
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
      </div>
      {table && table.records.length > 0 && <Reading key={table.names.join()} {...{ table, onDone }} />}
    </Card>
  );
};

/** The cells of a line as the file has them; a card number, even one over several cells, only with its ends. */
const sayRecord = (record: CsvRecord | undefined): string =>
  maskCardNumbers(
    Object.values(record?.fields ?? {})
      .map((cell) => cell.trim())
      .filter(Boolean)
      .join(' · '),
  );

type ReadingProps = { table: CsvTable; onDone: () => void };

const Reading = ({ table, onDone }: ReadingProps) => {
  const found = findStatementColumns(table.names);
  const [columns, setColumns] = useState(found);
  const [currency, setCurrency] = useState('');
  const [total, setTotal] = useState('');
  const seen = readStatementRecords(table.records, columns, currency);
  const read = seen.flatMap((one) => ('read' in one ? [one.read] : []));
  const unread = seen.filter((one) => 'fault' in one);
  const sums = sumStatementLines(read);
  // Without a column of kinds, which a file may name otherwise, credits would be read as charges.
  const isGuessed = statementCells.every((cell) => found[cell] !== null);
  const difference = sayDifference(total, sums);
  const isEqual = findDifference(total, sums)?.minor === 0n;
  const records = new Map(table.records.map((record) => [record.line, record]));
  return (
    <>
      {!isGuessed && <ColumnFields names={table.names} {...{ columns, setColumns, currency, setCurrency }} />}
      <ul class="tiles">
        <Tile label={translate('Lines read')} value={countText(read.length)} note={sums.map(sayMoney).join(', ')} />
        <Tile label={translate('Lines not read')} value={countText(unread.length)} />
      </ul>
      {read.length === 0 && !isGuessed && (
        <p class="note warn">{translate('Choose above which column has what: no line could be read like this.')}</p>
      )}
      {read.length > 0 && (
        <div class="fields">
          <Field
            label={translate('The sender’s total')}
            inputMode="decimal"
            value={total}
            onInput={({ currentTarget }) => setTotal(currentTarget.value)}
            hint={translate('Charges less credits, as the bill has it.')}
          />
        </div>
      )}
      {read.length > 0 && difference !== undefined && <p class={isEqual ? 'note' : 'note warn'}>{difference}</p>}
      <UnreadLines lines={unread} textOf={(line) => sayRecord(records.get(line))} />
      {read.length > 0 && <Booking {...{ read, unread, onDone }} />}
    </>
  );
};

type ColumnProps = {
  names: readonly string[];
  columns: StatementColumns;
  setColumns: (columns: StatementColumns) => void;
  currency: string;
  setCurrency: (currency: string) => void;
};

/** Which column has what, where the head does not say it. */
const ColumnFields = ({ names, columns, setColumns, currency, setCurrency }: ColumnProps) => (
  <fieldset>
    <legend>{translate('Which column has what')}</legend>
    <div class="fields">
      {statementCells.map((cell) => (
        <Select
          key={cell}
          label={cellLabels[cell]}
          choices={[
            { value: '', label: translate('None of them') },
            ...names.filter(Boolean).map((name) => ({ value: name, label: name })),
          ]}
          defaultValue={columns[cell] ?? ''}
          onChange={({ currentTarget }) => setColumns({ ...columns, [cell]: currentTarget.value || null })}
        />
      ))}
      {columns.currency === null && (
        <Field
          label={translate('Currency of all lines')}
          maxLength={3}
          value={currency}
          onInput={({ currentTarget }) => setCurrency(currentTarget.value.toUpperCase())}
          hint={translate('Such as USD')}
        />
      )}
    </div>
  </fieldset>
);

const maxShown = 100;

type UnreadProps = { lines: readonly Unread[]; textOf: (line: number) => string };

const UnreadLines = ({ lines, textOf }: UnreadProps) => {
  if (lines.length === 0) return null;
  return (
    <>
      <DataTable<Unread>
        caption={translate('Lines that could not be read')}
        columns={[
          { label: translate('Line'), isMain: true, cell: ({ line }) => translate('Line {line}', { line }) },
          { label: translate('It says'), cell: ({ line }) => <span class="code">{textOf(line)}</span> },
          { label: translate('Why'), cell: ({ fault }) => sayLineFault(fault) },
        ]}
        rows={lines.slice(0, maxShown)}
        keyOf={({ line }) => String(line)}
        empty={null}
      />
      {lines.length > maxShown && (
        <p class="small">{translate('And {count} more.', { count: lines.length - maxShown })}</p>
      )}
    </>
  );
};

type BookingProps = { read: readonly StatementLine[]; unread: readonly Unread[] } & Omit<ReadingProps, 'table'>;

/** Compares the lines with the alerts, and books them once a person has seen the result. */
const Booking = ({ read, unread, onDone }: BookingProps) => {
  const [provider, setProvider] = useState<Provider>(providers[0]);
  const [month, setMonth] = useState(lastMonth());
  const [compared, setCompared] = useState<{ of: string; reply: Compared }>();
  const [error, setError] = useState<unknown>();
  const body: Sent = { provider, month, lines: read.map(toSentLine), unread: unread.map(toSentFault) };
  const of = JSON.stringify(body);
  const isTooLarge = Math.max(read.length, unread.length) > maxLines || of.length > maxBytes;
  const compare = async () => {
    setError(undefined);
    try {
      setCompared({ of, reply: await importStatement({ body: { ...body, dry_run: true } }) });
    } catch (refusal) {
      setError(refusal);
    }
  };
  if (isTooLarge)
    return (
      <p class="note warn">
        {translate('The file is too large for the browser. Use the command:')}{' '}
        <code>{`npm run import -- statement bill.csv --provider ${provider} --month ${month}`}</code>
      </p>
    );
  return (
    <>
      <div class="fields">
        <Select
          label={translate('Network')}
          choices={providers.map((value) => ({ value, label: stateWords(value) }))}
          defaultValue={provider}
          onChange={({ currentTarget }) => setProvider(currentTarget.value as Provider)}
        />
        <Field
          label={translate('Month')}
          type="month"
          value={month}
          onInput={({ currentTarget }) => setMonth(currentTarget.value)}
        />
      </div>
      <Trouble error={error} />
      {compared?.of === of ? (
        <Result reply={compared.reply} book={() => importStatement({ body })} {...{ read, unread, onDone }} />
      ) : (
        <div class="buttons">
          <Button look="main" onPress={compare}>
            {translate('Compare with the alerts')}
          </Button>
        </div>
      )}
    </>
  );
};

type ResultProps = Pick<BookingProps, 'read' | 'unread' | 'onDone'> & {
  reply: Compared;
  book: () => Promise<Compared>;
};

const Result = ({ reply: { statement }, book, read, unread, onDone }: ResultProps) => {
  const [isOpen, setOpen] = useState(false);
  const count = Object.values(statement.findings).reduce((sum, one) => sum + one, 0);
  const words = translateCount(read.length, 'Book {count} line', 'Book {count} lines');
  const send = async () => {
    const { stored, statement: kept } = await book();
    setOpen(false);
    if (!stored)
      return say(
        translateCount(
          kept.lines,
          'Not booked: the stored statement of this month has {count} line, and not all of yours were read.',
          'Not booked: the stored statement of this month has {count} lines, and not all of yours were read.',
        ),
        'bad',
      );
    say(translate('The statement of {month} is booked.', { month: monthText(kept.month) }));
    onDone();
  };
  return (
    <>
      <ul class="tiles">
        <Tile label={translate('Findings')} value={countText(count)} />
        {statement.totals.map(({ currency, questioned }) => (
          <Tile key={currency} label={translate('To question')} value={amountText(questioned, currency)} />
        ))}
        <Tile label={translate('Credits to claim')} value={countText(statement.claimable.length)} />
      </ul>
      <div class="buttons">
        <Button look="main" onPress={() => setOpen(true)}>
          {words}
        </Button>
      </div>
      {isOpen && (
        <Confirm title={`${words}?`} yes={translate('Book')} look="main" onYes={send} onClose={() => setOpen(false)}>
          <p>{translate('They replace what was booked for this network and month.')}</p>
          {unread.length > 0 && (
            <p>
              {translateCount(
                unread.length,
                '{count} line stays out. The statement shows it as not read.',
                '{count} lines stay out. The statement shows them as not read.',
              )}
            </p>
          )}
        </Confirm>
      )}
    </>
  );
};
