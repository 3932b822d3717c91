import type { Site } from '#accounts/merchants/site/site.ts';
import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, queryItems } from '#core/platform/table/table.ts';
import { type Rule, type RuleFields, type RuleOwner, rulesInForce } from '#disputes/alerts/automatic/rule.ts';
import { fromBookItem, ownerName, ownersOf } from '#disputes/alerts/automatic/rule-row.ts';
import { priceAt } from '#disputes/costs/price.ts';
import { fromPricesItem } from '#disputes/costs/price-row.ts';
import { alertFactsOf } from '#disputes/rules/decide/alert-facts.ts';
import { evaluate } from '#disputes/rules/decide/evaluate-rules.ts';
import { wouldDo } from '#disputes/rules/dry-run/dry-run.ts';
import { cameUpAt, type PastDispute } from './past-dispute.ts';
import { fromPastDisputeItem } from './past-dispute-row.ts';
import { type Assumptions, alertInstead, type JudgedDispute, wasRaised } from './past-year.ts';

/** The number of disputes that one call reads at most. */
const maxDisputes = 20_000;

/** A merchant's disputes of a time, the oldest first. Throws request_invalid if there are too many. */
const readPastDisputes = async (mid: number, { from, to }: { from: string; to: string }): Promise<PastDispute[]> => {
  const found: PastDispute[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const { items, lastKey } = await queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.pastDispute(mid, '', '').pk },
      ...(start && { ExclusiveStartKey: start }),
    });
    const disputes = items.map(fromPastDisputeItem);
    found.push(...disputes.filter((one) => wasRaised(one) && cameUpAt(one) >= from && cameUpAt(one) < to));
    start = lastKey;
    if (found.length > maxDisputes) {
      throw new Refusal('request_invalid', `from: there are more than ${maxDisputes} disputes; choose a shorter time`);
    }
  } while (start);
  return found.sort((one, other) => (cameUpAt(one) < cameUpAt(other) ? -1 : 1));
};

/** The rules that would decide: those that were sent in place of the stored ones of the site, and the merchant's. */
const rulesFor = async ({ sid, mid }: Site, drafts: readonly RuleFields[] | undefined, at: string): Promise<Rule[]> => {
  const owners = ownersOf({ sid, mid });
  const items = await getItems(owners.map((owner) => keys.ruleBook(ownerName(owner))));
  const books = owners.map((owner, index) => fromBookItem(items[index], owner));
  const own: RuleOwner = { sid, mid };
  const made = { createdAt: at, updatedAt: at, by: '' };
  const draft = drafts?.map((fields, index): Rule => ({ ...own, ...fields, ...made, id: index + 1, version: 0 }));
  const chosen = draft ? [{ owner: own, version: 0, rules: draft }, ...books.slice(1)] : books;
  return rulesInForce(chosen, 'provider_a');
};

/** The alert site whose rules and limits decide. Throws site_not_found, site_not_for_alerts. */
const alertSiteFor = async (sid: number, caller: Caller): Promise<Site> => {
  const site = siteVisibleTo(caller, await getItem(keys.site(sid)));
  if (site.type !== 'alert') throw new Refusal('site_not_for_alerts', 'Give the site its alert settings first.');
  return site;
};

type Wanted = { sid: number; from: string; to: string; rules: readonly RuleFields[] | undefined };

/**
 * Judges the disputes of a merchant's past as alerts by a site's rules. Returns them with the price of an alert today. Throws
 * site_not_found, site_not_for_alerts, request_invalid.
 */
export const judgePast = async (
  { sid, from, to, rules: drafts }: Wanted,
  caller: Caller,
  now: string,
): Promise<{ judged: JudgedDispute[]; alertPrice: Assumptions['alertPrice'] }> => {
  const site = await alertSiteFor(sid, caller);
  const [disputes, rules, priceItem] = await Promise.all([
    readPastDisputes(site.mid, { from, to }),
    rulesFor(site, drafts, now),
    getItem(keys.alertPrices(site.mid)),
  ]);
  const tally = new Map<string, number>();
  const judged: JudgedDispute[] = [];
  for (const dispute of disputes) {
    const alert = alertInstead(dispute, sid);
    if (!alert) continue;
    const { decided } = await evaluate(rules, alertFactsOf(alert.facts));
    const verdict = decided ? wouldDo(decided.action, alert, site, tally) : { would: null, refund: null };
    judged.push({ ...alert, ...verdict });
  }
  const price = priceAt(fromPricesItem(priceItem), { provider: 'provider_a', tier: '', type: 'DISPUTE' }, now);
  return { judged, alertPrice: price };
};
