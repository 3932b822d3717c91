import { setTimeout as pause } from 'node:timers/promises';
import colours from 'picocolors';
import type { HistoryImport } from '#disputes/history/import/history-import.ts';
import {
  commandOptions,
  enterTarget,
  type FlagsOf,
  localTargetHelp,
  printJson,
  programOf,
  type Terminal,
  targetHelp,
  telling,
} from '#lib/local/command.ts';
import type { ReadLine } from '#lib/local/imports/rows.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run import`: brings alerts, orders and the history of a connection into a stack. */
const help = `${colours.bold('npm run import -- <command>')}    Bring in alerts, orders, or the history of a connection

  alerts <file.csv>     Import the alerts of a network that delivers files; repeating it changes nothing
  orders <file.csv>     Import the orders of a site; an order that is there already stays as it is
  history <connection>  Import the past of a merchant's connection, and show the progress until it ends

  --provider <name>     alerts: The provider whose alerts these are
  --mapping <file>      alerts: A mapping of the file's columns to the provider's fields
  --sid <number>        orders: The site
  --mid <number>        history: The merchant
  --from <day>          history: The first day (default: a year ago)
  --to <day>            history: The day after the last (default: now)
  --dry-run             alerts, orders: Read the file and report the lines that are wrong; import nothing
  --json                Print JSON instead, for programs
${targetHelp(24)}
The files are CSV in UTF-8 with a head. Without a mapping, the head names the provider's fields, or those of an order
(customer.email, items.0.name).
${localTargetHelp}`;

const options = {
  provider: { type: 'string' },
  mapping: { type: 'string' },
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

const problemsOf = <T>(lines: readonly ReadLine<T>[]): Fate[] =>
  lines.flatMap((one) => ('problem' in one ? [{ line: one.line, fate: 'failed' as const, detail: one.problem }] : []));

const readable = <T>(lines: readonly ReadLine<T>[]) => lines.flatMap((one) => ('read' in one ? [one] : []));

/** Imports each line, unless it is a dry run, and reports. `store`: throws a Refusal for a line that is refused. */
const importLines = async <T>(
  lines: readonly ReadLine<T>[],
  store: (read: T) => Promise<{ isNew: boolean; name: string }>,
  flags: Flags,
  terminal: Terminal,
): Promise<void> => {
  const fates = problemsOf(lines);
  const isDry = flags['dry-run'];
  const { Refusal } = await import('#core/platform/operation/errors.ts');
  const storeOne = async ({ line, read }: { line: number; read: T }): Promise<Fate> => {
    if (isDry) return { line, fate: 'new', detail: '' };
    try {
      const { isNew, name } = await store(read);
      return { line, fate: isNew ? 'new' : 'known', detail: name };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { line, fate: 'failed', detail: error.details };
    }
  };
  await telling(
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
  const store = async ({ name, message }: { name: Parameters<typeof ingestMessage>[0]; message: unknown }) => {
    const { alert_id: id } = await ingestMessage(name, message);
    return { isNew: id === null || id > mark, name: String(id) };
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

const operator = { scope: 'admin', subject: 'operator' } as const;

const pauseMilliseconds = 500;

const progressOf = ({ state, counts }: HistoryImport, percent: number): string =>
  `${state} ${percent} %  ${counts.charges} charges, ${counts.disputes} disputes, ${counts.orders} orders linked`;

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
  await telling(
    () => progressOf(one, percentDone(one)),
    async () => {
      while (isUnfinished(one)) {
        await pause(pauseMilliseconds);
        one = await importForCaller({ mid, connection, id: one.id }, operator);
      }
    },
  );
  if (flags.json) printJson(toImportDto(one), terminal.stdout);
  else terminal.stdout.write(`${progressOf(one, percentDone(one))}${one.trouble === null ? '' : `\n${one.trouble}`}\n`);
  if (one.state !== 'DONE') terminal.exitCode = 1;
};

export const imports = programOf({
  script: 'import',
  help,
  options,
  commands: {
    alerts: { takes: 'a CSV file', run: importAlerts },
    orders: { takes: 'a CSV file', run: importOrders },
    history: { takes: 'the id of a connection', run: importHistory },
  },
});
