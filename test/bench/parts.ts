import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureAuthentications } from './authentication-times.ts';
import { measureBackTests } from './back-tests.ts';
import { buildApi, largest } from './bundles.ts';
import { type ColdCase, coldCases } from './cold-cases.ts';
import { measureColdStarts } from './cold-start.ts';
import type { CountedTable } from './counted-table.ts';
import { measureDashboard } from './dashboard-times.ts';
import { measureRates } from './deliveries.ts';
import { measureDueSlot } from './due-slot.ts';
import { measureLocal } from './local.ts';
import { measureLookups } from './lookup-times.ts';
import { measureMatching } from './matching.ts';
import { milliseconds, progress, ratio, step } from './report.ts';
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
  step('Bundles of the API');
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-bench-'));
  try {
    const { name, zippedBytes } = largest(await buildApi(folder));
    const measured = `${(zippedBytes / 1024).toFixed(1)} KB  (${name})`;
    return [{ what: 'largest bundle of the API, zipped', measured, goal: '', isMet: null }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

/** Returns the size of a large shop. */
const many = (isQuick: boolean): number => (isQuick ? 10_000 : 100_000);

export const parts: readonly Part[] = [
  ...coldCases.map((one) => ({
    name: `cold starts of ${one.title}`,
    measure: (_: CountedTable, isQuick: boolean) => coldStartsOf(one, isQuick ? 15 : 25),
  })),
  { name: 'bundles', measure: bundles },
  { name: 'deliveries', measure: (_, isQuick) => deliveries(isQuick ? 8 : 20) },
  { name: 'authentications', measure: (_, isQuick) => measureAuthentications(isQuick ? 50 : 200) },
  { name: 'dashboard', measure: (_, isQuick) => measureDashboard(isQuick ? 300 : 2000) },
  { name: 'local', measure: (_, isQuick) => measureLocal(isQuick) },
  { name: 'a million due', measure: async () => measureDueSlot() },
  { name: 'back-tests', measure: (table, isQuick) => measureBackTests(table, many(isQuick)) },
  { name: 'matching', measure: async () => measureMatching() },
  { name: 'lookups', measure: (table, isQuick) => measureLookups(table, many(isQuick)) },
];
