import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { milliseconds as spans } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, type Item, putItem, transact } from '#core/platform/table/table.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { bookWrites } from '#disputes/alerts/automatic/rule-row.ts';
import { fromBackTestItem } from '#disputes/rules/back-test/back-test-row.ts';
import { runBackTest } from '#disputes/rules/back-test/back-test-run-store.ts';
import { beginBackTest } from '#disputes/rules/back-test/back-test-store.ts';
import { anAlert, aSite, settings } from '#test/disputes/alerts/samples.ts';
import { amountBelow, aRule } from '#test/disputes/rules/samples.ts';
import type { Call } from '#test/support/call-counter.ts';
import { countRowsOf, writeRows } from '#test/support/many-rows.ts';
import type { CountedTable } from './counted-table.ts';
import { progress, step, whole } from './report.ts';
import type { Finding } from './table.ts';

/** A back-test over many alerts: what it reads of each, how often it writes, and how long the worker is at it. */

const days = 60;
const site = aSite({ sid: 901, mid: 900, rid: 902, alert: settings({ max_daily_refunds: 1000 }) });
const sample = anAlert({}, site);

/** In the one list that is read: the emulator writes a row in as many indexes as it is listed in. */
const ofSiteAlone = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !/^(?:list[1-3]f?|list4f|due)Pk$/.test(name)));

/** Spread evenly over the days that a back-test takes in; a tenth is below the amount that the draft moves. */
function* alerts(count: number, now: number) {
  const spacing = ((days - 1) * spans.day) / count;
  for (let n = 0; n < count; n += 1) {
    const receivedAt = new Date(now - (days - 0.5) * spans.day + n * spacing).toISOString();
    const { providerAlert } = sample;
    const money = { amount: `${1 + (n % 100)}.00`, currency: 'USD', disputeAmount: '', disputeCurrency: '' };
    yield ofSiteAlone(
      toAlertItem({
        ...{ ...sample, alertId: 1_100_000_000_000_000 + n, receivedAt },
        providerAlert: { ...providerAlert, ...money, transactionAt: receivedAt, caseId: `BENCH${n}` },
      }),
    );
  }
}

const sumUp = (calls: readonly Call[], field: 'itemsRead' | 'keysRead' | 'readUnits') =>
  calls.reduce((total, call) => total + call[field], 0);

export const measureBackTests = async ({ client, counter }: CountedTable, count: number): Promise<Finding[]> => {
  const now = Date.now();
  const where = { client, table: 'forewarn-test' };
  step(`A back-test over ${whole(count)} alerts: storing them`);
  await writeRows(where, alerts(count, now), (done) => progress(`Storing ${whole(done)} of ${whole(count)} alerts`));
  await writeRows(where, countRowsOf(alerts(count, now)));
  await putItem(toSiteItem(site));
  const owner = { mid: site.mid, sid: site.sid };
  const rule = aRule({ ...owner, id: 1, version: 1, conditions: amountBelow(20), action: { type: 'refund' } });
  await transact({ rows: bookWrites({ owner, version: 1, rules: [rule] }, rule) });
  const { name, mode, enabled, providers } = rule;
  const draft = { name, mode, enabled, providers, conditions: amountBelow(30), action: rule.action };
  counter.take();
  const begun = await beginBackTest(owner, { days, draft: { site: [draft], merchant: null } }, 'bench');
  counter.take();
  step(`A back-test over ${whole(count)} alerts`);
  const from = process.cpuUsage();
  const startedAt = performance.now();
  const calls: Call[] = [];
  let steps = 0;
  for (;;) {
    await runBackTest(begun.id);
    steps += 1;
    calls.push(...counter.take());
    const present = fromBackTestItem(await getItem(keys.backTest(begun.id)));
    counter.take();
    progress(`${whole(present?.read ?? 0)} of ${whole(count)} alerts are read`);
    if (present?.state === 'RUNNING') continue;
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = process.cpuUsage(from);
    return toFindings({ count, steps, calls, seconds, cpuSeconds: (cpu.user + cpu.system) / 1e6, present });
  }
};

type Ran = {
  count: number;
  steps: number;
  calls: readonly Call[];
  seconds: number;
  cpuSeconds: number;
  present: ReturnType<typeof fromBackTestItem>;
};

const toFindings = ({ count, steps, calls, seconds, cpuSeconds, present }: Ran): Finding[] => {
  const writes = calls.filter(({ operation }) => /Put|Update|Transact/.test(operation)).length;
  const perAlert = sumUp(calls, 'itemsRead') / count;
  const title = `back-test of ${whole(count)} alerts`;
  return [
    {
      what: `${title}: how it ended, and how many it has read`,
      measured: `${present?.state}, ${whole(present?.read ?? 0)}, ${whole(present?.differing ?? 0)} of them differ`,
      goal: `DONE, ${whole(count)}`,
      isMet: present?.state === 'DONE' && present.read === count,
    },
    {
      what: `${title}: items of the list read for each alert`,
      measured: perAlert.toFixed(4),
      goal: 'once: at most 1.01',
      isMet: perAlert <= 1.01,
    },
    {
      what: `${title}: other rows read by their keys, read units, writes, steps of the worker`,
      measured: [sumUp(calls, 'keysRead'), Math.round(sumUp(calls, 'readUnits')), writes, steps].map(whole).join(', '),
      goal: '',
      isMet: null,
    },
    {
      what: `${title}: time, and CPU of the worker`,
      measured: `${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s`,
      goal: '',
      isMet: null,
    },
  ];
};
