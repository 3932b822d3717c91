import { fromRetailerItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { siteEntity } from '#accounts/merchants/site/site.ts';
import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { encodeCursor } from '#core/platform/lists/cursor.ts';
import { listPosition } from '#core/platform/lists/listing.ts';
import { type PageRequest, readFirst, readPage } from '#core/platform/lists/listing-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant, checkMerchantAccess } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems } from '#core/platform/table/table.ts';
import { toBuyerFields } from '#payments/orders/order-dto.ts';
import type { ListTransactions } from '../api/list-transactions/operation.ts';
import { moneyStateOf } from '../ledger/ledger.ts';
import { fromLedgerItem } from '../ledger/ledger-row.ts';
import { readOrdersOfPayments } from './payment-orders-store.ts';
import type { Transaction } from './transaction.ts';
import { type TransactionDto, toSummaryDto, toTransactionDto } from './transaction-dto-row.ts';
import {
  cardSearchScopes,
  facetOfCard,
  fromTransactionItem,
  type TransactionSummary,
  transactionEntity,
} from './transaction-row.ts';

/** The number of transactions that a call reads: its cursor leads to the rest. */
const maxRead = 1000;
const piece = 200;

type Wanted = Pick<ListTransactions, 'mid' | 'rid' | 'sid' | 'status' | 'tx_action' | 'tid' | 'txid'>;

/** Checks whether a transaction is one of those wanted, by what no list is made of. */
const isWanted =
  ({ sid, status, tx_action, tid, txid }: Wanted, sites: ReadonlySet<number> | undefined) =>
  (one: TransactionSummary): boolean =>
    (sites === undefined || sites.has(one.sid)) &&
    (sid === undefined || one.sid === sid) &&
    (status === undefined || status.includes(one.status)) &&
    (tx_action === undefined || tx_action.includes(one.tx_action)) &&
    (tid === undefined || one.tid === tid) &&
    (txid === undefined || one.txid === txid || one.parent_txid === txid);

const isNarrowed = ({ rid, sid, status, tx_action, tid, txid }: Wanted): boolean =>
  [rid, sid, status, tx_action, tid, txid].some((filter) => filter !== undefined);

/** If a retailer has more sites than this, only the transactions of the first ones are listed. */
const maxSites = 500;

/** The sites whose transactions are wanted; undefined: all of the merchant's. */
const readListedSites = async ({ rid }: Wanted): Promise<ReadonlySet<number> | undefined> => {
  if (rid === undefined) return undefined;
  const list = { entity: siteEntity, scopeIndex: 3, scope: `R${rid}`, order: 'ASC', size: maxSites } as const;
  return new Set((await readFirst<{ sid: number }>(list)).map(({ sid }) => sid));
};

/** Returns the owner whose transactions are listed. Throws merchant_not_found, site_not_found, retailer_not_found, request_invalid. */
const readListedOwner = async ({ mid, rid, sid }: Wanted, caller: Caller): Promise<number> => {
  checkMerchantAccess(mid, caller);
  const owners = [mid, caller.mid];
  if (sid !== undefined) owners.push(siteVisibleTo(caller, await getItem(keys.site(sid))).mid);
  if (rid !== undefined) owners.push(await retailerOwner(rid, caller));
  const [owner, ...others] = owners.filter((one) => one !== undefined);
  if (owner === undefined) throw new Refusal('request_invalid', 'mid: is required for an administrator');
  if (others.some((one) => one !== owner)) throw new Refusal('site_not_found', 'sid: the merchant has no such site.');
  return owner;
};

const retailerOwner = async (rid: number, caller: Caller): Promise<number> => {
  const [item] = await getItems([keys.retailer(rid)]);
  const retailer = fromRetailerItem(item);
  if (!retailer || !canAccessMerchant(caller, retailer.mid))
    throw new Refusal('retailer_not_found', 'rid: you have no such retailer.');
  return retailer.mid;
};

/** The smallest list that holds what is looked for. */
const listFor = (
  mid: number,
  { card_firstsix: first6, card_lastfour: last4 }: ListTransactions,
): Pick<PageRequest, 'scopeIndex' | 'scope' | 'facets'> => {
  if (first6 !== undefined) {
    const facets = last4 === undefined ? undefined : [facetOfCard(last4)];
    return { scopeIndex: 3, scope: cardSearchScopes.first6(mid, first6), facets };
  }
  if (last4 !== undefined) return { scopeIndex: 4, scope: cardSearchScopes.last4(mid, last4) };
  return { scopeIndex: 1, scope: cardSearchScopes.merchant(mid) };
};

type TransactionInList = Awaited<ReturnType<typeof withPayments>>[number];

export type TransactionPage = {
  list: TransactionInList[];
  totalResult: number | null;
  next_cursor: string | null;
};

/** A page of transactions. It reads on until it is full, the list is at its end, or it has looked at enough. */
export const transactionsFor = async (body: ListTransactions, caller: Caller): Promise<TransactionPage> => {
  const mid = await readListedOwner(body, caller);
  const { size, order, date_from: from, date_to: to } = body;
  const request = { entity: transactionEntity, ...listFor(mid, body), from, to, order };
  const fits = isWanted(body, await readListedSites(body));
  const found: TransactionSummary[] = [];
  let cursor = body.cursor ?? null;
  let looked = 0;
  do {
    const wanted = isNarrowed(body) ? piece : size;
    const page = await readPage<TransactionSummary>({ ...request, size: wanted, ...(cursor !== null && { cursor }) });
    found.push(...page.list.filter(fits));
    looked += wanted;
    cursor = page.next_cursor;
  } while (found.length < size && cursor !== null && looked < maxRead);
  const last = found.length > size ? found[size - 1] : undefined;
  const next_cursor = last ? encodeCursor(listPosition(last.created_at, last.txid)) : cursor;
  const isWhole = body.cursor === undefined && next_cursor === null;
  const list = await withPayments(found.slice(0, size).map(toSummaryDto), caller);
  return { list, totalResult: isWhole ? found.length : null, next_cursor };
};

/** Adds what only the rows of payments know: what became of the money, who bought what, and which payment a refund belongs to. */
const withPayments = async (list: readonly TransactionDto[], caller: Caller) => {
  const txids = [...new Set(list.map(({ parent_txid }) => parent_txid))];
  const items = await getItems([...txids.map(keys.transaction), ...txids.map(keys.ledger)]);
  const payments = items.slice(0, txids.length).flatMap((item) => (item ? [fromTransactionItem(item)] : []));
  const orders = await readOrdersOfPayments(payments, caller);
  const known = new Map(payments.map((payment) => [payment.txid, payment]));
  const ledgers = new Map(txids.map((txid, index) => [txid, items[txids.length + index]]));
  return list.map((one) => {
    const payment = known.get(one.parent_txid);
    const ledger = payment?.status === 'OK' ? ledgers.get(payment.txid) : undefined;
    const state = ledger ? moneyStateOf(fromLedgerItem(ledger)) : null;
    const isPayment = one.txid === one.parent_txid;
    return {
      ...one,
      money_state: isPayment ? state : null,
      ...toBuyerFields(orders.get(one.parent_txid), payment?.email),
      payment: isPayment || !payment ? null : toPaymentSeen(payment, state),
    };
  });
};

const toPaymentSeen = (payment: Transaction, state: ReturnType<typeof moneyStateOf>) => {
  const { status, tx_action, amount, currency, created_at } = toTransactionDto(payment);
  return { status, tx_action, amount, currency, created_at, money_state: state };
};
