import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, tryTransact } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { alertEntity } from '#disputes/alerts/alert-row.ts';
import { type Rule, type RuleBook, type RuleOwner, rulesInForce } from '#disputes/alerts/automatic/rule.ts';
import { ownerName, ownersOf } from '#disputes/alerts/automatic/rule-row.ts';
import { type AlertPrices, priceAt } from '#disputes/costs/price.ts';
import { fromPricesItem } from '#disputes/costs/price-row.ts';
import { evaluate } from '../decide/evaluate-rules.ts';
import { cursorWith, type RefundTally, readTally, wouldDo } from '../dry-run/dry-run.ts';
import { inForce, isAsked, type Past, pastFacts, readSiteBooks, withCaseFacts } from '../dry-run/dry-run-store.ts';
import {
  addToDay,
  type BackTestDifference,
  type DaySums,
  type Side,
  type Verdict,
  verdictDifferenceOf,
} from './back-test.ts';
import { backTestDue } from './back-test-due.ts';
import {
  alertListOf,
  type BackTest,
  type Draft,
  differencesPerPage,
  fromBackTestItem,
  fromDraftItem,
  progressWrites,
} from './back-test-row.ts';

/** The number of alerts that a step reads per page, and the time for which it reads pages; the next message continues. */
const alertsAtOnce = 500;
const stepMilliseconds = 15 * milliseconds.second;
/** The limit of one write of a step: fifty pages of them. */
const maxDifferences = 5000;
/** A back-test that is not done by then never will be. */
const longestMilliseconds = 2 * milliseconds.day;

/**
 * Continues a back-test: reads on from its position and writes its progress. One of several messages wins, so that nothing is counted
 * twice. The sweep resends lost messages.
 */
export const runBackTest = async (id: string): Promise<void> => {
  const [item, draftItem] = await getItems([keys.backTest(id), keys.backTestDraft(id)]);
  const [before, draft] = [fromBackTestItem(item), fromDraftItem(draftItem)];
  if (before?.state !== 'RUNNING' || !draft) return;
  const first: Reached = { backTest: before, differences: [], isEnd: false };
  const isStuck = nowMilliseconds() - Date.parse(before.startedAt) > longestMilliseconds;
  const reached = isStuck ? failRun(first, 'It could not be finished.') : await readForAWhile(first, draft);
  if (await tryTransact({ backTest: pageWrites(reached) })) return;
  if (!reached.isEnd) await sendOrThrow([backTestDue.message({ backTestId: id })]);
};

const readForAWhile = async (first: Reached, draft: Draft): Promise<Reached> => {
  const prices = fromPricesItem(await getItem(keys.alertPrices(first.backTest.mid)));
  const until = nowMilliseconds() + stepMilliseconds;
  let reached = first;
  do {
    reached = await readOn(reached, draft, prices);
  } while (!reached.isEnd && nowMilliseconds() < until && reached.differences.length < maxDifferences);
  return reached;
};

type Reached = { backTest: BackTest; differences: readonly BackTestDifference[]; isEnd: boolean };

const failRun = ({ backTest }: Reached, error: string): Reached => ({
  backTest: { ...backTest, state: 'FAILED', error },
  differences: [],
  isEnd: true,
});

const readOn = async (reached: Reached, draft: Draft, prices: AlertPrices): Promise<Reached> => {
  const { backTest } = reached;
  const { mid, sid, from, to, cursor } = backTest;
  const [today, drafted] = [readTally(cursor?.today), readTally(cursor?.draft)];
  const page = await readPage<Past>({
    entity: alertEntity,
    ...alertListOf({ mid, sid }),
    from,
    to,
    order: 'ASC',
    size: alertsAtOnce,
    cursor: today.cursor,
  });
  const { sites, books } = await readSiteBooks({ mid, sid }, page.list);
  const versions = {
    ...backTest.versions,
    ...Object.fromEntries([...books].map(([name, { version }]) => [name, version])),
  };
  const isChanged = Object.entries(backTest.versions).some(([name, version]) => versions[name] !== version);
  if (isChanged) return failRun(reached, 'The rules have changed since. Start it again.');
  const tallies = { today: today.tally, draft: drafted.tally };
  const judged = await judge(page.list, rulesWith(books, { mid, sid }, draft), { sites, tallies });
  const days = daysWith(backTest.days, judged, prices);
  const next = page.next_cursor;
  return {
    backTest: {
      ...backTest,
      versions,
      days,
      read: backTest.read + page.list.length,
      cursor:
        next === null
          ? null
          : { today: cursorWith(next, tallies.today) ?? next, draft: cursorWith(next, tallies.draft) ?? next },
    },
    differences: [
      ...reached.differences,
      ...judged.flatMap(({ alert, verdicts }) => verdictDifferenceOf(alert, verdicts) ?? []),
    ],
    isEnd: next === null,
  };
};

type RulesOf = Readonly<Record<Side, (alert: Past) => Rule[]>>;

/** The rules that decide an alert today, and those that would with the draft in place of the stored ones it replaces. */
const rulesWith = (books: ReadonlyMap<string, RuleBook>, { mid, sid }: RuleOwner, draft: Draft): RulesOf => ({
  today: (alert) => inForce(books, { mid, sid }, alert),
  draft: (alert) => {
    const [own, merchants] = ownersOf({ sid: alert.sid, mid }).map((owner) => books.get(ownerName(owner))?.rules ?? []);
    const rules = [...(draft.site ?? own ?? []), ...(draft.merchant ?? merchants ?? [])];
    return rulesInForce([{ owner: { mid, sid }, version: 0, rules }], alert.provider);
  },
});
type Judged = { alert: Past; verdicts: Record<Side, Verdict> };
type Around = { sites: ReadonlyMap<number, Site>; tallies: Readonly<Record<Side, RefundTally>> };

/** Returns the verdicts of both sides on the alerts of a page, each read once. */
const judge = async (list: readonly Past[], rulesOf: RulesOf, { sites, tallies }: Around): Promise<Judged[]> => {
  const rulesOfBoth = (alert: Past) => [...rulesOf.today(alert), ...rulesOf.draft(alert)];
  const facts = await withCaseFacts(list, rulesOfBoth, await pastFacts(list, rulesOfBoth));
  const judged: Judged[] = [];
  for (const alert of list.filter((one) => isAsked(one))) {
    const site = sites.get(alert.sid);
    if (!site) continue;
    const verdict = async (side: Side): Promise<Verdict> => {
      const { decided } = await evaluate(rulesOf[side](alert), facts.get(alert.alert_id) ?? {});
      return decided && { ruleId: decided.id, ...wouldDo(decided.action, alert, site, tallies[side]) };
    };
    judged.push({ alert, verdicts: { today: await verdict('today'), draft: await verdict('draft') } });
  }
  return judged;
};

const daysWith = (
  before: BackTest['days'],
  judged: readonly Judged[],
  prices: AlertPrices,
): Record<string, DaySums> => {
  const days: Record<string, DaySums> = { ...before };
  for (const { alert, verdicts } of judged) {
    const { provider, tier, alert_type: type, alert_date: at } = alert;
    const day = at.slice(0, 'YYYY-MM-DD'.length);
    days[day] = addToDay(days[day] ?? {}, alert, verdicts, priceAt(prices, { provider, tier, type }, at));
  }
  return days;
};

/** Differences are written in full pages; the rest waits for the next step. */
const pageWrites = ({ backTest, differences, isEnd }: Reached) => {
  const all = [...backTest.pending, ...differences];
  const full = Math.floor(all.length / differencesPerPage);
  const pages = Array.from({ length: full }, (_, index) => ({
    number: backTest.pages + index,
    differences: all.slice(index * differencesPerPage, (index + 1) * differencesPerPage),
  }));
  const after: BackTest = {
    ...backTest,
    state: isEnd && backTest.state === 'RUNNING' ? 'DONE' : backTest.state,
    updatedAt: nowIso(),
    pending: all.slice(full * differencesPerPage),
    pages: backTest.pages + full,
    differing: backTest.differing + differences.length,
    version: backTest.version + 1,
  };
  return progressWrites(after, pages);
};
