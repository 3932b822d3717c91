import { nowIso } from '#core/kernel/clock.ts';
import { canAccessSite, hasPermission, merchantOfRequest } from '#core/platform/operation/merchant-access.ts';
import type { Caller, Permission } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, type Key, queryItems } from '#core/platform/table/table.ts';
import { fromAlertItem, type StoredSummary, wholeSummary } from '#disputes/alerts/alert-row.ts';
import { fromChargebackItem, toChargebackSummary } from '#disputes/chargebacks/chargeback-row.ts';
import { canonicalEmail } from '#payments/fraud/check/subject.ts';
import type { Order } from '#payments/orders/order.ts';
import { buyerName } from '#payments/orders/order-dto.ts';
import { fromOrderItem } from '#payments/orders/order-row.ts';
import { type Ledger, moneyStateOf } from '#payments/transactions/ledger/ledger.ts';
import { fromLedgerItem } from '#payments/transactions/ledger/ledger-row.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { toTransactionDto } from '#payments/transactions/transaction/transaction-dto-row.ts';
import { fromTransactionItem } from '#payments/transactions/transaction/transaction-row.ts';
import type { SearchReply, SearchRequest } from './api/search/operation.ts';
import { type SearchKind, searchKinds } from './search-fields.ts';
import { type Hit, isWantedHit, type PersonSeen, toPeople } from './search-hit.ts';
import { pickDriver, readQuery, type SearchQuery } from './search-query.ts';
import {
  alertFieldsOf,
  chargebackFieldsOf,
  type Found,
  fromSearchItem,
  orderFieldsOf,
  paymentFieldsOf,
  searchGroups,
  searchPartition,
} from './search-row.ts';

/** The number of rows that each of the two groups is read for: with the payments' ledgers, all fit into one BatchGetItem. */
const readPerGroup = 30;

/** The permission that an API key needs for each kind; it finds none of the others. */
const permissionOf: Readonly<Record<SearchKind, Permission>> = {
  ...{ alert: 'alerts:read', chargeback: 'chargebacks:read', payment: 'payments:read', order: 'orders:read' },
};

/** Checks whether a key may read a kind; people may read all. */
export const maySee = (caller: Caller, kind: SearchKind): boolean => hasPermission(caller, permissionOf[kind]);

type Reading = { found: Found[]; isCut: boolean };

/** The newest rows of a group under a term, none twice. */
const readGroup = async (
  partition: string,
  group: (typeof searchGroups)[number],
  { from, until }: SearchQuery,
): Promise<Reading> => {
  const { items, lastKey } = await queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': partition,
      ':from': `${group}#${from ?? ''}`,
      ':to': `${group}#${until ?? '\uffff'}`,
    },
    ScanIndexForward: false,
    Limit: readPerGroup,
  });
  const at = nowIso();
  const all = items.flatMap((item) => fromSearchItem(item, at) ?? []);
  const once = new Map(all.map((one) => [`${one.kind} ${one.id}`, one]));
  return { found: [...once.values()], isCut: lastKey !== undefined };
};

const rowKey = (mid: number, { kind, id, place }: Found): Key => {
  switch (kind) {
    case 'alert':
      return keys.alert(Number(id));
    case 'chargeback':
      return keys.chargeback(id);
    case 'payment':
      return keys.transaction(Number(id));
    case 'order':
      return keys.order(mid, place?.ends ?? '', place?.date ?? '', Number(id));
  }
};

/** A row that was found, with what its list shows of it. */
export type FoundRow = Hit & {
  found: Found;
  shown: unknown;
  person: PersonSeen | null;
  /** Of an order or a payment. */
  purchase: { order?: Order; payment?: Transaction; ledger?: Ledger } | null;
};

const alertRow = (item: Item | undefined): Omit<FoundRow, 'found'> | undefined => {
  const alert = item && fromAlertItem(item);
  if (!alert) return undefined;
  const { mid = null, sid = null } = alert.owner ?? {};
  const { currency, test } = alert.providerAlert;
  return {
    mid,
    sid,
    currency,
    test,
    fields: alertFieldsOf(alert),
    shown: wholeSummary(item['summary'] as StoredSummary),
    person: null,
    purchase: null,
  };
};

const chargebackRow = (item: Item | undefined): Omit<FoundRow, 'found'> | undefined => {
  const chargeback = fromChargebackItem(item);
  if (!chargeback) return undefined;
  const { mid, sid, currency } = chargeback;
  return {
    mid,
    sid,
    currency,
    test: false,
    fields: chargebackFieldsOf(chargeback),
    shown: toChargebackSummary(chargeback),
    person: null,
    purchase: null,
  };
};

const toPayer = ({ txid, email, createdAt }: Transaction): PersonSeen => ({
  ...{ email: email === null ? null : canonicalEmail(email), name: null, account: null },
  ...{ purchase: String(txid), at: createdAt },
});

const paymentRow = (item: Item | undefined, ledgerItem: Item | undefined): Omit<FoundRow, 'found'> | undefined => {
  const transaction = item && fromTransactionItem(item);
  if (!transaction) return undefined;
  const { mid, sid, money } = transaction;
  const ledger = ledgerItem && fromLedgerItem(ledgerItem);
  const shown = { ...toTransactionDto(transaction), money_state: ledger ? moneyStateOf(ledger) : null };
  const purchase = { payment: transaction, ...(ledger && { ledger }) };
  const fields = paymentFieldsOf(transaction);
  return { mid, sid, currency: money.currency, test: false, fields, shown, person: toPayer(transaction), purchase };
};

const toBuyer = (order: Order): PersonSeen => {
  const { email, account_id: account = null } = order.content.customer ?? {};
  return {
    ...{ email: email === undefined ? null : canonicalEmail(email), name: buyerName(order), account },
    ...{ purchase: String(order.orderId), at: order.content.order_date },
  };
};

const orderRow = (item: Item | undefined, at: string): Omit<FoundRow, 'found'> | undefined => {
  const order = fromOrderItem(item, at);
  if (!order) return undefined;
  const { mid, sid, orderId, source, content, disputes, createdAt, keptUntil } = order;
  const person = toBuyer(order);
  const shown = {
    ...{ order_id: orderId, sid, reference: content.reference, source, order_date: content.order_date },
    ...{ amount: content.amount, currency: content.currency, card_type: content.card_type },
    card: `${content.card_firstsix}******${content.card_lastfour}`,
    ...{ disputed: disputes.length > 0, created_at: createdAt, kept_until: keptUntil },
    customer: person.name,
  };
  return {
    mid,
    sid,
    currency: content.currency,
    test: false,
    fields: orderFieldsOf(order),
    shown,
    person,
    purchase: { order },
  };
};

/** Reads rows as they are now, in one BatchGetItem. */
export const readFoundRows = async (mid: number, found: readonly Found[]): Promise<FoundRow[]> => {
  const payments = found.filter(({ kind }) => kind === 'payment');
  const wanted = [...found.map((one) => rowKey(mid, one)), ...payments.map(({ id }) => keys.ledger(Number(id)))];
  const items = wanted.length === 0 ? [] : await getItems(wanted);
  const ledgers = new Map(payments.map(({ id }, index) => [id, items[found.length + index]]));
  const at = nowIso();
  return found.flatMap((one, index) => {
    const readers = {
      ...{ alert: alertRow, chargeback: chargebackRow },
      payment: (item: Item | undefined) => paymentRow(item, ledgers.get(one.id)),
      order: (item: Item | undefined) => orderRow(item, at),
    };
    const row = readers[one.kind](items[index]);
    return row ? [{ ...row, found: one }] : [];
  });
};

/** The rows of a merchant under a term, newest first, of both groups: two queries and one BatchGetItem. */
export const findByTerm = async (
  mid: number,
  term: string,
  query: SearchQuery,
): Promise<{ rows: FoundRow[]; cutGroups: readonly string[] }> => {
  const partition = searchPartition(mid, term);
  const readings = await Promise.all(searchGroups.map((group) => readGroup(partition, group, query)));
  const rows = await readFoundRows(
    mid,
    readings.flatMap(({ found }) => found),
  );
  return { rows, cutGroups: searchGroups.filter((_, index) => readings[index]?.isCut) };
};

const nothing = { n: 0, more: false, list: [] };

/** Finds what a text names, as far as the caller may see it. Throws merchant_not_found, and request_invalid for an administrator without `mid`. */
export const searchFor = async ({ text, mid: named, size }: SearchRequest, caller: Caller): Promise<SearchReply> => {
  const mid = merchantOfRequest(named, caller);
  const query = readQuery(text);
  const driver = pickDriver(query);
  const understood = { understood: [...query.shown], not_understood: [...query.strange] };
  if (!driver) {
    return {
      ...understood,
      people: nothing,
      alerts: nothing,
      chargebacks: nothing,
      payments: nothing,
      orders: nothing,
    };
  }
  const { rows, cutGroups } = await findByTerm(mid, driver.term, query);
  const visible = rows.filter(
    (row) =>
      row.mid === mid &&
      canAccessSite(caller, { mid, sid: row.sid }) &&
      maySee(caller, row.found.kind) &&
      (query.kinds.length === 0 || query.kinds.includes(row.found.kind)) &&
      isWantedHit(row, query, driver, row.found.kind === 'alert' || row.found.kind === 'chargeback'),
  );
  const people = query.kinds.length > 0 ? [] : toPeople(visible.flatMap(({ person }) => person ?? []));
  const names = new Map(visible.flatMap(({ person }) => (person?.name ? [[person.email, person.name]] : [])));
  /** A payment with its buyer, whom only orders name. */
  const withBuyer = ({ shown, person, found }: FoundRow) =>
    found.kind === 'payment' && shown !== null && typeof shown === 'object'
      ? { ...shown, buyer: person?.email ? (names.get(person.email) ?? person.email) : null }
      : shown;
  const listOf = (kind: SearchKind) => {
    const all = visible.filter(({ found }) => found.kind === kind);
    const more = cutGroups.includes(kind === 'alert' || kind === 'chargeback' ? 'D' : 'P');
    return { n: all.length, more, list: all.slice(0, size).map(withBuyer) };
  };
  const [alerts, chargebacks, payments, orders] = searchKinds.map(listOf);
  return {
    ...understood,
    people: { n: people.length, more: cutGroups.includes('P'), list: people.slice(0, size) },
    ...{ alerts, chargebacks, payments, orders },
    // The rows' only writers stored these summaries, so they have these shapes.
  } as SearchReply;
};
