import { fromRetailerItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { OwnersFilter } from '#accounts/merchants/merchant/owners-store.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant, canAccessSite, checkMerchantAccess } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, type Item, queryItems } from '#core/platform/table/table.ts';
import type { Alert } from './alert.ts';
import { alertOrderEntity, fromAlertOrderItem } from './alert-order-row.ts';
import {
  alertDetailsOf,
  alertEntity,
  alertVisibleTo,
  fromAlertItem,
  type StoredSummary,
  unmatchedEntity,
} from './alert-row.ts';
import { type NetworkOutcome, outcomeIdOf, toldProvider, toProviderOutcomeDto } from './answer/network-outcome.ts';
import { fromOutcomeItem } from './answer/network-outcome-row.ts';
import { toCaseDto } from './case/dispute-case-row.ts';
import { readDisputeCase } from './case/dispute-case-store.ts';
import type { AlertCost } from './cost/cost.ts';
import { fromCostItem, toCostDto } from './cost/cost-row.ts';
import { newestEntries, toHistoryDto, withNotes } from './history/history.ts';
import { fromHistoryItem, fromNoteItem, historyEntity, noteEntity } from './history/history-row.ts';
import { fromHoldItem } from './hold-row.ts';
import { assigneeScope } from './people/assignee.ts';

/** An alert by its number; undefined if there is none. */
export const getAlert = async (alertId: number): Promise<Alert | undefined> => {
  const item = await getItem(keys.alert(alertId));
  return item && fromAlertItem(item);
};

/** An alert's current state, for a caller. Throws alert_not_found also if the caller may not see it. */
export const visibleAlert = async (alertId: number, caller: Caller): Promise<Alert> =>
  alertVisibleTo(caller, await getItem(keys.alert(alertId)));

/** The summaries of these alerts, each once, in their order; those that the caller may not see, and unmatched ones, are left out. */
export const summariesFor = async (alertIds: readonly number[], caller: Caller): Promise<StoredSummary[]> =>
  (await getItems([...new Set(alertIds)].map(keys.alert))).flatMap((item) => {
    const alert = item && fromAlertItem(item);
    return alert?.owner && canAccessSite(caller, alert.owner) ? [item?.['summary'] as StoredSummary] : [];
  });

/** An alert on the wire with its history, oldest first (at most the newest 2 MB). Throws alert_not_found also if the caller may not see it. */
export const alertForCaller = async (alertId: number, caller: Caller) => {
  const items = await readPartition(alertId);
  const item = items.find(({ entity }) => entity === alertEntity || entity === unmatchedEntity);
  const alert = alertVisibleTo(caller, item);
  const of = (wanted: string) => items.filter(({ entity }) => entity === wanted);
  const history = newestEntries(withNotes(of(historyEntity).map(fromHistoryItem), of(noteEntity).map(fromNoteItem)));
  const hold = fromHoldItem(items.find(({ entity }) => entity === 'HOLD'));
  const order = fromAlertOrderItem(items.find(({ entity }) => entity === alertOrderEntity));
  const [{ outcome, cost }, disputeCase] = await Promise.all([besides(alert), readDisputeCase(alert)]);
  return {
    ...alertDetailsOf(alert),
    provider_outcome: outcome ? toProviderOutcomeDto(outcome) : null,
    held_txid: hold?.txid ?? null,
    case: toCaseDto(disputeCase, alert),
    potential_txids: [...(hold?.txids ?? [])],
    order_id: order?.orderId ?? null,
    cost: cost ? toCostDto(cost) : null,
    history: history.map(toHistoryDto),
  };
};

/** As many keys as one BatchGetItem takes. */
const keysPerCall = 100;

/** The payments that are held for alerts, by the alerts' numbers; alerts that hold none are left out. */
export const heldTxids = async (alertIds: readonly number[]): Promise<Map<number, number>> => {
  const pieces = Array.from({ length: Math.ceil(alertIds.length / keysPerCall) }, (_, n) =>
    alertIds.slice(n * keysPerCall, (n + 1) * keysPerCall),
  );
  const found = await Promise.all(pieces.map((piece) => getItems(piece.map(keys.disputeHold))));
  return new Map(
    found.flat().flatMap((item) => {
      const { alertId, txid = null } = fromHoldItem(item) ?? {};
      return alertId === undefined || txid === null ? [] : [[alertId, txid] as const];
    }),
  );
};

/** The outcome of the alert's last update, and the alert's cost; each undefined if there is none. */
const besides = async (alert: Alert): Promise<{ outcome: NetworkOutcome | undefined; cost: AlertCost | undefined }> => {
  const provider = alert.outcomes === 0 ? null : toldProvider(alert);
  const [costItem, outcomeItem] = await getItems([
    keys.alertCost(alert.alertId),
    ...(provider ? [keys.outcome(outcomeIdOf(provider, alert.alertId, alert.outcomes))] : []),
  ]);
  return { outcome: outcomeItem && fromOutcomeItem(outcomeItem), cost: fromCostItem(costItem) };
};

/** The alert and its history: one query, more only if the history is very long. */
const readPartition = async (alertId: number): Promise<Item[]> => {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.alert(alertId).pk },
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    items.push(...page.items);
    ExclusiveStartKey = page.lastKey;
  } while (ExclusiveStartKey);
  return items;
};

/** One of the scopes in which alerts are listed: see alert-row.ts. */
export type AlertScope = { scopeIndex: 1 | 2 | 3 | 4; scope: string };
type AlertScopes = { scopeIndex: AlertScope['scopeIndex'] | 5; scope: string[] };
type Owners = { mid?: number | undefined; rid?: number | undefined; sid?: number | undefined };

const idList = (id: number | undefined) => (id === undefined ? undefined : [id]);

/** The list that serves a caller's filters by one owner of each kind: see alertScopes. */
export const alertScope = async ({ mid, rid, sid }: Owners, caller: Caller): Promise<AlertScope> => {
  const { scopeIndex, scope } = await alertScopes({ mid: idList(mid), rid: idList(rid), sid: idList(sid) }, caller);
  return { scopeIndex, scope: scope[0] ?? '' };
};

/**
 * The lists that serve a caller's filters: those of the narrowest filter, after checking that each lies within the others and that
 * the caller may see it. Throws site_not_found, retailer_not_found or merchant_not_found, also if that check fails.
 */
export const alertScopes = async (
  { mid, rid, sid }: OwnersFilter,
  caller: Caller,
): Promise<AlertScopes & { scopeIndex: AlertScope['scopeIndex'] }> => {
  for (const one of mid ?? []) checkMerchantAccess(one, caller);
  const [sites, retailers] = await readOwners(sid ?? [], rid ?? []);
  const isWithin = (found: { mid: number } | undefined) =>
    found !== undefined && canAccessMerchant(caller, found.mid) && (mid === undefined || mid.includes(found.mid));
  if (!retailers.every(isWithin)) throw new Refusal('retailer_not_found', 'rid: you have no such retailer.');
  if (!sites.every((site) => isWithin(site) && (rid === undefined || (site && rid.includes(site.rid))))) {
    throw new Refusal('site_not_found', 'sid: you have no such site.');
  }
  if (sid !== undefined) return { scopeIndex: 4, scope: sid.map((one) => `S${one}`) };
  if (rid !== undefined) return { scopeIndex: 3, scope: rid.map((one) => `R${one}`) };
  const owners = mid ?? idList(caller.mid);
  return owners === undefined
    ? { scopeIndex: 1, scope: ['all'] }
    : { scopeIndex: 2, scope: owners.map((one) => `M${one}`) };
};

/**
 * The list of the alerts that are assigned to a user, by the username in full, of the caller's merchant or the one that an operator names. A
 * user of another merchant has none there. Throws merchant_not_found, request_invalid.
 */
export const scopeOfAssignee = (username: string, { mid, rid, sid }: OwnersFilter, caller: Caller): AlertScopes => {
  if (rid !== undefined || sid !== undefined) {
    throw new Refusal('request_invalid', 'assignee: send it without rid and sid');
  }
  for (const one of mid ?? []) checkMerchantAccess(one, caller);
  const owners = mid ?? idList(caller.mid);
  if (owners === undefined) throw new Refusal('request_invalid', 'mid: say whose user the assignee is');
  return { scopeIndex: 5, scope: owners.map((one) => assigneeScope(one, username.trim().toLowerCase())) };
};

const readOwners = async (sids: readonly number[], rids: readonly number[]) => {
  const wanted = [...sids.map(keys.site), ...rids.map(keys.retailer)];
  const items = wanted.length > 0 ? await getItems(wanted) : [];
  return [
    items.slice(0, sids.length).map((item) => item && fromSiteItem(item)),
    items.slice(sids.length).map((item) => fromRetailerItem(item)),
  ] as const;
};
