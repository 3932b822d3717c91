import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { milliseconds } from '#core/kernel/clock.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { alertEntity, fromAlertItem } from '#disputes/alerts/alert-row.ts';
import type { TransactionSearch } from '#disputes/alerts/automatic/gateway-transaction.ts';
import type { RefundPort } from '#disputes/alerts/automatic/refund-port.ts';
import {
  type Rule,
  type RuleBook,
  type RuleOwner,
  type RuleSubject,
  rulesInForce,
} from '#disputes/alerts/automatic/rule.ts';
import { fromBookItem, ownerName, ownersOf, subjectOfAlert } from '#disputes/alerts/automatic/rule-row.ts';
import type { AlertSummary } from '#disputes/alerts/schemas.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import type { MatchEvidenceDto } from '#disputes/matching/match.ts';
import type { RuleProvider } from '#disputes/providers/providers.ts';
import { fromRefundItem } from '#disputes/refunds/refund-row.ts';
import { flatten } from '../conditions.ts';
import {
  alertFactsOf,
  caseFactsAsked,
  earlierDisputesOf,
  type Facts,
  factLabel,
  factValue,
  volumesAsked,
} from '../decide/alert-facts.ts';
import { readCaseFacts } from '../decide/case-fact-store.ts';
import { evaluate } from '../decide/evaluate-rules.ts';
import { type FoundPlan, planFound } from '../decide/refund-plan.ts';
import type { Deciding } from '../decide/rule-fields.ts';
import { findSoleRule } from '../decide/sole-rule-store.ts';
import { readVolumeRows, type VolumeCache, volumeFacts } from '../volume/volume-store.ts';
import {
  asBefore,
  boundFacts,
  cursorWith,
  type HourTally,
  hourSoFar,
  type RefundTally,
  readTally,
  sumTotals,
  tallyHour,
  type WouldBe,
  wouldDo,
} from './dry-run.ts';

type Wanted = {
  rule_id?: number | undefined;
  rule?:
    | {
        providers?: readonly RuleProvider[] | undefined;
        conditions: unknown;
        action: Deciding['action'];
      }
    | undefined;
  days: number;
  chargeback_cost: { amount: string; currency: string };
  size: number;
  cursor?: string | undefined;
};

export type Past = AlertSummary & { sid: number };

/** Sites and books of the alerts' sites, the merchant's book last of each. */
export const readSiteBooks = async (owner: RuleOwner, alerts: readonly Past[]) => {
  const sids = [...new Set(alerts.map(({ sid }) => sid))];
  const owners = [...sids, null].map((sid) => ({ ...owner, sid }));
  const [siteItems, bookItems] = await Promise.all([
    sids.length > 0 ? getItems(sids.map((sid) => keys.site(sid))) : [],
    readBookItems(owners),
  ]);
  const sites = new Map(
    siteItems.flatMap((item) => (item ? [[fromSiteItem(item).sid, fromSiteItem(item)] as const] : [])),
  );
  const books = new Map(owners.map((one, index) => [ownerName(one), fromBookItem(bookItems[index], one)] as const));
  return { sites, books };
};

/** A book has up to 400 KB, and a call brings at most 16 MB. */
const booksAtOnce = 40;

const readBookItems = async (owners: readonly RuleOwner[]) => {
  const items = [];
  for (let from = 0; from < owners.length; from += booksAtOnce) {
    const some = owners.slice(from, from + booksAtOnce);
    items.push(...(await getItems(some.map((one) => keys.ruleBook(ownerName(one))))));
  }
  return items;
};

/** Checks whether rules of a subject decide an alert: those about alerts do not decide what a network has decided itself. */
export const isAsked = ({ test, alert_type: type }: Past, about: RuleSubject = 'alerts'): boolean =>
  !test && type !== 'DISPUTE_RDR' && subjectOfAlert({ type }) === about;

/** The most alerts per page if their charges are looked up at processors, which takes several requests each. */
const maxLookedFor = 20;
/** Searches at a time: processors limit how fast they may be asked. */
const searchesAtOnce = 5;

type Find = RefundPort['findTransactions'];

/** One page of what rules would have done with an owner's alerts of the last days. `now`: ISO; `find`: looks for an alert's payment. */
export const runDry = async (owner: RuleOwner, wanted: Wanted, now: string, find: Find) => {
  const from = new Date(Date.parse(now) - wanted.days * milliseconds.day).toISOString();
  const [sole, connections] = await Promise.all([findSoleRule(owner, wanted, now), readConnections(owner.mid)]);
  const { cursor, tally } = readTally(wanted.cursor);
  const page = await readPage<Past>({
    entity: alertEntity,
    ...(owner.sid === null ? { scopeIndex: 2, scope: `M${owner.mid}` } : { scopeIndex: 4, scope: `S${owner.sid}` }),
    from,
    order: 'ASC',
    size: connections.list.length === 0 ? wanted.size : Math.min(wanted.size, maxLookedFor),
    cursor,
  });
  const { sites, books } = await readSiteBooks(owner, page.list);
  const rulesOf = (alert: Past): Rule[] =>
    sole ? rulesInForce([alone(sole)], alert.provider) : inForce(books, owner, alert);
  const asked = page.list.filter((one) => isAsked(one, owner.about));
  const facts = await withCaseFacts(asked, rulesOf, await pastFacts(page.list, rulesOf));
  const decided: Decided[] = [];
  for (const alert of asked) {
    const { decided: rule } = await evaluate(rulesOf(alert), facts.get(alert.alert_id) ?? {});
    const site = sites.get(alert.sid);
    if (rule && site) decided.push({ alert, rule, site });
  }
  const plans = await plansFor(decided, find);
  const judged = decided.map((one) => ({ ...one, ...wouldBe(one, plans, tally) }));
  const not_compared = unknownFacts(asked, rulesOf, facts);
  const next_cursor = cursorWith(page.next_cursor, tally);
  const totals = sumTotals(
    judged.map(({ alert: { amount, currency }, would, refund }) => ({ amount, currency, would, refund })),
    wanted.chargeback_cost,
  );
  return {
    list: judged.map(dryRunLine),
    evaluated: asked.length,
    matched: judged.length,
    not_compared,
    totals,
    from,
    to: now,
    next_cursor,
  };
};

/** The facts that rules compare and that alerts do not have, by how many alerts lack them. */
const unknownFacts = (
  alerts: readonly Past[],
  rulesOf: (alert: Past) => Rule[],
  facts: ReadonlyMap<number, Facts>,
): { fact: string; alerts: number }[] => {
  const lacking = new Map<string, number>();
  for (const alert of alerts) {
    const compared = rulesOf(alert).flatMap(({ conditions }) => flatten(conditions));
    const unknown = compared.filter(
      ({ fact, params }) => factValue(facts.get(alert.alert_id) ?? {}, fact, params) === null,
    );
    for (const name of new Set(unknown.map(({ fact, params }) => factLabel(fact, params)))) {
      lacking.set(name, (lacking.get(name) ?? 0) + 1);
    }
  }
  return [...lacking].map(([fact, n]) => ({ fact, alerts: n })).sort((one, other) => (one.fact < other.fact ? -1 : 1));
};

/** The facts with those of the alerts' cases as they stand today, where rules ask for them. */
export const withCaseFacts = async (
  alerts: readonly Past[],
  rulesOf: (alert: Past) => Rule[],
  facts: Map<number, Facts>,
): Promise<Map<number, Facts>> => {
  const asking = alerts.filter((alert) => caseFactsAsked(rulesOf(alert)).length > 0);
  const items = asking.length > 0 ? await getItems(asking.map(({ alert_id }) => keys.alert(alert_id))) : [];
  const readOne = async (past: Past, item: (typeof items)[number]): Promise<void> => {
    if (!item) return;
    const known = await readCaseFacts(fromAlertItem(item), caseFactsAsked(rulesOf(past)));
    facts.set(past.alert_id, { ...facts.get(past.alert_id), ...known });
  };
  for (let from = 0; from < asking.length; from += searchesAtOnce) {
    const some = asking.slice(from, from + searchesAtOnce);
    await Promise.all(some.map((past, index) => readOne(past, items[from + index])));
  }
  return facts;
};

type Decided = { alert: Past; rule: Rule; site: Site };

/** The plan of a rule for an alert's payment, and the evidence for the payment that was found. */
type SeenPlan = { plan: FoundPlan; match: MatchEvidenceDto | null };

const wouldBe = ({ alert, rule, site }: Decided, plans: ReadonlyMap<number, SeenPlan>, tally: RefundTally) => {
  const seen = plans.get(alert.alert_id);
  return { ...wouldDo(rule.action, alert, site, tally, seen?.plan), match: seen?.match ?? null };
};

/** Returns the plans of rules that refund for the present state of their alerts' payments, by alert. */
const plansFor = async (decided: readonly Decided[], find: Find): Promise<ReadonlyMap<number, SeenPlan>> => {
  const refunding = decided.filter(({ rule }) => rule.action.type === 'refund');
  const ids = refunding.map(({ alert }) => alert.alert_id);
  const items = ids.length === 0 ? [] : await getItems(ids.flatMap((id) => [keys.alert(id), keys.refund(id)]));
  const plans = new Map<number, SeenPlan>();
  // A processor that does not answer is waited for only once: the whole page has a few seconds.
  let isSilent = false;
  const planOne = async ({ alert: past, rule, site }: Decided, place: number): Promise<void> => {
    const item = items[2 * place];
    if (!item) throw new Error(`Alert ${past.alert_id} is listed and gone`);
    const alert = fromAlertItem(item);
    const found = isSilent ? silent : await find(alert);
    isSilent ||= found.found === 'unavailable';
    const isDone = fromRefundItem(items[2 * place + 1])?.refund.state === 'done' || wasRefunded(alert);
    const plan = planFound(beforeIts(found, isDone), alert.providerAlert, boundFacts(past, site, rule.action));
    plans.set(past.alert_id, { plan, match: found.found === 'one' ? found.match : null });
  };
  for (let from = 0; from < refunding.length; from += searchesAtOnce) {
    const some = refunding.slice(from, from + searchesAtOnce);
    await Promise.all(some.map((one, index) => planOne(one, from + index)));
  }
  return plans;
};

const silent: TransactionSearch = { found: 'unavailable', transactions: [] };

/** Checks whether the alert has its answer by a refund of its own. 951: it was refunded before. */
const wasRefunded = ({ update }: Alert): boolean => /^(?!951)\d{3}\.001$/.test(update?.reason_code ?? '');

/** The transaction that was found, as it was before the alert's own refund. */
const beforeIts = (found: TransactionSearch, isRefunded: boolean): TransactionSearch =>
  found.found === 'one' && (isRefunded || found.standing.isSettledForAlert)
    ? { ...found, standing: asBefore(found.standing) }
    : found;

const alone = (rule: Rule): RuleBook => ({ owner: { mid: rule.mid, sid: rule.sid }, version: 0, rules: [rule] });

export const inForce = (
  books: ReadonlyMap<string, RuleBook>,
  { mid, about }: RuleOwner,
  { sid, provider }: Past,
): Rule[] =>
  rulesInForce(
    ownersOf({ sid, mid }, about).flatMap((one) => books.get(ownerName(one)) ?? []),
    provider,
  );

const dryRunLine = ({
  alert,
  rule: { id, version, action },
  would,
  reason,
  refund,
  match,
}: Decided & WouldBe & Pick<SeenPlan, 'match'>) => ({
  alert_id: alert.alert_id,
  sid: alert.sid,
  alert_date: alert.alert_date,
  alert_type: alert.alert_type,
  amount: alert.amount,
  currency: alert.currency,
  rule_id: id === 0 ? null : id,
  version: id === 0 ? null : version,
  action: action.type,
  would,
  reason,
  refund_amount: refund?.amount ?? null,
  refund_currency: refund?.currency ?? null,
  match,
});

/**
 * The facts of alerts as they were when each came in. Volumes come from the kept hours; the alert's own hour is counted
 * again from the page, whose first hour may lack alerts of the previous page.
 */
export const pastFacts = async (
  alerts: readonly Past[],
  rulesOf: (alert: Past) => Rule[],
): Promise<Map<number, Facts>> => {
  const cache: VolumeCache = new Map();
  const hours: HourTally = new Map();
  const asked = volumesAsked([...new Set(alerts.flatMap(rulesOf))]);
  const places = alerts.map((alert) => ({ subject: alert, at: alert.alert_date, currency: alert.currency }));
  if (asked.length > 0) await readVolumeRows(asked, places, cache);
  const facts = new Map<number, Facts>();
  for (const alert of alerts) {
    tallyHour(hours, alert);
    const isCounted = subjectOfAlert({ type: alert.alert_type }) === 'alerts';
    const place = { subject: alert, at: alert.alert_date, currency: alert.currency };
    const soFar = (name: string) => hourSoFar(hours, alert, name, alert.alert_date, alert.currency);
    const volumes = volumeFacts(asked, place, cache, soFar);
    facts.set(alert.alert_id, { ...alertFactsOf(alert), ...volumes, ...earlierDisputesOf(volumes, isCounted) });
  }
  return facts;
};
