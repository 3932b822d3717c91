import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openSecrets } from '#accounts/merchants/site/site-store.ts';
import { cardFingerprintsOf } from '#core/kernel/card/card.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { decodeCursor, encodeCursor } from '#core/platform/lists/cursor.ts';
import { listPosition } from '#core/platform/lists/listing.ts';
import { type PageRequest, readFirst } from '#core/platform/lists/listing-store.ts';
import { merchantOfRequest } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, type Key } from '#core/platform/table/table.ts';
import { signVrfy } from '#payments/payments/order/hashes.ts';
import {
  cardSearchScopes,
  facetOfCard,
  type TransactionSummary,
  transactionEntity,
} from '#payments/transactions/transaction/transaction-row.ts';
import { type Criteria, toCriteria } from './criteria.ts';
import type { CardSearch, FoundTransaction } from './schemas.ts';

/** The number of transactions that a search shows: the newest. */
const maxFound = 500;

/** The criteria of a caller's search; undefined if nothing can match. Throws merchant_not_found, or request_invalid without a `mid`. */
export const criteriaFor = ({ mid, ...sent }: CardSearch, caller: Caller): Criteria | undefined => {
  return toCriteria(merchantOfRequest(mid, caller), sent, nowIso());
};

export type Search = Pick<PageRequest, 'scopeIndex' | 'scope' | 'facets'>;

/** Returns the smallest list that holds all matches. A card number is searched by its fingerprints under every key of the ring. */
export const planSearch = async ({ mid, card: { number, first6, last4 } }: Criteria): Promise<Search> => {
  if (number !== null) {
    const tokens = cardFingerprintsOf(await keyRing('encryption'), number);
    return { scopeIndex: 2, scope: tokens.map((token) => cardSearchScopes.card(mid, token)) };
  }
  const facets = last4 === null ? undefined : [facetOfCard(last4)];
  if (first6 !== null) return { scopeIndex: 3, scope: cardSearchScopes.first6(mid, first6), facets };
  if (last4 !== null) return { scopeIndex: 4, scope: cardSearchScopes.last4(mid, last4) };
  return { scopeIndex: 1, scope: cardSearchScopes.merchant(mid) };
};

/** The newest transactions, newest first. */
export const searchTransactions = (
  { span }: Criteria,
  search: Search,
  size = maxFound,
): Promise<TransactionSummary[]> =>
  readFirst<TransactionSummary>({ entity: transactionEntity, ...search, ...span, order: 'DESC', size });

/** Returns a page of results and the cursor of the next page, or null for the last page. Throws request_invalid for an invalid cursor. */
export const findPage = async (
  criteria: Criteria,
  search: Search,
  { size, cursor }: { size: number; cursor?: string | undefined },
): Promise<{ found: TransactionSummary[]; next: string | null }> => {
  const { span } = criteria;
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const to = before !== undefined && (span.to === undefined || before < span.to) ? before : span.to;
  const read = await searchTransactions(
    { ...criteria, span: { ...span, ...(to !== undefined && { to }) } },
    search,
    size + 1,
  );
  const found = read.slice(0, size);
  const last = read.length > size ? found.at(-1) : undefined;
  return { found, next: last ? encodeCursor(listPosition(last.created_at, last.txid)) : null };
};

const maxKeys = 100;

/** Any number of items, in the order of their keys. */
export const getAll = async (wanted: readonly Key[]): Promise<(Item | undefined)[]> => {
  const parts = Array.from({ length: Math.ceil(wanted.length / maxKeys) }, (_, part) =>
    getItems(wanted.slice(part * maxKeys, (part + 1) * maxKeys)),
  );
  return (await Promise.all(parts)).flat();
};

/** The sites of some transactions, by number. */
export const readSitesOfFound = async (found: readonly TransactionSummary[]): Promise<ReadonlyMap<number, Site>> => {
  const sids = [...new Set(found.map(({ sid }) => sid))];
  const items = await getAll(sids.map((sid) => keys.site(sid)));
  return new Map(items.flatMap((item) => (item ? [[fromSiteItem(item).sid, fromSiteItem(item)] as const] : [])));
};

/** The transactions, each with a `vrfy` made with its site's newest rcode. */
export const verifyRows = async (
  found: readonly TransactionSummary[],
  sites: ReadonlyMap<number, Site>,
): Promise<FoundTransaction[]> => {
  const at = nowIso();
  const opened = await Promise.all(
    [...sites.values()].map(async (site) => [site.sid, (await openSecrets(site, at)).rcodes[0]] as const),
  );
  const rcodes = new Map(opened);
  return found.map((one) => {
    const rcode = rcodes.get(one.sid);
    if (rcode === undefined) throw new Error(`Site ${one.sid} of transaction ${one.txid} has no rcode`);
    const amount = formatAmount({ minor: BigInt(one.minor), currency: one.currency });
    return { ...one, amount_text: amount, vrfy: signVrfy(one.sid, rcode, { ...one, amount }) };
  });
};
