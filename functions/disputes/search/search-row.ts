import * as v from 'valibot';
import { sha256 } from '#core/kernel/crypto.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { alertEntity, fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { fromHoldItem } from '#disputes/alerts/hold-row.ts';
import { openTestEntries } from '#disputes/alerts/pulse/open-test-row.ts';
import type { Chargeback } from '#disputes/chargebacks/chargeback.ts';
import { chargebackEntity, fromChargebackItem } from '#disputes/chargebacks/chargeback-row.ts';
import { canonicalEmail } from '#payments/fraud/check/subject.ts';
import type { Order } from '#payments/orders/order.ts';
import { fromOrderItem, ttlAt } from '#payments/orders/order-row.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { fromTransactionItem, transactionEntity } from '#payments/transactions/transaction/transaction-row.ts';
import {
  amountTerm,
  cardTerms,
  endsOfMasked,
  fieldsFrom,
  numberTerms,
  type SearchFieldName,
  type SearchFields,
  type SearchKind,
  termsOfFields,
  toTerm,
  wordTerms,
} from './search-fields.ts';

/** The rows by which a search finds alerts, chargebacks, payments and orders: one per row and term. See docs/data-model.md. */

const searchEntity = 'SEARCH';

/** Alerts and chargebacks are read apart from payments and orders, so that many of one do not hide the other. */
const idGroup = (kind: SearchKind): 'D' | 'P' => (kind === 'alert' || kind === 'chargeback' ? 'D' : 'P');
export const searchGroups = ['D', 'P'] as const;

/** A row that is found. `place`: of an order, where its row is. */
export type Found = { kind: SearchKind; id: string; place?: { ends: string; date: string } };

const SearchRow = defineRow<Found>({
  entity: searchEntity,
  attribute: 'found',
  schema: v.looseObject({
    kind: v.string(),
    id: v.string(),
    place: v.exactOptional(v.looseObject({ ends: v.string(), date: v.string() })),
  }),
});

const termKey = (mid: number, term: string): string => sha256(`${mid}\n${term}`).slice(0, 40);

/** The partition that holds a merchant's rows under a term. */
export const searchPartition = (mid: number, term: string): string => keys.searchEntry(mid, termKey(mid, term), '').pk;

/** `via`: the row whose terms these are, where it is another one; each row keeps its own entries. */
type Subject = { mid: number; found: Found; at: string; keptUntil?: string; via?: 'order' | 'payment' };

const toEntries = ({ mid, found, at, keptUntil, via }: Subject, terms: readonly string[]): Item[] =>
  terms.map((term) => ({
    ...keys.searchEntry(
      mid,
      termKey(mid, term),
      [idGroup(found.kind), at, found.kind, found.id, ...(via ? [via] : [])].join('#'),
    ),
    ...SearchRow.stamp,
    found,
    ...(keptUntil !== undefined && { ttl: ttlAt(keptUntil) }),
  }));

/** Reads an entry back; undefined for one whose time is over. `at`: ISO, now. */
export const fromSearchItem = (item: Item, at: string): Found | undefined =>
  typeof item['ttl'] === 'number' && item['ttl'] * 1000 <= Date.parse(at) ? undefined : SearchRow.read(item);

const cardFields = ({ first6, last4 }: { first6: string; last4: string }, scheme?: string) => ({
  card: cardTerms(first6, last4),
  network: scheme === undefined ? [] : [scheme.toLowerCase()],
});

/** The terms of a text that a caller reads out: the whole of it. */
const whole = (...texts: readonly (string | null | undefined)[]): string[] =>
  texts.flatMap((text) => (text ? [toTerm(text)] : []));

export const alertFieldsOf = ({ alertId, providerAlert }: Alert): SearchFields => {
  const { card, arn, descriptor, amount, disputeAmount, caseId, authCode, transactionId } = providerAlert;
  return fieldsFrom({
    ...cardFields(endsOfMasked(card)),
    amount: [amount, disputeAmount].map(amountTerm),
    arn: whole(arn),
    descriptor: wordTerms(descriptor),
    reference: whole(String(alertId), caseId, authCode, transactionId),
  });
};

export const chargebackFieldsOf = ({ id, amount, reference, paymentReference, network }: Chargeback): SearchFields =>
  fieldsFrom({
    amount: [amountTerm(amount)],
    reference: whole(id, reference, paymentReference),
    network: whole(network),
  });

export const paymentFieldsOf = (transaction: Transaction): SearchFields => {
  const { txid, card, money, email, arn, descriptor, tid, reference, refs } = transaction;
  return fieldsFrom({
    ...(card && cardFields(card, card.scheme)),
    amount: [amountTerm(formatAmount(fromKeptMoney(money)))],
    email: email === null ? [] : [canonicalEmail(email)],
    arn: whole(arn),
    descriptor: wordTerms(descriptor ?? ''),
    order: [tid, reference].flatMap((text) => numberTerms(text ?? '')),
    reference: whole(
      ...[String(txid), ...refs, transaction.processorReference, transaction.networkReference, transaction.authCode],
    ),
  });
};

const chargeList = ({ content }: Order) => [
  { card_firstsix: content.card_firstsix, card_lastfour: content.card_lastfour, auth_code: content.auth_code },
  ...(content.charges ?? []),
];

export const orderFieldsOf = (order: Order): SearchFields => {
  const { content, orderId, payment } = order;
  const { customer, device, deliveries = [], processor } = content;
  const charges = chargeList(order);
  return fieldsFrom({
    card: charges.flatMap(({ card_firstsix = '', card_lastfour = '' }) => cardTerms(card_firstsix, card_lastfour)),
    network: [content.card_type.toLowerCase()],
    amount: [
      amountTerm(content.amount),
      ...charges.flatMap((one) => ('amount' in one ? [amountTerm(one.amount)] : [])),
    ],
    email: customer?.email === undefined ? [] : [canonicalEmail(customer.email)],
    name: wordTerms([customer?.firstname, customer?.lastname].filter(Boolean).join(' ')),
    account: whole(customer?.account_id),
    ip: whole(device?.ip),
    arn: whole(content.arn, ...charges.map((one) => ('arn' in one ? one.arn : undefined))),
    descriptor: wordTerms(content.descriptor ?? ''),
    order: numberTerms(content.reference),
    reference: whole(
      ...[String(orderId), payment?.reference, processor?.reference, content.network_transaction_id],
      ...charges.flatMap((one) => [one.auth_code, 'reference' in one ? one.reference : undefined]),
      ...deliveries.map(({ tracking_number }) => tracking_number),
    ),
  });
};

/** The fields under which the alert or chargeback about a purchase is found as well: those of its person and its order. */
const linkFields: readonly SearchFieldName[] = ['email', 'name', 'account', 'ip', 'order', 'card'];

const alertSubject = ({ alertId, owner, receivedAt }: Alert): Subject | undefined =>
  owner ? { mid: owner.mid, found: { kind: 'alert', id: String(alertId) }, at: receivedAt } : undefined;

const chargebackSubject = ({ id, mid, openedAt }: Chargeback): Subject => ({
  ...{ mid, found: { kind: 'chargeback', id }, at: openedAt },
});

/** A capture or refund leads to its payment: an ARN of a refund is asked for as well. */
const paymentEntries = (transaction: Transaction): Item[] => {
  const { mid, parentTxid, createdAt } = transaction;
  return toEntries(
    { mid, found: { kind: 'payment', id: String(parentTxid) }, at: createdAt },
    termsOfFields(paymentFieldsOf(transaction)),
  );
};

const orderEntries = (order: Order): Item[] => {
  const { mid, orderId, content, keptUntil, disputes } = order;
  const place = { ends: `${content.card_firstsix}-${content.card_lastfour}`, date: content.transaction_date };
  const fields = orderFieldsOf(order);
  const found = { kind: 'order', id: String(orderId), place } as const;
  return [
    ...toEntries({ mid, found, at: content.order_date, keptUntil }, termsOfFields(fields)),
    ...disputes.flatMap(({ alertId, chargebackId, at }) => {
      const about: Found =
        chargebackId === undefined ? { kind: 'alert', id: String(alertId) } : { kind: 'chargeback', id: chargebackId };
      return toEntries({ mid, found: about, at, keptUntil, via: 'order' }, termsOfFields(fields, linkFields));
    }),
  ];
};

/** The entries of a row by itself. Rows of other entities have none. */
export const searchEntries = (item: Item | undefined): Item[] => {
  switch (item?.['entity']) {
    case alertEntity: {
      const alert = fromAlertItem(item);
      const subject = alertSubject(alert);
      return subject ? [...toEntries(subject, termsOfFields(alertFieldsOf(alert))), ...openTestEntries(alert)] : [];
    }
    case chargebackEntity: {
      const chargeback = fromChargebackItem(item);
      return chargeback ? toEntries(chargebackSubject(chargeback), termsOfFields(chargebackFieldsOf(chargeback))) : [];
    }
    case transactionEntity:
      return paymentEntries(fromTransactionItem(item));
    case 'ORDER': {
      // An order whose time is over is removed by its `ttl`, and so are its entries.
      const order = fromOrderItem(item, '');
      return order ? orderEntries(order) : [];
    }
    default:
      return [];
  }
};

/** A row that is about a payment, whose terms only the payment's own row has. */
export type PaymentLink = { txid: number; kind: 'alert' | 'chargeback'; id: string; at: string };

/** The payment that an alert holds, or that a chargeback is about; undefined where there is none. */
export const paymentLinkOf = (item: Item | undefined): PaymentLink | undefined => {
  if (item?.['entity'] === 'HOLD') {
    const { alertId, txid, since } = fromHoldItem(item) ?? {};
    return alertId !== undefined && txid && since ? { txid, kind: 'alert', id: String(alertId), at: since } : undefined;
  }
  if (item?.['entity'] !== chargebackEntity) return undefined;
  const chargeback = fromChargebackItem(item);
  return chargeback?.txid
    ? { txid: chargeback.txid, kind: 'chargeback', id: chargeback.id, at: chargeback.openedAt }
    : undefined;
};

/** The entries under which such a row is found by the payment's person, order and card. */
export const linkedEntries = ({ kind, id, at }: PaymentLink, payment: Item | undefined): Item[] => {
  if (payment === undefined) return [];
  const transaction = fromTransactionItem(payment);
  return toEntries(
    { mid: transaction.mid, found: { kind, id }, at, via: 'payment' },
    termsOfFields(paymentFieldsOf(transaction), linkFields),
  );
};
