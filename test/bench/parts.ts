import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureAuthentications } from './authentication-times.ts';
import { measureBackTests } from './back-tests.ts';
import { buildApi, largest, makeFirstCalls, undiciIn } from './bundles.ts';
import { costOfRouting, costOfUpdate, costsOfIntake } from './calls.ts';
import { type ColdCase, coldCases } from './cold-cases.ts';
import { measureColdStarts } from './cold-start.ts';
import type { CountedTable } from './counted-table.ts';
import { measureDashboard } from './dashboard-times.ts';
import { costOfDelivering, measureRates } from './deliveries.ts';
import { measureDueSlot } from './due-slot.ts';
import { benchLists, maxItemsRead, measurePages, type PageCost, storeMany } from './lists.ts';
import { measureLocal } from './local.ts';
import { measureLookups } from './lookup-times.ts';
import { measureMatching } from './matching.ts';
import { costsOfPayments, costsOfRefunds } from './payment-calls.ts';
import { milliseconds, progress, ratio, step, sum, whole } from './report.ts';
import type { Finding } from './table.ts';

/** A part of the bench, which can be run alone. `isQuick`: with fewer repetitions, and less stored. */
export type Part = {
  name: string;
  measure: (table: CountedTable, isQuick: boolean) => Promise<Finding[]>;
};

const coldStartsOf = async (one: ColdCase, coldRuns: number): Promise<Finding[]> => {
  const { title, maxCpu } = one;
  step(`Cold starts of ${title}, ${coldRuns} of each`);
  const { ours, baseline } = await measureColdStarts(one, coldRuns, (done) =>
    progress(`Cold starts of ${title}, ${done} of ${coldRuns}`),
  );
  const against = (left: number, right: number) =>
    `${ratio(left / right)}  (${milliseconds(left)} to ${milliseconds(right)})`;
  return [
    {
      what: `${title}, CPU against update-alert by hand`,
      measured: against(ours.cpuMilliseconds, baseline.cpuMilliseconds),
      goal: `at most ${ratio(maxCpu)}`,
      isMet: ours.cpuMilliseconds / baseline.cpuMilliseconds <= maxCpu,
    },
    {
      what: `${title}, time against update-alert by hand`,
      measured: against(ours.wallMilliseconds, baseline.wallMilliseconds),
      goal: '',
      isMet: null,
    },
  ];
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
        goal: '',
        isMet: null,
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

const calls = async ({ counter }: CountedTable): Promise<Finding[]> => {
  step('Calls of the table and the queues');
  const update = sum((await costOfUpdate(counter)).counts);
  const { matched, duplicate, unmatched } = await costsOfIntake(counter);
  const intake = Math.max(...[matched, duplicate, unmatched].map(({ counts }) => sum(counts)));
  const { replayed, status, ...paid } = await costsOfPayments(counter);
  const { stripe } = await costsOfRefunds(counter);
  const maxOf = (costs: Readonly<Record<string, { counts: Record<string, number> }>>) =>
    Math.max(...Object.values(costs).map(({ counts }) => sum(counts)));
  const [payment, reading, refund] = [maxOf(paid), maxOf({ replayed, status }), maxOf(stripe)];
  const routed = await costOfRouting(counter, 100);
  const { batches, most, connections } = await costOfDelivering(counter, 5);
  const writes = Math.max(...batches.map(({ UpdateItem = 0, PutItem = 0 }) => UpdateItem + PutItem)) / 10;
  return [
    { what: 'calls of DynamoDB, update-alert', measured: `${update}`, goal: 'at most 2', isMet: update <= 2 },
    { what: 'calls of DynamoDB, intake of an alert', measured: `${intake}`, goal: 'at most 4', isMet: intake <= 4 },
    { what: 'calls of DynamoDB, singletx', measured: `${payment}`, goal: 'at most 4', isMet: payment <= 4 },
    {
      what: 'calls of DynamoDB, a tid that comes again, getstatus',
      measured: `${reading}`,
      goal: 'at most 2',
      isMet: reading <= 2,
    },
    { what: 'calls of DynamoDB, a refund or a void', measured: `${refund}`, goal: 'at most 5', isMet: refund <= 5 },
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

const deliveries = async (deliveryRounds: number): Promise<Finding[]> => {
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

/** Returns the cost of a page of 50, from the cheapest to the dearest way to request it, the counters included. */
const sayUnits = (pages: readonly PageCost[]): string => {
  const units = pages.filter(({ size }) => size === 50).map(({ readUnits }) => readUnits);
  return `${Math.min(...units)} to ${Math.max(...units)} read units for 50`;
};

const readPages = async (table: CountedTable, list: (typeof benchLists)[number], stored: number): Promise<Finding> => {
  const label = `${list.name}, ${whole(stored)} stored`;
  step(`Storing ${label}`);
  await storeMany(table.client, list, stored, (done) => {
    if (done % 1000 === 0) progress(`Storing ${label}: ${whole(done)}`);
  });
  step(`Reading pages of ${label}`);
  const pages: PageCost[] = [];
  for (const size of [10, 50, 100]) pages.push(...(await measurePages(list, stored, size, table.counter)));
  const worst = worstPage(pages);
  const counters = Math.max(...pages.map(({ keysRead }) => keysRead));
  const counted = Math.max(...pages.map(({ itemsCounted }) => itemsCounted));
  return {
    what: `items a page reads, ${label}`,
    measured: `${ratio(worst.itemsRead / worst.size)} × its size  (worst of ${pages.length}; ${counters} counters and ${whole(counted)} items counted at most; ${sayUnits(pages)})`,
    goal: 'at most 2 ×, or an item of each partition of a filter',
    isMet: pages.every((page) => page.itemsRead <= maxItemsRead(list, page)),
  };
};

const lists = async (table: CountedTable, longList: number): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const list of benchLists) findings.push(await readPages(table, list, 1000));
  const long = benchLists.filter(({ name }) => name === 'alerts' || name.startsWith('informational'));
  for (const list of long) findings.push(await readPages(table, list, longList));
  return findings;
};

/** Returns the size of a long list or shop. */
const many = (isQuick: boolean): number => (isQuick ? 10_000 : 100_000);

export const parts: readonly Part[] = [
  ...coldCases.map((one) => ({
    name: `cold starts of ${one.title}`,
    measure: (_: CountedTable, isQuick: boolean) => coldStartsOf(one, isQuick ? 15 : 25),
  })),
  { name: 'bundles', measure: bundles },
  { name: 'deliveries', measure: (_, isQuick) => deliveries(isQuick ? 8 : 20) },
  { name: 'calls', measure: calls },
  { name: 'authentications', measure: (_, isQuick) => measureAuthentications(isQuick ? 50 : 200) },
  { name: 'dashboard', measure: (_, isQuick) => measureDashboard(isQuick ? 300 : 2000) },
  { name: 'local', measure: (_, isQuick) => measureLocal(isQuick) },
  { name: 'lists', measure: (table, isQuick) => lists(table, many(isQuick)) },
  { name: 'a million due', measure: async () => measureDueSlot() },
  { name: 'back-tests', measure: (table, isQuick) => measureBackTests(table, many(isQuick)) },
  { name: 'matching', measure: async () => measureMatching() },
  { name: 'lookups', measure: (table, isQuick) => measureLookups(table, many(isQuick)) },
];
