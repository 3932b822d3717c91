import { formatAmount, type Money, parseAmount } from '#core/kernel/money/money.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { type Order, orderMinorOf, refundedMinor } from '#payments/orders/order.ts';
import {
  type ChargeCandidate,
  type DisputedCharge,
  type GatewayTrouble,
  leftOf,
} from '#payments/processors/ports/gateway.ts';
import {
  endsOfCard,
  type MatchAmong,
  type MatchFacts,
  matchAmong,
} from '#payments/transactions/dispute/dispute-match.ts';
import type { Connection } from './connection.ts';

/** Finds the charge that an alert is about, among the payments taken here and at a merchant's own processors. Pure. */

/** A charge wherever it was taken. `connection` null: here, under our own number. */
export type FoundCharge = Pick<ChargeCandidate, 'reference' | 'secondReference' | 'type' | 'date' | 'money'> &
  Pick<ChargeCandidate, 'refunded' | 'isChargedBack' | 'isSettled' | 'isUnclear'> & {
    connection: Pick<Connection, 'id' | 'kind' | 'label'> | null;
    txid: number | null;
    left: bigint;
    arn: string | null;
    authCode: string | null;
  };

/** A connection that could not be asked. */
export type Unasked = Pick<Connection, 'id' | 'kind' | 'label'> & GatewayTrouble;

export type Searched = {
  charges: readonly FoundCharge[];
  /** Those of them that the alert can be about. */
  match: MatchAmong<FoundCharge>;
  unasked: readonly Unasked[];
};

/** What to look for at processors; undefined for an alert without the first and last digits of a card, which they need for a search. */
export const disputedOf = (alert: ProviderAlert): DisputedCharge | undefined => {
  const ends = endsOfCard(alert.card);
  const money = parseAmount(alert.amount, alert.currency);
  const { arn, authCode, descriptor, transactionAt: day } = alert;
  return ends && { ...ends, arn, authCode, descriptor, day, money: typeof money === 'string' ? null : money };
};

/** The connections that are asked about an alert. A test alert is not looked for among real charges. */
export const askedAbout = ({ providerAlert }: Alert, connections: readonly Connection[]): readonly Connection[] =>
  providerAlert.test ? connections.filter(({ kind }) => kind === 'sandbox') : connections;

export const chargeOf = ({ id, kind, label }: Connection, candidate: ChargeCandidate): FoundCharge => {
  const { reference, secondReference, type, date, money, refunded, arn, authCode } = candidate;
  const { isChargedBack, isSettled, isUnclear } = candidate;
  return {
    connection: { id, kind, label },
    txid: null,
    reference,
    secondReference,
    type,
    date,
    money,
    refunded,
    arn,
    authCode,
    isChargedBack,
    isSettled,
    isUnclear,
    left: leftOf(candidate),
  };
};

/** Whether a charge is of an alert's card, as far as both say. */
export const isOfCard = (
  { card }: Pick<ProviderAlert, 'card'>,
  { first6, last4 }: Pick<ChargeCandidate, 'first6' | 'last4'>,
): boolean => {
  const ends = endsOfCard(card);
  return !ends || (last4 === ends.last4 && (first6 === '' || first6 === ends.first6));
};

/** A charge as its merchant's order describes it, for a processor that cannot be asked. */
export const chargeOfOrder = (order: Order): ChargeCandidate => {
  const { reference, processor, transaction_date, amount, currency, ...content } = order.content;
  const minor = orderMinorOf(amount, currency);
  return {
    reference: processor?.reference ?? '',
    secondReference: reference,
    type: 'order',
    date: transaction_date,
    money: { minor, currency },
    first6: content.card_firstsix,
    last4: content.card_lastfour,
    authCode: content.auth_code ?? null,
    arn: content.arn ?? null,
    captured: minor,
    refunded: refundedMinor(order),
    isChargedBack: false,
    isSettled: true,
    isUnclear: false,
    subscription: null,
    descriptor: content.descriptor ?? '',
  };
};

/** The facts that tell a charge from others, in the form used for our own payments. */
export const chargeFactsOf = ({
  arn,
  authCode,
  date,
  money,
}: Pick<ChargeCandidate, 'arn' | 'authCode' | 'date' | 'money'>): MatchFacts => ({
  status: 'OK',
  tx_action: 'PAYMENT',
  arn,
  auth_code: authCode,
  created_at: date,
  minor: String(money.minor),
  currency: money.currency,
});

/** `isWhole`: these are all the charges; connections that could not be asked may have more. */
export const searchedOf = (
  alert: ProviderAlert,
  found: {
    own: readonly FoundCharge[];
    elsewhere: readonly FoundCharge[];
    unasked: readonly Unasked[];
    isWhole: boolean;
  },
): Searched => {
  const { own, elsewhere, unasked } = found;
  const known = new Set(own.map(({ reference }) => reference).filter((reference) => reference !== ''));
  // A payment taken here is listed at the merchant's processor as well.
  const others = elsewhere.filter(
    ({ reference, secondReference }) => !known.has(reference) && !known.has(secondReference),
  );
  const charges = [...own, ...others];
  const match = matchAmong(
    alert,
    charges.map((charge) => ({ ...chargeFactsOf(charge), charge })),
    found.isWhole && unasked.length === 0,
  );
  return { charges, unasked, match: unwrapMatch(match) };
};

const unwrapMatch = (match: MatchAmong<{ charge: FoundCharge }>): MatchAmong<FoundCharge> => {
  if (match.found === 'one') return { found: 'one', payment: match.payment.charge };
  return match.found === 'many' ? { found: 'many', payments: match.payments.map(({ charge }) => charge) } : match;
};

/** The result of a search on the wire. */
export const toSearchedDto = ({ charges, match, unasked }: Searched) => {
  const possible = new Set<FoundCharge>(
    match.found === 'one' ? [match.payment] : match.found === 'many' ? match.payments : [],
  );
  return {
    match: match.found,
    transactions: charges.map((charge) => toChargeDto(charge, possible.has(charge))),
    unasked: unasked.map(({ id, kind, label, problem, detail }) => ({
      connection: id,
      kind,
      label,
      problem: problem === 'credentials' ? ('credentials' as const) : ('unavailable' as const),
      msg: detail,
    })),
  };
};

const toChargeDto = (charge: FoundCharge, isPossible: boolean) => {
  const inCurrency = (minor: bigint): string => formatAmount({ minor, currency: charge.money.currency });
  const { connection, txid, money }: { connection: FoundCharge['connection']; txid: number | null; money: Money } =
    charge;
  return {
    connection: connection?.id ?? null,
    kind: connection?.kind ?? ('forewarn' as const),
    txid,
    reference: charge.reference,
    reference2: charge.secondReference,
    type: charge.type,
    date: charge.date,
    amount: inCurrency(money.minor),
    currency: money.currency,
    refunded: inCurrency(charge.refunded),
    refundable: charge.isUnclear ? null : inCurrency(charge.left),
    charged_back: charge.isChargedBack,
    settled: charge.isSettled,
    matches: isPossible,
  };
};
