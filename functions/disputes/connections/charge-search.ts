import { formatAmount, type Money, parseAmount } from '#core/kernel/money/money.ts';
import { type Alert, transactionTimeOf } from '#disputes/alerts/alert.ts';
import { comparableAuthCode, identifyingArn } from '#disputes/matching/identifiers.ts';
import {
  type ChargeMatch,
  listFound,
  type MatchEvidenceDto,
  matchCharges,
  toMatchEvidenceDto,
} from '#disputes/matching/match.ts';
import { type ChargeFacts, endsOfCard, isOfCard, type RateOf } from '#disputes/matching/match-evidence.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { type Order, orderMinorOf, refundedMinor } from '#payments/orders/order.ts';
import {
  type ChargeCandidate,
  type ConnectionTrouble,
  type DisputedCharge,
  refundLeft,
} from '#payments/processors/ports/connected-processor.ts';
import type { Connection } from './connection.ts';

/** Finds the charge that an alert is about, among the payments taken here and at a merchant's own processors. Pure. */

/** A charge wherever it was taken. `connection` null: here, under our own number. */
export type FoundCharge = Omit<ChargeCandidate, 'subscription' | 'refundedAt' | 'chargedBackAt'> & {
  connection: Pick<Connection, 'id' | 'kind' | 'label'> | null;
  txid: number | null;
  left: bigint;
};

/** A connection that could not be asked, was not asked about a `test_alert`, or of whose answer some charges are `unreadable`. */
export type Unasked = Pick<Connection, 'id' | 'kind' | 'label'> & {
  problem: ConnectionTrouble['problem'] | 'unreadable' | 'test_alert';
  detail: string;
};

export type Searched = {
  charges: readonly FoundCharge[];
  /** Those of them that the alert can be about. */
  match: ChargeMatch<FoundCharge>;
  unasked: readonly Unasked[];
};

/** Returns the search at processors; undefined for an alert without the first and last digits of a card, which processors need. */
export const toSought = (
  searched: Pick<Alert, 'providerAlert' | 'receivedAt'>,
  alertId?: number,
): DisputedCharge | undefined => {
  const { providerAlert: alert } = searched;
  const ends = endsOfCard(alert.card);
  const money = parseAmount(alert.amount, alert.currency);
  const { arn, authCode, descriptor } = alert;
  // A number identifies the charge whatever its amount: the issuer may state another currency, or a part.
  const isIdentified = identifyingArn(arn) !== undefined || comparableAuthCode(authCode) !== undefined;
  const isAmountSearched = !isIdentified && typeof money !== 'string';
  const search = ends && {
    ...ends,
    arn,
    authCode,
    descriptor,
    day: transactionTimeOf(searched),
    money: isAmountSearched ? money : null,
  };
  return search && { ...search, ...(alertId !== undefined && { alertId }) };
};

/** The connections that are asked about an alert. A test alert is not looked for among real charges. */
export const askedAbout = ({ providerAlert }: Alert, connections: readonly Connection[]): readonly Connection[] =>
  providerAlert.test ? connections.filter(({ kind }) => kind === 'sandbox') : connections;

export const toFound = ({ id, kind, label }: Connection, candidate: ChargeCandidate): FoundCharge => {
  const { subscription, refundedAt, chargedBackAt, ...charge } = candidate;
  return { ...charge, connection: { id, kind, label }, txid: null, left: refundLeft(candidate) };
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

/** Returns the facts that distinguish a charge from others. */
export const chargeFactsOf = (charge: Omit<FoundCharge, 'connection' | 'txid' | 'left'>): ChargeFacts => {
  const { first6, last4, brand = null, arn, authCode, money, captured, date, descriptor } = charge;
  const references = [charge.reference, charge.secondReference, charge.networkReference ?? ''];
  return { first6, last4, brand, arn, authCode, money, captured, date, descriptor, references };
};

/** Checks whether two charges are one: at one kind of processor, with one reference, amount and time. */
const isSameCharge = (one: FoundCharge, other: FoundCharge): boolean =>
  one.reference === other.reference &&
  one.connection?.kind === other.connection?.kind &&
  one.date === other.date &&
  one.money.minor === other.money.minor &&
  one.money.currency === other.money.currency;

/** One account may be connected twice, with two keys, and a service may name a charge twice. The one with less left counts. */
const onlyOnce = (charges: readonly FoundCharge[]): FoundCharge[] => {
  const kept: FoundCharge[] = [];
  for (const charge of charges) {
    const index = kept.findIndex((one) => one.reference !== '' && isSameCharge(one, charge));
    const before = kept[index];
    if (before === undefined) kept.push(charge);
    else if (charge.isUnclear || charge.isChargedBack || (!before.isChargedBack && charge.left < before.left))
      kept[index] = charge;
  }
  return kept;
};

/** `isWhole`: these are all the charges; connections that could not be asked may have more. */
export const toSearch = (
  alert: ProviderAlert,
  found: {
    own: readonly FoundCharge[];
    elsewhere: readonly FoundCharge[];
    unasked: readonly Unasked[];
    isWhole: boolean;
    rateOf?: RateOf;
  },
): Searched => {
  const { own, elsewhere, unasked } = found;
  const known = new Set(own.map(({ reference }) => reference).filter((reference) => reference !== ''));
  // A payment taken here is listed at the merchant's processor as well.
  const others = onlyOnce(elsewhere).filter(
    ({ reference, secondReference }) => !known.has(reference) && !known.has(secondReference),
  );
  // A processor that is searched by the last four digits alone has charges of other cards.
  const charges = [...own, ...others].filter((charge) => isOfCard(alert.card, chargeFactsOf(charge)));
  const match = matchCharges(alert, charges, {
    factsOf: chargeFactsOf,
    isWhole: found.isWhole && unasked.every(({ problem }) => problem === 'unreadable' || problem === 'test_alert'),
    rateOf: found.rateOf,
  });
  return { charges, unasked, match };
};

/** The result of a search on the wire. */
export const toSearchedDto = ({ charges, match, unasked }: Searched) => {
  const candidates = listFound(match);
  const others = charges.filter((charge) => !candidates.some((one) => one.charge === charge));
  return {
    match: match.found,
    transactions: [
      ...candidates.map(({ charge, evidence }) => toFoundChargeDto(charge, toMatchEvidenceDto(evidence))),
      ...others.map((charge) => toFoundChargeDto(charge, null)),
    ],
    unasked: unasked.map(({ id, kind, label, problem, detail }) => ({
      connection: id,
      kind,
      label,
      problem: problem === 'too_many' ? ('unavailable' as const) : problem,
      msg: detail,
    })),
  };
};

const toFoundChargeDto = (charge: FoundCharge, evidence: MatchEvidenceDto | null) => {
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
    refunded_by_network: charge.isRefundedByNetwork === true,
    settled: charge.isSettled,
    matches: evidence !== null,
    evidence,
  };
};
