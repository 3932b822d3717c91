import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { mostZippedBytes } from '../support/bundle-budget.ts';
import type { ColdCase } from './cold-cases.ts';
import type { PageCost } from './lists.ts';
import { type Finding, renderFindings } from './table.ts';

const usage = `Measures what Forewarn promises about speed, as ratios and counts.

  npm run bench              everything; some minutes, most of them for a list of 100,000
  npm run bench -- --quick   fewer repetitions, lists of 10,000
  npm run bench -- --help    this
`;

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, help: { type: 'boolean' } } });
if (options.help) {
  process.stdout.write(usage);
  process.exit();
}

const [coldRuns, deliveryRounds, longList] = options.quick ? [15, 8, 10_000] : [25, 20, 100_000];

/** The functions log to the standard output, which is the report's here. */
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

const isTerminal = process.stderr.isTTY === true;
const progress = (text: string): void => {
  if (isTerminal) process.stderr.write(`\r\x1b[K${pc.dim(text)}`);
};
const step = (text: string): void => {
  if (isTerminal) progress(`${text} …`);
  else process.stderr.write(`${text} …\n`);
};

// Before any module of the service is loaded: some read it then.
Object.assign(process.env, {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  TABLE_NAME: 'forewarn-test',
  STAGE_NAME: 'bench',
});
const { zippedBytesOf } = await import('../../lib/build/bundle.ts');
const { coldCases } = await import('./cold-cases.ts');
const { measureColdStarts } = await import('./cold-start.ts');
const { costsOfPayments, costsOfRefunds } = await import('./payment-calls.ts');
const { buildApi, largest, makeFirstCalls, undiciIn } = await import('./bundles.ts');
const { costOfRouting, costOfUpdate, costsOfIntake } = await import('./calls.ts');
const { costOfDelivering, measureRates } = await import('./deliveries.ts');
const { benchLists, measurePages, storeMany } = await import('./lists.ts');
const { benchOrder } = await import('./lookup-samples.ts');
const { countLookups, storeOrders } = await import('./lookups.ts');
const { startCountedTable } = await import('./counted-table.ts');

const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
const ratio = (value: number) => value.toFixed(2);
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

const coldStartsOf = async (one: ColdCase): Promise<Finding[]> => {
  const { title, mostCpu } = one;
  step(`Cold starts of ${title}, ${coldRuns} of each`);
  const { ours, baseline } = await measureColdStarts(one, coldRuns, (done) =>
    progress(`Cold starts of ${title}, ${done} of ${coldRuns}`),
  );
  const cpu = ours.cpuMilliseconds / baseline.cpuMilliseconds;
  const wall = ours.wallMilliseconds / baseline.wallMilliseconds;
  const pair = (left: number, right: number) => `${milliseconds(left)} to ${milliseconds(right)}`;
  return [
    {
      what: `${title}, CPU against the code by hand`,
      measured: `${ratio(cpu)}  (${pair(ours.cpuMilliseconds, baseline.cpuMilliseconds)})`,
      goal: `at most ${ratio(mostCpu)}`,
      isMet: cpu <= mostCpu,
    },
    {
      what: `${title}, time against the code by hand`,
      measured: `${ratio(wall)}  (${pair(ours.wallMilliseconds, baseline.wallMilliseconds)})`,
      goal: '',
      isMet: null,
    },
  ];
};

const coldStarts = async (): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const one of coldCases) findings.push(...(await coldStartsOf(one)));
  return findings;
};

const bundles = async (): Promise<Finding[]> => {
  step('Bundles of the API and their first calls');
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-bench-'));
  try {
    const built = await buildApi(folder);
    const { name, zippedBytes } = largest(built);
    const { loaded, statuses } = await makeFirstCalls(built);
    const undici = undiciIn(loaded).length;
    return [
      {
        what: 'largest bundle of the API, zipped',
        measured: `${(zippedBytes / 1024).toFixed(1)} KB  (${name})`,
        goal: `at most ${mostZippedBytes(name) / 1024} KB`,
        isMet: [...built.bundles].every(([one, bundle]) => zippedBytesOf(bundle) <= mostZippedBytes(one)),
      },
      {
        what: `functions of the API that load undici, of ${statuses.length}`,
        measured: undici === 0 ? 'none' : 'some',
        goal: 'none',
        isMet: undici === 0,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

type Table = Awaited<ReturnType<typeof startCountedTable>>;

const calls = async ({ counter }: Table): Promise<Finding[]> => {
  step('Calls of the table and the queues');
  const update = sum((await costOfUpdate(counter)).counts);
  const { matched, duplicate, unmatched } = await costsOfIntake(counter);
  const intake = Math.max(...[matched, duplicate, unmatched].map(({ counts }) => sum(counts)));
  const { replayed, status, ...paid } = await costsOfPayments(counter);
  const { stripe } = await costsOfRefunds(counter);
  const mostOf = (costs: Readonly<Record<string, { counts: Record<string, number> }>>) =>
    Math.max(...Object.values(costs).map(({ counts }) => sum(counts)));
  const [payment, reading, refund] = [mostOf(paid), mostOf({ replayed, status }), mostOf(stripe)];
  const routed = await costOfRouting(counter, 100);
  const { batches, most, connections } = await costOfDelivering(counter, 5);
  const writes = Math.max(...batches.map(({ UpdateItem = 0, PutItem = 0 }) => UpdateItem + PutItem)) / 10;
  return [
    { what: 'calls of DynamoDB, update-alert', measured: `${update}`, goal: 'at most 2', isMet: update <= 2 },
    { what: 'calls of DynamoDB, intake of an alert', measured: `${intake}`, goal: 'at most 3', isMet: intake <= 3 },
    { what: 'calls of DynamoDB, singletx', measured: `${payment}`, goal: 'at most 4', isMet: payment <= 4 },
    {
      what: 'calls of DynamoDB, a tid that comes again, getstatus',
      measured: `${reading}`,
      goal: 'at most 2',
      isMet: reading <= 2,
    },
    { what: 'calls of DynamoDB, a refund or a void', measured: `${refund}`, goal: 'at most 4', isMet: refund <= 4 },
    { what: 'writes of a delivered webhook', measured: `${writes}`, goal: 'at most 2', isMet: writes <= 2 },
    {
      what: 'calls of SQS for 100 notifications',
      measured: `${sum(routed.counts)}`,
      goal: 'in batches: 10',
      isMet: sum(routed.counts) === 10,
    },
    { what: 'webhooks of a batch under way at once', measured: `${most}`, goal: '10', isMet: most === 10 },
    {
      what: 'connections for 50 webhooks to one origin',
      measured: `${connections}`,
      goal: 'kept: at most 10',
      isMet: connections <= 10,
    },
  ];
};

const deliveries = async (): Promise<Finding[]> => {
  step(`Deliveries, ${deliveryRounds} rounds of each`);
  const { ours, bare } = await measureRates(deliveryRounds, 100, (done) =>
    progress(`Deliveries, round ${done} of ${deliveryRounds}`),
  );
  return [
    {
      what: 'webhooks a second against a bare undici loop that signs',
      measured: `${ratio(ours / bare)}  (${Math.round(ours)} to ${Math.round(bare)})`,
      goal: 'at least 0.70',
      isMet: ours / bare >= 0.7,
    },
  ];
};

const worstPage = (pages: readonly PageCost[]): PageCost =>
  pages.reduce((worst, page) => (page.itemsRead / page.size > worst.itemsRead / worst.size ? page : worst));

/** What a page of 50 took, from the cheapest to the dearest way to ask for it, the counters included. */
const unitsOf = (pages: readonly PageCost[]): string => {
  const units = pages.filter(({ size }) => size === 50).map(({ readUnits }) => readUnits);
  return `${Math.min(...units)} to ${Math.max(...units)} read units for 50`;
};

const pagesOf = async (table: Table, list: (typeof benchLists)[number], stored: number): Promise<Finding> => {
  const label = `${list.name}, ${stored.toLocaleString('en')} stored`;
  step(`Storing ${label}`);
  await storeMany(table.client, list, stored, (done) => {
    if (done % 1000 === 0) progress(`Storing ${label}: ${done.toLocaleString('en')}`);
  });
  step(`Reading pages of ${label}`);
  const pages: PageCost[] = [];
  for (const size of [10, 50, 100]) pages.push(...(await measurePages(list, stored, size, table.counter)));
  const worst = worstPage(pages);
  const counters = Math.max(...pages.map(({ keysRead }) => keysRead));
  return {
    what: `items a page reads, ${label}`,
    measured: `${ratio(worst.itemsRead / worst.size)} × its size  (worst of ${pages.length}; ${counters} counters at most; ${unitsOf(pages)})`,
    goal: 'at most 2 ×',
    isMet: pages.every(({ itemsRead, size }) => itemsRead <= 2 * size),
  };
};

const lists = async (table: Table): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const list of benchLists) findings.push(await pagesOf(table, list, 1000));
  const long = benchLists.filter(({ name }) => name === 'alerts' || name.startsWith('informational'));
  for (const list of long) findings.push(await pagesOf(table, list, longList));
  return findings;
};

/** So many of a long list's orders are on one card as of a short one's: what grows is what is stored. */
const ordersPerCard = 100;

/** Look-ups among few orders and among many of one merchant's: how long they take, and whether one was ever wrong. */
const lookups = async ({ client }: Table): Promise<Finding[]> => {
  const now = Date.now();
  const orders = Array.from({ length: longList }, (_, n) => benchOrder(n, longList / ordersPerCard, now));
  const few = Array.from({ length: 1000 }, (_, n) => benchOrder(n, 1000 / ordersPerCard, now));
  const timed = async (some: typeof orders, times: number) => {
    const begun = performance.now();
    const seen = await countLookups(some, times);
    return { ...seen, milliseconds: (performance.now() - begun) / times };
  };
  step('Storing 1,000 orders');
  await storeOrders(client, few);
  const before = await timed(few, longList / 50);
  step(`Storing ${longList.toLocaleString('en')} orders`);
  await storeOrders(client, orders);
  step('Looking orders up');
  const after = await timed(orders, longList / 5);
  const what = `of ${(longList / 5).toLocaleString('en')} look-ups among ${longList.toLocaleString('en')} orders`;
  return [
    {
      what: `wrong orders shown, ${what}`,
      measured: `${after.wrong}  (${after.right} right, ${after.none} not found or several)`,
      goal: 'none',
      isMet: after.wrong === 0 && before.wrong === 0,
    },
    {
      what: 'time of a look-up with all of them stored, against 1,000',
      measured: `${ratio(after.milliseconds / before.milliseconds)}  (${after.milliseconds.toFixed(1)} ms)`,
      goal: 'at most 1.25',
      isMet: after.milliseconds / before.milliseconds <= 1.25,
    },
  ];
};

const machine = () => {
  const [{ model = 'unknown processor' } = {}] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const load = loadavg()[0]?.toFixed(1);
  return `Node ${process.version} on ${process.platform} ${process.arch}, ${cpus().length} × ${model}, ${memory}, load ${load} at the start`;
};

const notes = `A cold start is a new process that loads the bundle and makes one call, over TLS. "By hand" is the same
operation in one file on the AWS SDK, without framework or schemas, in a plain ESM bundle. Times are medians of turns
taken one after the other, so a busy machine slows both sides. Webhooks go to a receiver on loopback over plain HTTP,
signed, without the table. Counts are of requests on the wire to a DynamoDB emulator; lists are read without and with
filters, from both ends, by cursor and by offset, ten, 50 and 100 to a page.
`;

const about = machine();
const findings = [...(await coldStarts()), ...(await bundles()), ...(await deliveries())];
// One table for all: a client keeps to the address it found first.
const table = await startCountedTable();
const pages = await lists(table);
findings.push(...(await calls(table)), ...pages, ...(await lookups(table)));
await table[Symbol.asyncDispose]();
if (isTerminal) process.stderr.write('\r\x1b[K');
print(`\n${about}\n\n${renderFindings(findings)}\n${pc.dim(notes)}`, () => process.exit());
