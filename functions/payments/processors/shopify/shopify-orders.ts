import * as v from 'valibot';
import { brandNamed } from '#core/kernel/card/schemes.ts';
import { type Money, parseAmount, withoutZeroFraction } from '#core/kernel/money/money.ts';
import { type ChargeCandidate, refusedOutcome, unknownOutcome } from '../ports/connected-processor.ts';
import { makeReader, SentTime } from '../ports/outside-data.ts';
import type { ProcessorResult } from '../ports/processor.ts';

/** Orders, transactions and refunds of Shopify: https://shopify.dev/docs/api/admin-graphql/latest/objects/Order. Pure. */

const text = v.nullish(v.string(), '');

export const ShopifyMoney = v.pipe(
  v.object({ amount: v.string(), currencyCode: v.string() }),
  v.transform(({ amount, currencyCode: currency }) => parseAmount(withoutZeroFraction(amount, currency), currency)),
  v.custom<Money>((money) => typeof money !== 'string'),
);
const Card = v.nullish(v.object({ bin: text, number: text, company: text }));

export const ShopifyTransaction = v.object({
  id: v.string(),
  kind: v.string(),
  status: v.string(),
  gateway: text,
  createdAt: SentTime,
  processedAt: v.nullish(SentTime),
  authorizationCode: text,
  amountSet: v.object({ presentmentMoney: ShopifyMoney }),
  parentTransaction: v.nullish(v.object({ id: v.string(), authorizationCode: text, paymentDetails: Card })),
  paymentDetails: Card,
});
export type ShopifyTransaction = v.InferOutput<typeof ShopifyTransaction>;

const Refund = v.object({
  id: v.string(),
  note: text,
  transactions: v.object({ nodes: v.array(v.object({ id: v.string(), kind: v.string(), status: v.string() })) }),
});
export type ShopifyRefund = v.InferOutput<typeof Refund>;

const Order = v.object({
  id: v.string(),
  name: text,
  transactions: v.array(ShopifyTransaction),
  refunds: v.array(Refund),
  disputes: v.array(v.object({ status: v.string() })),
});
export type ShopifyOrder = v.InferOutput<typeof Order>;

export const readShopifyOrders = makeReader(
  v.object({
    orders: v.object({
      nodes: v.array(Order),
      pageInfo: v.object({ hasNextPage: v.boolean(), endCursor: v.nullish(v.string(), null) }),
    }),
  }),
);
export const readShopifyTransaction = makeReader(v.object({ node: v.nullable(v.object({ order: v.nullish(Order) })) }));
export const readShopifyRefund = makeReader(
  v.object({
    refundCreate: v.nullable(
      v.object({ refund: v.nullish(Refund), userErrors: v.array(v.object({ message: v.string() })) }),
    ),
  }),
);

/**
 * Our reference for a number of Shopify's: in base 36, because one in ten of its numbers of 13 and more digits passes for a card number, which no
 * field accepts.
 */
export const shopifyReferenceOf = (number: string): string => `sh_${BigInt(number).toString(36)}`;

/** The reference of a global identifier; empty if it is none. */
export const referenceIn = (id: string): string => {
  const [, number] = /^gid:\/\/shopify\/\w+\/(\d{1,20})$/.exec(id) ?? [];
  return number === undefined ? '' : shopifyReferenceOf(number);
};

/** The number of a reference, which merchants' orders may give as it is; undefined if it is none. */
export const shopifyNumberOf = (reference: string): string | undefined => {
  if (/^\d{1,20}$/.test(reference)) return reference;
  const [, coded] = /^sh_([\da-z]{1,14})$/.exec(reference) ?? [];
  return coded && [...coded].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n).toString();
};

const shopifyCard = ({ paymentDetails, parentTransaction }: ShopifyTransaction) => {
  const card = paymentDetails?.number ? paymentDetails : parentTransaction?.paymentDetails;
  const [, last4 = ''] = /(\d{4})$/.exec(card?.number ?? '') ?? [];
  const [first6 = ''] = /^\d{6}/.exec(card?.bin ?? '') ?? [];
  return { first6, last4, ...brandNamed(card?.company) };
};

const isCaptured = ({ kind }: ShopifyTransaction): boolean => kind === 'SALE' || kind === 'CAPTURE';

/** Gift cards, store credit, cash and the like have no card: https://shopify.dev/docs/api/admin-graphql/latest/unions/PaymentDetails */
export const isByCard = (transaction: ShopifyTransaction): boolean => shopifyCard(transaction).last4 !== '';

/** Checks whether anything was taken for an order, by a card or otherwise. */
export const isTaken = ({ transactions }: Pick<ShopifyOrder, 'transactions'>): boolean =>
  transactions.some((one) => one.status === 'SUCCESS' && isCaptured(one));

/** Returns an order's charges to cards: sales, captures, and authorisations without a capture. */
export const ownCharges = ({ transactions }: Pick<ShopifyOrder, 'transactions'>): readonly ShopifyTransaction[] => {
  const made = transactions.filter((one) => one.status === 'SUCCESS' && isByCard(one));
  const captured = new Set(made.filter(isCaptured).map(({ parentTransaction }) => parentTransaction?.id));
  return made.filter((one) => isCaptured(one) || (one.kind === 'AUTHORIZATION' && !captured.has(one.id)));
};

/** A refund that Shopify works on counts as done. */
export const isShopifyRefund = ({ kind, status }: ShopifyTransaction): boolean =>
  kind === 'REFUND' && ['SUCCESS', 'PENDING', 'AWAITING_RESPONSE'].includes(status);

/** The charge that a refund was made of: its parent, or the only one, or the only one of its card; undefined: of no card, or not known. */
export const chargeOfRefund = (
  refund: ShopifyTransaction,
  charges: readonly ShopifyTransaction[],
): ShopifyTransaction | undefined => {
  const parent = refund.parentTransaction?.id;
  if (parent !== undefined) {
    const captures = charges.filter(({ parentTransaction }) => parentTransaction?.id === parent);
    return charges.find(({ id }) => id === parent) ?? (captures.length === 1 ? captures[0] : undefined);
  }
  const { last4 } = shopifyCard(refund);
  const [own, ...more] = charges.filter((one) => last4 === '' || shopifyCard(one).last4 === last4);
  return more.length === 0 ? own : undefined;
};

/** Checks whether a refund names an authorization that was captured in parts, so that it may be of any. */
const isOfSeveral = (refund: ShopifyTransaction, charges: readonly ShopifyTransaction[]): boolean =>
  chargeOfRefund(refund, charges) === undefined &&
  charges.some(({ parentTransaction }) => parentTransaction?.id === refund.parentTransaction?.id);

/**
 * Checks whether an order has disputes that may have cost money. The order names the type with which a dispute began, and an inquiry may
 * have become a chargeback, so the disputes must be read.
 */
export const mayBeChargedBack = ({ disputes }: Pick<ShopifyOrder, 'disputes'>): boolean =>
  disputes.some(({ status }) => status !== 'WON');

/** A charge without its disputes. */
export const shopifyCandidateOf = (
  charge: ShopifyTransaction,
  order: Pick<ShopifyOrder, 'name' | 'transactions'>,
): ChargeCandidate => {
  const { id, kind, createdAt, processedAt, amountSet, authorizationCode, parentTransaction } = charge;
  const money = amountSet.presentmentMoney;
  const given = order.transactions.filter(isShopifyRefund);
  const charges = ownCharges(order);
  const own = given.filter((one) => one.parentTransaction && chargeOfRefund(one, charges)?.id === id);
  const [refundedAt] = own
    .map((one) => one.processedAt ?? one.createdAt)
    .toSorted()
    .reverse();
  const authCode = authorizationCode || parentTransaction?.authorizationCode || '';
  return {
    reference: referenceIn(id),
    secondReference: order.name ?? '',
    type: kind?.toLowerCase() ?? '',
    date: processedAt ?? createdAt,
    money,
    ...shopifyCard(charge),
    authCode: /^[A-Za-z\d]{6}$/.test(authCode) ? authCode : null,
    arn: null,
    captured: isCaptured(charge) ? money.minor : 0n,
    refunded: own.reduce((sum, one) => sum + one.amountSet.presentmentMoney.minor, 0n),
    ...(refundedAt !== undefined && { refundedAt }),
    isChargedBack: false,
    isSettled: isCaptured(charge),
    isUnclear: given.some((one) => !one.parentTransaction || isOfSeveral(one, charges)),
    subscription: null,
    descriptor: '',
  };
};

/** "The existence of a Refund object doesn't guarantee that the money has been returned": its transactions say. */
export const resultOfShopifyRefund = ({ id, transactions }: ShopifyRefund): ProcessorResult => {
  const reference = referenceIn(id);
  const statuses = transactions.nodes.filter(({ kind }) => kind === 'REFUND').map(({ status }) => status);
  if (statuses.some((status) => status === 'FAILURE' || status === 'ERROR')) {
    return { outcome: 'EXC', code: 'refund_failed', reference, detail: 'shopify: the refund failed' };
  }
  const isDone = statuses.length > 0 && statuses.every((status) => status === 'SUCCESS');
  return { outcome: isDone ? 'OK' : 'PEND', reference };
};

/** The result of `refundCreate` without a refund. Words about idempotency mean that another request is worked on. */
export const refusalOfShopify = (messages: readonly string[]): ProcessorResult => {
  const words = messages.join(' ');
  if (messages.length === 0 || /idempoten/i.test(words)) return unknownOutcome('shopify did not say what it did');
  const isAmount = /amount|exceed|more than|refundable/i.test(words);
  return refusedOutcome(isAmount ? 'amount_invalid' : 'refund_failed', 'shopify refused the refund');
};
