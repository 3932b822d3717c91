import { fromOrderClientItem } from '#accounts/merchants/settings/order-profile-row.ts';
import { iso, milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { describeError, log, metric } from '#core/platform/log/log.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, type Key } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { matchClaims } from '#disputes/alerts/intake/matching.ts';
import { claimKeysFor, fromClaimsItem } from '#disputes/enrollments/claims/claim-row.ts';
import { chargeViews } from '#payments/orders/charges/order-charges.ts';
import type { Order } from '#payments/orders/order.ts';
import { endsOfArn } from '#payments/orders/order-reference-row.ts';
import { cardEndsOf } from '#payments/orders/order-row.ts';
import { readOrdersOfCard } from '#payments/orders/order-store.ts';
import { type Ce3, historicOrders, judgeCe3 } from '../evidence/ce3.ts';
import { groupsFor, orderFor, type ShownOrder } from './audience.ts';
import { isLookupReplay, type LookupRequest, type LookupResult, type OrderLookup } from './lookup.ts';
import { lookupDue } from './lookup-due.ts';
import { fromLookupItem, lookupName, replayKeys } from './lookup-row.ts';
import { hasAmount, matchOrder } from './order-match.ts';

/** The answer to a provider: an order as its channel may see it, or that there is none or several. */
export type Answer = { order: ShownOrder; ce3: Ce3 | null } | { order: null; isMany: boolean };

/** The facts about the merchant who is asked, before any order is read. */
type Around = { mid: number | null; isRefused: boolean; ends: string | null; earlier: OrderLookup | undefined };

const around = async (request: LookupRequest, at: string): Promise<Around> => {
  const { provider, clientId, descriptor, card, asked } = request;
  const client: Key[] = clientId === null ? [] : [keys.orderClient(provider, clientId)];
  const arn: Key[] = asked.arn === undefined || card ? [] : [keys.orderArn(asked.arn)];
  const claims = clientId === null && descriptor !== null ? claimKeysFor(provider, descriptor) : [];
  const yesterday = iso(Date.parse(at) - milliseconds.day);
  const replays = replayKeys(request, at, yesterday);
  const items = await getItems([...replays, ...client, ...arn, ...claims]);
  const [rows, rest] = [items.slice(0, replays.length), items.slice(replays.length)];
  const merchant = clientId === null ? undefined : fromOrderClientItem(rest[0]);
  const arnItem = arn.length > 0 ? rest[client.length] : undefined;
  const mid = clientId === null ? pickClaimant(rest.slice(arn.length)) : (merchant?.mid ?? null);
  return {
    mid,
    isRefused: merchant?.enabled === false,
    ends: card ? cardEndsOf(card) : mid === null ? null : (endsOfArn(arnItem, mid, at) ?? null),
    earlier: rows.flatMap((row) => fromLookupItem(row) ?? []).find((one) => one.mid === mid && isLookupReplay(one, at)),
  };
};

/** The merchant whose enrolled text fits best, as for alerts; none if two fit equally well. */
const pickClaimant = (claims: readonly (Item | undefined)[]): number | null => {
  const match = matchClaims(claims.flatMap(fromClaimsItem));
  return 'candidate' in match ? match.candidate.mid : null;
};

type Found = { result: LookupResult; order: Order | null; all: readonly Order[] };
const nothing: Found = { result: 'not_found', order: null, all: [] };

const searchOrders = async (request: LookupRequest, { mid, isRefused, ends, earlier }: Around): Promise<Found> => {
  if (isRefused) return { ...nothing, result: 'refused' };
  if (mid === null || ends === null) return nothing;
  const { orders, isWhole } = await readOrdersOfCard(mid, ends, request.asked.date);
  const views = orders.flatMap((order) => chargeViews(order, ends));
  if (earlier) return again(earlier, views, orders);
  const match = matchOrder(request.asked, views, isWhole);
  if (match.found === 'many') return { ...nothing, result: 'multiple' };
  return match.found === 'one' ? { result: 'found', order: match.order, all: orders } : nothing;
};

/** A repetition gets the same answer, from the orders as they are now: a deleted order is not found. */
const again = (
  { result, orderId, amount, currency }: OrderLookup,
  views: readonly Order[],
  orders: readonly Order[],
): Found => {
  if (result !== 'found') return { ...nothing, result };
  const own = views.filter((one) => one.orderId === orderId && one.state === 'paid');
  const asked = { amount: amount ?? undefined, currency: currency ?? undefined };
  const order = own.find((one) => hasAmount(asked, one) === true) ?? own[0];
  return order ? { result: 'found', order, all: orders } : nothing;
};

/**
 * Finds the order that a provider asks about and returns it as the channel may see it: two calls of the table, and one message by which the
 * look-up is recorded. The same request within a day is answered again but not recorded again. `started`: by `performance.now`.
 */
export const lookUpOrder = async (request: LookupRequest, started: number): Promise<Answer> => {
  const at = nowIso();
  const known = await around(request, at);
  const found = await searchOrders(request, known);
  const ce3 = found.order && request.wantsCe3 ? judgeCe3(found.order, found.all) : null;
  const spent = Math.round(performance.now() - started);
  if (!known.earlier) await sendLookup(toLookup(request, { at, mid: known.mid, spent, ce3, ...found }));
  measure(request, found.result, spent);
  if (!found.order) return { order: null, isMany: found.result === 'multiple' };
  const earlier = historicOrders(found.order, found.all, nowMilliseconds());
  return { order: orderFor(found.order, request.audience, earlier), ce3 };
};

type Outcome = Found & { at: string; mid: number | null; spent: number; ce3: Ce3 | null };

const toLookup = (request: LookupRequest, { at, mid, spent, ce3, result, order }: Outcome): OrderLookup => ({
  name: lookupName(request, at),
  provider: request.provider,
  at,
  channel: request.channel,
  result,
  milliseconds: spent,
  card: request.card,
  amount: request.asked.amount ?? null,
  currency: request.asked.currency ?? null,
  date: request.asked.date ?? null,
  mid,
  orderId: order?.orderId ?? null,
  sid: order?.sid ?? null,
  reference: order?.content.reference ?? null,
  shown: order ? groupsFor(request.audience) : [],
  ce3: ce3 && (ce3.qualified ? 'qualified' : ce3.reason),
  outcome: order ? 'open' : null,
});

/** A cardholder is waiting: if a look-up cannot be recorded, only the operator is notified. */
const sendLookup = async (lookup: OrderLookup): Promise<void> => {
  try {
    await sendOrThrow([lookupDue.message({ lookup })]);
  } catch (error) {
    log('error', 'lookup_not_recorded', {
      provider: lookup.provider,
      result: lookup.result,
      error: describeError(error),
    });
    metric('LookupsNotRecorded', 1, 'Count');
  }
};

const measure = ({ provider, requestId }: LookupRequest, result: LookupResult, spent: number): void => {
  log('info', 'lookup', { provider, providerRequestId: requestId, result, milliseconds: spent });
  metric('LookupMilliseconds', spent, 'Milliseconds');
  metric('LookupsNotFound', result === 'found' ? 0 : 1, 'Count');
};

/** Providers wait about two seconds and then show nothing. Before that, the reply states that nothing was found. */
const maxMilliseconds = 1800;

/**
 * The answer, or that nothing was found once the time is up. Work still under way then goes on, and its result is ignored.
 * `most`: for tests.
 */
export const answerInTime = async (
  request: LookupRequest,
  most: number = maxMilliseconds,
  find: typeof lookUpOrder = lookUpOrder,
): Promise<Answer> => {
  const { promise: timeUp, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), most);
  const work = find(request, performance.now());
  try {
    const answer = await Promise.race([work, timeUp]);
    if (answer !== 'late') return answer;
    work.catch((error: unknown) => log('error', 'lookup_failed_late', { error: describeError(error) }));
    log('error', 'lookup_too_late', { provider: request.provider, providerRequestId: request.requestId });
    metric('LookupsTooLate', 1, 'Count');
    return { order: null, isMany: false };
  } finally {
    clearTimeout(timer);
  }
};
