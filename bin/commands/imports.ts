import { setTimeout as pause } from 'node:timers/promises';
import colours from 'picocolors';
import { maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import type { StatementComparison } from '#disputes/costs/statement/statement.ts';
import type { HistoryImport } from '#disputes/history/import/history-import.ts';
import {
  commandOptions,
  enterTarget,
  type FlagsOf,
  localTargetHelp,
  makeProgram,
  printJson,
  reportProgress,
  type Terminal,
  targetHelp,
} from '#lib/local/command.ts';
import type { AnsweredItem } from '#lib/local/imports/enrollment-lines.ts';
import type { ReadLine } from '#lib/local/imports/rows.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run import`: brings alerts, orders and the history of a connection into a stack. */
const help = `${colours.bold('npm run import -- <command>')}    Bring in alerts, orders, or the history of a connection

  alerts <file.csv>     Import the alerts of a network that delivers files; repeating it changes nothing
  orders <file.csv>     Import the orders of a site; an order that is there already stays as it is
  enrollments <file>    Take over the statuses with which a network has answered a CSV of enrollments
  statement <file.csv>  Compare a network's monthly statement with the alerts that were received, and store the result
  history <connection>  Import the past of a merchant's connection, and show the progress until it ends

  --provider <name>     alerts, statement: The provider
  --mapping <file>      alerts, statement: A mapping of the file's columns to the fields
  --month <month>       statement: Its month, such as 2026-05
  --csv                 statement: Print the findings as CSV
  --claim               statement: Claim the price of every billed alert whose credit is claimable
  --sid <number>        orders: The site
  --mid <number>        history: The merchant
  --from <day>          history: The first day (default: a year ago)
  --to <day>            history: The day after the last (default: now)
  --dry-run             alerts, enrollments, orders, statement: Report the lines that are wrong, and findings; store nothing
  --json                Print JSON instead, for programs
${targetHelp(24)}
The files are CSV in UTF-8 with a head. Without a mapping, the head names the provider's fields, those of an order
(customer.email, items.0.name), those of a statement (caseId, kind, amount, currency), or the columns of the
dashboard's CSV of enrollments.
${localTargetHelp}`;

const options = {
  provider: { type: 'string' },
  mapping: { type: 'string' },
  month: { type: 'string' },
  csv: { type: 'boolean', default: false },
  claim: { type: 'boolean', default: false },
  sid: { type: 'string' },
  mid: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  ...commandOptions,
} as const;
type Flags = FlagsOf<typeof options>;

const enter = (flags: Flags): void =>
  enterTarget(flags, (prefix) => ({ ENCRYPTION_SECRET_ID: `${prefix}/encryption` }));

/** The outcome of a line of a file. */
type Fate = { line: number; fate: 'new' | 'known' | 'failed'; detail: string };

const report = (fates: readonly Fate[], isDry: boolean, { json }: Flags, { stdout }: Terminal): void => {
  const count = (fate: Fate['fate']) => fates.filter((one) => one.fate === fate).length;
  const failed = fates.filter(({ fate }) => fate === 'failed');
  if (json) {
    const problems = failed.map(({ line, detail }) => ({ line, problem: detail }));
    const counts = { imported: count('new'), known: count('known'), failed: count('failed') };
    printJson({ lines: fates.length, ...counts, problems }, stdout);
    return;
  }
  for (const { line, detail } of failed) stdout.write(`${colours.red(`line ${line}`)}  ${detail}\n`);
  const done = isDry
    ? `${count('new')} of ${fates.length} lines can be imported.`
    : `${count('new')} imported, ${count('known')} known already, ${count('failed')} failed.`;
  stdout.write(`${failed.length > 0 ? done : colours.green(done)}\n`);
};

const listFaults = <T>(lines: readonly ReadLine<T>[]): Fate[] =>
  lines.flatMap((one) =>
    'problem' in one ? [{ line: one.line, fate: 'failed' as const, detail: maskForTerminal(one.problem) }] : [],
  );

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal obeys them
const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** A file's text as it may be printed: without card numbers, and without what a terminal obeys. */
const maskForTerminal = (text: string): string => maskCardNumbers(text.toWellFormed().replace(controls, '·'));

const readable = <T>(lines: readonly ReadLine<T>[]) => lines.flatMap((one) => ('read' in one ? [one] : []));

/** Imports each line, unless it is a dry run, and reports. `store`: throws a Refusal for a line that is refused. */
const importLines = async <T>(
  lines: readonly ReadLine<T>[],
  store: (read: T) => Promise<{ isNew: boolean; name: string }>,
  flags: Flags,
  terminal: Terminal,
): Promise<void> => {
  const fates = listFaults(lines);
  const isDry = flags['dry-run'];
  const { Refusal } = await import('#core/platform/operation/errors.ts');
  const storeOne = async ({ line, read }: { line: number; read: T }): Promise<Fate> => {
    if (isDry) return { line, fate: 'new', detail: '' };
    try {
      const { isNew, name } = await store(read);
      return { line, fate: isNew ? 'new' : 'known', detail: name };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { line, fate: 'failed', detail: maskForTerminal(error.details) };
    }
  };
  await reportProgress(
    () => `${fates.length} of ${lines.length} lines`,
    async () => {
      for (const one of readable(lines)) fates.push(await storeOne(one));
    },
  );
  report(
    fates.toSorted((one, other) => one.line - other.line),
    isDry,
    flags,
    terminal,
  );
  if (fates.some(({ fate }) => fate === 'failed')) terminal.exitCode = 1;
};

const importAlerts = async (flags: Flags, file: string, terminal: Terminal): Promise<void> => {
  const [{ readAlertLines }, { readCsvFile }, { readMappingFile }] = await Promise.all([
    import('#lib/local/imports/alert-lines.ts'),
    import('#lib/local/csv-file.ts'),
    import('#lib/build/provider-mappings.ts'),
  ]);
  const mapping = flags.mapping === undefined ? undefined : readMappingFile(flags.mapping);
  const provider = flags.provider ?? mapping?.provider;
  if (provider === undefined) throw new UserError('Name the provider with --provider, or a mapping with --mapping.');
  const lines = readAlertLines(readCsvFile(file).records, provider, mapping);
  if (!flags['dry-run']) enter(flags);
  const [{ ingestMessage }, { newTimedId }] = await Promise.all([
    import('#disputes/alerts/intake/ingest-store.ts'),
    import('#core/kernel/ids.ts'),
  ]);
  // Ids increase with time: an alert that was there before has a lower one.
  const mark = newTimedId();
  const seen = new Set<number | null>();
  const store = async ({ name, message }: { name: Parameters<typeof ingestMessage>[0]; message: unknown }) => {
    const { alert_id: id } = await ingestMessage(name, message);
    const isNew = id === null || (id > mark && !seen.has(id));
    seen.add(id);
    return { isNew, name: String(id) };
  };
  await importLines(lines, store, flags, terminal);
};

const importOrders = async (flags: Flags, file: string, terminal: Terminal): Promise<void> => {
  const sid = Number(flags.sid);
  if (!Number.isSafeInteger(sid) || sid <= 0) throw new UserError('Name the site with --sid.');
  const [{ readOrderLines }, { readCsvFile }] = await Promise.all([
    import('#lib/local/imports/order-lines.ts'),
    import('#lib/local/csv-file.ts'),
  ]);
  const { records } = readCsvFile(file);
  if (!flags['dry-run']) enter(flags);
  const { nowIso } = await import('#core/kernel/clock.ts');
  const lines = readOrderLines(records, nowIso());
  const { createOrder, orderSiteForCaller } = await import('#payments/orders/order-store.ts');
  const owner = flags['dry-run'] ? undefined : await orderSiteForCaller(sid, operator);
  const store = async (content: Parameters<typeof createOrder>[1]) => {
    if (!owner) throw new Error('A dry run stores nothing');
    const { orderId, created } = await createOrder(owner, content);
    return { isNew: created, name: String(orderId) };
  };
  await importLines(lines, store, flags, terminal);
};

const importEnrollments = async (flags: Flags, file: string, terminal: Terminal): Promise<void> => {
  const [{ readEnrollmentLines }, { readCsvFile }] = await Promise.all([
    import('#lib/local/imports/enrollment-lines.ts'),
    import('#lib/local/csv-file.ts'),
  ]);
  const lines = readEnrollmentLines(readCsvFile(file).records);
  if (!flags['dry-run']) enter(flags);
  const { setItemStatus } = await import('#disputes/enrollments/enrollment-store.ts');
  const store = async ({ enrollment_request_id: id, status, ...name }: AnsweredItem) => ({
    isNew: await setItemStatus(id, name, { status, overlap: false }),
    name: String(id),
  });
  await importLines(lines, store, flags, terminal);
};

const operator = { scope: 'admin', subject: 'operator' } as const;

const compareStatementFile = async (flags: Flags, file: string, terminal: Terminal): Promise<void> => {
  const [{ readStatementLines }, { readCsvFile }, { readMappingFile }, { signingProviderNames }] = await Promise.all([
    import('#lib/local/imports/statement-lines.ts'),
    import('#lib/local/csv-file.ts'),
    import('#lib/build/provider-mappings.ts'),
    import('#disputes/providers/providers.ts'),
  ]);
  const mapping = flags.mapping === undefined ? undefined : readMappingFile(flags.mapping);
  const named = flags.provider ?? mapping?.provider;
  const provider = signingProviderNames.find((one) => one === named);
  if (!provider) throw new UserError(`Name the provider with --provider: ${signingProviderNames.join(', ')}.`);
  const { month } = flags;
  if (flags.claim && flags['dry-run']) throw new UserError('Use either --claim or --dry-run.');
  if (month === undefined || !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
    throw new UserError('Name the month of the statement with --month, such as 2026-05.');
  const lines = readStatementLines(readCsvFile(file).records, mapping);
  enter(flags);
  const [{ compareWithStatement }, { storeStatement }] = await Promise.all([
    import('#disputes/costs/statement/statement-store.ts'),
    import('#disputes/costs/statement/statement-report-store.ts'),
  ]);
  const read = readable(lines).map((one) => one.read);
  const compared = await compareWithStatement({ provider, month }, read);
  const unread = listFaults(lines);
  const problems = unread.map(({ line, detail }) => ({ line, problem: detail }));
  const stored = flags['dry-run'] ? undefined : await storeStatement({ provider, month }, { ...compared, problems });
  if (stored?.isStored === false) {
    terminal.stderr.write(
      `Not stored: ${unread.length} lines could not be read, and the stored result of ${month} has ${stored.report.lines} lines.\n`,
    );
  }
  if (unread.length > 0 || stored?.isStored === false) terminal.exitCode = 1;
  const { claimable, ...comparison } = compared;
  const claimed = flags.claim ? await claimAll(claimable, month) : 0;
  await reportComparison(
    {
      ...comparison,
      findings: comparison.findings.map((one) => ({ ...one, case_id: maskForTerminal(one.case_id) })),
      ...{ unread, claimable: claimable.length, claimed },
    },
    flags,
    terminal,
  );
};

const claimAll = async (alertIds: readonly number[], month: string): Promise<number> => {
  const { setCreditFor } = await import('#disputes/costs/credit-store.ts');
  const note = `statement of ${month}`;
  for (const alertId of alertIds) await setCreditFor(alertId, { state: 'claimed', note }, operator);
  return alertIds.length;
};

type Compared = StatementComparison & { unread: readonly Fate[]; claimable: number; claimed: number };

const reportComparison = async (compared: Compared, flags: Flags, { stdout, stderr }: Terminal): Promise<void> => {
  const { lines, findings, totals, unread, claimable, claimed } = compared;
  if (!flags.json) for (const { line, detail } of unread) stderr.write(`${colours.red(`line ${line}`)}  ${detail}\n`);
  if (flags.json) {
    const problems = unread.map(({ line, detail }) => ({ line, problem: detail }));
    printJson({ lines, findings, totals, problems, claimable, claimed }, stdout);
    return;
  }
  if (flags.csv) {
    const { csvText } = await import('#lib/dashboard/parts/csv.ts');
    stdout.write(csvText(findings));
    return;
  }
  for (const { finding, line, case_id, amount, currency, agreed, agreed_currency } of findings) {
    const place = line === null ? 'missing' : `line ${line}`;
    const price = agreed === null ? '' : `, agreed ${agreed} ${agreed_currency}`;
    stdout.write(`${place}  ${finding.replaceAll('_', ' ')}  ${case_id}  ${amount} ${currency}${price}\n`);
  }
  for (const { currency, billed, credited, questioned } of totals)
    stdout.write(`${currency}  ${billed} billed, ${credited} credited, ${questioned} questioned\n`);
  const claims = claimed > 0 ? `${claimed} credits claimed.` : `${claimable} credits can be claimed with --claim.`;
  const missed = unread.length > 0 ? ` ${unread.length} lines could not be read and were not compared.` : '';
  stdout.write(`${lines} lines, ${findings.length} findings. ${claims}${missed}\n`);
};

const pauseMilliseconds = 500;

const progressText = ({ state, counts }: HistoryImport, percent: number): string =>
  `${state} ${percent} %  ${counts.charges} charges, ${counts.disputes} disputes, ${counts.orders} orders linked${counts.unreadable > 0 ? `, ${counts.unreadable} charges unreadable` : ''}`;

const importHistory = async (flags: Flags, connection: string, terminal: Terminal): Promise<void> => {
  const mid = Number(flags.mid);
  if (!Number.isSafeInteger(mid) || mid <= 0) throw new UserError('Name the merchant with --mid.');
  enterTarget(flags, (prefix) => ({ IMPORTS_QUEUE_URL: `${prefix}-imports` }));
  const [{ importForCaller, startImport }, { importParts, importSpan, percentDone, isUnfinished }, { toImportDto }] =
    await Promise.all([
      import('#disputes/history/import/history-import-store.ts'),
      import('#disputes/history/import/history-import.ts'),
      import('#disputes/history/import/history-import-row.ts'),
    ]);
  const { nowIso } = await import('#core/kernel/clock.ts');
  const day = (text: string | undefined) => (text === undefined ? undefined : `${text}T00:00:00.000Z`);
  const span = importSpan({ from: day(flags.from), to: day(flags.to) }, nowIso());
  let one = await startImport({ mid, connection }, { ...span, what: importParts }, operator);
  await reportProgress(
    () => progressText(one, percentDone(one)),
    async () => {
      while (isUnfinished(one)) {
        await pause(pauseMilliseconds);
        one = await importForCaller({ mid, connection, id: one.id }, operator);
      }
    },
  );
  if (flags.json) printJson(toImportDto(one), terminal.stdout);
  else
    terminal.stdout.write(
      `${progressText(one, percentDone(one))}${one.trouble === null ? '' : `\n${maskForTerminal(one.trouble)}`}\n`,
    );
  for (const words of one.unread) terminal.stderr.write(`${maskForTerminal(words)}\n`);
  if (one.state !== 'DONE' || one.counts.unreadable > 0) terminal.exitCode = 1;
};

export const imports = makeProgram({
  script: 'import',
  help,
  options,
  commands: {
    alerts: { takes: 'a CSV file', run: importAlerts },
    orders: { takes: 'a CSV file', run: importOrders },
    enrollments: { takes: 'a CSV file', run: importEnrollments },
    statement: { takes: 'a CSV file', run: compareStatementFile },
    history: { takes: 'the id of a connection', run: importHistory },
  },
});
