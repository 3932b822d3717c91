import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessSite, visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { fromAlertOrderItem } from '#disputes/alerts/alert-order-row.ts';
import { alertVisibleTo } from '#disputes/alerts/alert-row.ts';
import { fromHoldItem } from '#disputes/alerts/hold-row.ts';
import { chargebackVisibleTo } from '#disputes/chargebacks/chargeback-row.ts';
import { readLookupsOfOrder } from '#disputes/lookups/lookup/lookup-store.ts';
import { addCustomerNote, readCustomerNotes } from '#disputes/lookups/order/customer-note-store.ts';
import { fromPlaceItem } from '#payments/orders/order-place-row.ts';
import type { CustomerReply } from './api/customer-details/operation.ts';
import { chargeReferences, countValues, disputeNameOf, isOnePerson, toPurchase } from './customer.ts';
import type { CustomerSubject } from './customer-schemas.ts';
import { endsOfMasked, toTerm } from './search-fields.ts';
import { readQuery } from './search-query.ts';
import { type FoundRow, findByTerm, maySee, readFoundRows } from './search-results-store.ts';
import { type Found, paymentLinkOf } from './search-row.ts';

/** The rows that show who a customer is. `mid` and `sid` of the subject: whose it is. */
type Subject = { mid: number; sid: number | null; purchases: readonly FoundRow[]; others: readonly Found[] };

const isVisible = (mid: number, caller: Caller) => (row: FoundRow) =>
  row.mid === mid && canAccessSite(caller, { mid, sid: row.sid }) && maySee(caller, row.found.kind);

/** The order and the payment of a number, as far as they exist and the caller may see them. */
const readPurchase = async (id: number, caller: Caller): Promise<{ mid: number | undefined; rows: FoundRow[] }> => {
  const [placeItem, payment] = await getItems([keys.orderPlace(id), keys.transaction(id)]);
  const place = fromPlaceItem(placeItem, nowIso());
  const mid = place?.mid ?? (payment && Number(Object(payment['transaction']).mid));
  if (mid === undefined) return { mid, rows: [] };
  const order: Found[] = place?.key
    ? [
        {
          kind: 'order',
          id: String(id),
          place: { ends: String(placeItem?.['ends']), date: String(placeItem?.['transactionDate']) },
        },
      ]
    : [];
  const paid: Found[] = payment ? [{ kind: 'payment', id: String(id) }] : [];
  return { mid, rows: (await readFoundRows(mid, [...order, ...paid])).filter(isVisible(mid, caller)) };
};

const purchaseSubject = async (id: number, caller: Caller): Promise<Subject> => {
  const { mid, rows } = await readPurchase(id, caller);
  const [first] = rows;
  const owner = first && mid !== undefined ? { mid, sid: first.sid } : undefined;
  const visible = visibleOrRefuse(owner, caller, 'order_not_found', 'purchase_id: you have no such order or payment.');
  return { ...visible, purchases: rows, others: [] };
};

const alertSubject = async (id: number, caller: Caller): Promise<Subject> => {
  const [item, hold, search] = await getItems([keys.alert(id), keys.disputeHold(id), keys.alertOrder(id)]);
  const { owner } = alertVisibleTo(caller, maySee(caller, 'alert') ? item : undefined);
  if (!owner) throw new Refusal('alert_not_found', 'alert_id: it belongs to no merchant yet.');
  const purchase = fromHoldItem(hold)?.txid ?? fromAlertOrderItem(search)?.orderId ?? null;
  const { rows } = purchase === null ? { rows: [] } : await readPurchase(purchase, caller);
  const others = [{ kind: 'alert', id: String(id) }] as const;
  return { mid: owner.mid, sid: owner.sid, purchases: rows.filter(({ mid }) => mid === owner.mid), others };
};

const anything = readQuery('');

/** The purchases of one person that a processor knows by a reference; none where several people have some. */
const findCharged = async (mid: number, reference: string, caller: Caller): Promise<FoundRow[]> => {
  const { rows } = await findByTerm(mid, toTerm(reference), anything);
  const charged = rows.filter(({ purchase }) => purchase && chargeReferences(purchase).includes(reference));
  return isOnePerson(charged.flatMap(({ person }) => person ?? [])) ? charged.filter(isVisible(mid, caller)) : [];
};

const chargebackSubject = async (id: string, caller: Caller): Promise<Subject> => {
  const [item] = await getItems([keys.chargeback(id)]);
  const { mid, sid, txid, paymentReference } = chargebackVisibleTo(
    caller,
    maySee(caller, 'chargeback') ? item : undefined,
  );
  const purchases =
    txid === null ? await findCharged(mid, paymentReference, caller) : (await readPurchase(txid, caller)).rows;
  return { mid, sid, purchases, others: [{ kind: 'chargeback', id }] };
};

/** The customer and the row that a call names. Throws the refusal of what the caller may not see, and request_invalid for none or several. */
const readSubject = (subject: CustomerSubject, caller: Caller): Promise<Subject> => {
  const { purchase_id: purchase, alert_id: alert, chargeback_id: chargeback } = subject;
  if ([purchase, alert, chargeback].filter((one) => one !== undefined).length !== 1) {
    throw new Refusal('request_invalid', 'purchase_id: name one of purchase_id, alert_id and chargeback_id');
  }
  if (purchase !== undefined) return purchaseSubject(purchase, caller);
  return alert === undefined ? chargebackSubject(chargeback ?? '', caller) : alertSubject(alert, caller);
};

const firstKnown = (rows: readonly FoundRow[], key: 'email' | 'name' | 'account'): string | null =>
  rows.map(({ person }) => person?.[key] ?? null).find((value) => value !== null) ?? null;

/** The alerts and chargebacks that are about some purchases: an order names them, or they name the payment. */
const keepDisputesAbout = async (purchases: readonly FoundRow[], disputes: readonly FoundRow[]) => {
  const bought = new Set(purchases.flatMap(({ purchase, found }) => (purchase ? [found.id] : [])));
  const named = new Set(purchases.flatMap(({ purchase }) => purchase?.order?.disputes.map(disputeNameOf) ?? []));
  const links = await getItems(
    disputes.map(({ found: { kind, id } }) => (kind === 'alert' ? keys.disputeHold(Number(id)) : keys.chargeback(id))),
  );
  return disputes.filter(
    ({ found: { kind, id } }, at) => named.has(`${kind} ${id}`) || bought.has(String(paymentLinkOf(links[at])?.txid)),
  );
};

/** All rows of the person, by address or else by account; without either only those of the subject. */
const readRows = async ({ mid, purchases, others }: Subject): Promise<{ rows: FoundRow[]; more: boolean }> => {
  const [email, account] = [firstKnown(purchases, 'email'), firstKnown(purchases, 'account')];
  const own = [...purchases, ...(await readFoundRows(mid, others))];
  const term = email ?? (account === null ? null : toTerm(account));
  if (term === null) return { rows: own, more: false };
  const { rows, cutGroups } = await findByTerm(mid, term, anything);
  const field = email === null ? 'account' : 'email';
  const bought = [...own, ...rows.filter(({ purchase, fields }) => purchase && fields[field]?.includes(term))];
  const disputes = rows.filter(({ purchase }) => !purchase);
  // Nothing but an address is spelt like an address; an account may be spelt like a card, an amount or a reference.
  const theirs = email === null ? await keepDisputesAbout(bought, disputes) : disputes;
  const once = new Map([...bought, ...theirs].map((row) => [`${row.found.kind} ${row.found.id}`, row]));
  return { rows: [...once.values()], more: cutGroups.length > 0 };
};

type Seen = { mid: number; email: string | null; caller: Caller };

/** The number of other people who bought with the same card or from the same address, of the newest that were read and the caller may see. */
const countOthers = async ({ mid, email, caller }: Seen, term: string, field: 'card' | 'ip') => {
  const { rows, cutGroups } = await findByTerm(mid, term, anything);
  const others = rows
    .filter(isVisible(mid, caller))
    .flatMap(({ person, fields }) =>
      fields[field]?.includes(term) && person?.email && person.email !== email ? [person.email] : [],
    );
  return { others: new Set(others).size, more: cutGroups.includes('P') };
};

const maxCompared = 3;
const maxLookedUp = 10;

const readShared = async (seen: Seen, purchases: CustomerReply['purchases']) => {
  const cards = countValues(purchases.map(({ card }) => card)).slice(0, maxCompared);
  const ips = countValues(purchases.map(({ ip }) => ip)).slice(0, maxCompared);
  return {
    cards: await Promise.all(
      cards.map(async ({ value, purchases: n }) => {
        const { first6, last4 } = endsOfMasked(value);
        return { card: value, purchases: n, ...(await countOthers(seen, `${first6}-${last4}`, 'card')) };
      }),
    ),
    ips: await Promise.all(
      ips.map(async ({ value, purchases: n }) => ({
        ...{ ip: value, purchases: n },
        ...(await countOthers(seen, toTerm(value), 'ip')),
      })),
    ),
  };
};

const listPurchases = (rows: readonly FoundRow[]): CustomerReply['purchases'] => {
  const byId = Map.groupBy(
    rows.filter(({ purchase }) => purchase !== null),
    ({ found }) => found.id,
  );
  return [...byId.values()]
    .flatMap((same) => {
      const [order, payment] = [
        same.find(({ purchase }) => purchase?.order),
        same.find(({ purchase }) => purchase?.payment),
      ];
      return toPurchase(order?.purchase?.order, payment?.purchase?.payment, payment?.purchase?.ledger) ?? [];
    })
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));
};

/** The part of a customer's data that a caller may see. `sid`: of the subject. */
const readCustomer = async (wanted: CustomerSubject, caller: Caller) => {
  const subject = await readSubject(wanted, caller);
  const { mid, sid } = subject;
  const { rows, more } = await readRows(subject);
  const visible = rows.filter(isVisible(mid, caller));
  const name = { email: firstKnown(visible, 'email'), account_id: firstKnown(visible, 'account') };
  return { mid, sid, visible, more, name };
};

/** The notes under every address and account of a customer: which of them comes first changes with each purchase. */
const readNotes = async (mid: number, rows: readonly FoundRow[], caller: Caller): Promise<CustomerReply['notes']> => {
  const notes = await readCustomerNotes(
    mid,
    rows.flatMap(({ person }) => (person ? [{ email: person.email, account_id: person.account }] : [])),
  );
  return notes.filter(({ sid }) => canAccessSite(caller, { mid, sid })).map(({ at, by, text }) => ({ at, by, text }));
};

/** A customer with everything known about them. Throws the refusals of the operation. */
export const customerForCaller = async (wanted: CustomerSubject, caller: Caller): Promise<CustomerReply> => {
  const { mid, visible, more, name } = await readCustomer(wanted, caller);
  const purchases = listPurchases(visible);
  const shownOf = (kind: Found['kind']) => visible.filter(({ found }) => found.kind === kind).map(({ shown }) => shown);
  const looked = purchases.filter(({ order_id }) => order_id !== null).slice(0, maxLookedUp);
  const [lookups, shared, notes] = await Promise.all([
    Promise.all(looked.map(({ order_id: id }) => readLookupsOfOrder(id ?? 0, maxLookedUp))),
    readShared({ mid, email: name.email, caller }, purchases),
    readNotes(mid, visible, caller),
  ]);
  return {
    ...{ ...name, name: firstKnown(visible, 'name'), purchases },
    // Their rows' only writers stored these summaries, so they have these shapes.
    alerts: shownOf('alert') as CustomerReply['alerts'],
    chargebacks: shownOf('chargeback') as CustomerReply['chargebacks'],
    lookups: lookups.flat().toSorted((one, other) => (one.at < other.at ? 1 : -1)),
    ...shared,
    ...{ notes, more },
  };
};

/** Adds a note about the customer of a purchase. Returns when. Throws the refusals of the operation. */
export const noteForCaller = async (
  wanted: CustomerSubject,
  text: string,
  id: string,
  caller: Caller,
): Promise<string> => {
  const { mid, sid, name } = await readCustomer(wanted, caller);
  if (name.email === null && name.account_id === null) {
    throw new Refusal(
      'order_not_found',
      'purchase_id: no purchase has the customer’s e-mail address or account, which a note needs.',
    );
  }
  const at = nowIso();
  await addCustomerNote(mid, name, { at, by: caller.subject, text, sid }, id);
  return at;
};
