import { isInformational } from '../alerts/alert.ts';
import { alertEntity } from '../alerts/alert-row.ts';
import type { RuleAction, RuleProvider } from '../alerts/automatic/actions.ts';
import { type Rule, type RuleBook, type RuleOwner, rulesInForce } from '../alerts/automatic/rule.ts';
import { fromBookItem, ownerName, ownersOf } from '../alerts/automatic/rule-row.ts';
import type { AlertSummary } from '../alerts/schemas.ts';
import { milliseconds } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { keys } from '../core/keys.ts';
import { readPage } from '../core/listing-store.ts';
import { getItems } from '../core/table.ts';
import type { Site } from '../merchants/site.ts';
import { fromSiteItem } from '../merchants/site-row.ts';
import {
  cursorWith,
  type HourTally,
  hourSoFar,
  type RefundTally,
  tallyHour,
  tallyOf,
  totalsOf,
  wouldDo,
} from './dry-run.ts';
import { evaluate } from './evaluate.ts';
import { type Facts, factsOf, volumesAsked } from './facts.ts';
import { decidingFields } from './fields.ts';
import { readBook } from './rule-store.ts';
import { readVolumeRows, type VolumeCache, volumeFacts } from './volume-store.ts';

type Wanted = {
  rule_id?: number | undefined;
  rule?:
    | {
        providers: readonly RuleProvider[];
        conditions: unknown;
        action: { type: RuleAction['type']; reason_code?: string | undefined; comments?: string | undefined };
      }
    | undefined;
  days: number;
  chargeback_cost: { amount: string; currency: string };
  size: number;
  cursor?: string | undefined;
};

export type Past = AlertSummary & { sid: number };

/** The one rule a dry run is about; undefined for all of them. Throws rule_not_found, request_invalid. */
const soleRule = async (owner: RuleOwner, { rule_id: id, rule }: Wanted, at: string): Promise<Rule | undefined> => {
  if (rule) {
    const fields = { ...decidingFields(rule), name: '', mode: 'live', enabled: true } as const;
    return { ...owner, ...fields, id: 0, version: 0, createdAt: at, updatedAt: at, by: '' };
  }
  if (id === undefined) return undefined;
  const found = (await readBook(owner)).rules.find((one) => one.id === id);
  if (!found) throw new Refusal('rule_not_found', 'rule_id: the owner has no such rule.');
  return { ...found, mode: 'live', enabled: true };
};

/** Sites and books of the alerts' sites, the merchant's book last of each. */
export const readSites = async (owner: RuleOwner, alerts: readonly Past[]) => {
  const sids = [...new Set(alerts.map(({ sid }) => sid))];
  const owners = [...sids.map((sid) => ({ mid: owner.mid, sid })), { mid: owner.mid, sid: null }];
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

export const isAsked = ({ test, alert_type }: Past): boolean =>
  !test && alert_type !== 'DISPUTE_RDR' && !isInformational(alert_type);

/** One page of what rules would have done with an owner's alerts of the last days. `now`: ISO. */
export const dryRunOf = async (owner: RuleOwner, wanted: Wanted, now: string) => {
  const from = new Date(Date.parse(now) - wanted.days * milliseconds.day).toISOString();
  const sole = await soleRule(owner, wanted, now);
  const { cursor, tally } = tallyOf(wanted.cursor);
  const page = await readPage<Past>({
    entity: alertEntity,
    ...(owner.sid === null ? { scopeIndex: 2, scope: `M${owner.mid}` } : { scopeIndex: 4, scope: `S${owner.sid}` }),
    from,
    order: 'ASC',
    size: wanted.size,
    cursor,
  });
  const { sites, books } = await readSites(owner, page.list);
  const rulesOf = (alert: Past): Rule[] =>
    sole ? rulesInForce([alone(sole)], alert.provider) : inForce(books, owner, alert);
  const facts = await pastFacts(page.list, rulesOf);
  const list = [];
  for (const alert of page.list.filter(isAsked)) {
    const { decided } = await evaluate(rulesOf(alert), facts.get(alert.alert_id) ?? {});
    const site = sites.get(alert.sid);
    if (decided && site) list.push(lineOf(alert, decided, site, tally));
  }
  const evaluated = page.list.filter(isAsked).length;
  const next_cursor = cursorWith(page.next_cursor, tally);
  const totals = totalsOf(list, wanted.chargeback_cost);
  return { list, evaluated, matched: list.length, totals, from, to: now, next_cursor };
};

const alone = (rule: Rule): RuleBook => ({ owner: { mid: rule.mid, sid: rule.sid }, version: 0, rules: [rule] });

export const inForce = (books: ReadonlyMap<string, RuleBook>, { mid }: RuleOwner, { sid, provider }: Past): Rule[] =>
  rulesInForce(
    ownersOf({ sid, mid }).flatMap((one) => books.get(ownerName(one)) ?? []),
    provider,
  );

const lineOf = (alert: Past, { id, version, action }: Rule, site: Site, tally: RefundTally) => ({
  alert_id: alert.alert_id,
  sid: alert.sid,
  alert_date: alert.alert_date,
  alert_type: alert.alert_type,
  amount: alert.amount,
  currency: alert.currency,
  rule_id: id === 0 ? null : id,
  version: id === 0 ? null : version,
  action: action.type,
  ...wouldDo(action, alert, site, tally),
});

/**
 * The facts of alerts as they were when each came in. Volumes come from the kept hours; the alert's own hour is counted
 * anew from the page, whose first hour may lack what the page before had of it.
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
    const place = { subject: alert, at: alert.alert_date, currency: alert.currency };
    const soFar = (name: string) => hourSoFar(hours, alert, name, alert.alert_date, alert.currency);
    facts.set(alert.alert_id, { ...factsOf(alert), ...volumeFacts(asked, place, cache, soFar) });
  }
  return facts;
};
