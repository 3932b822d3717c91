import { iso, milliseconds } from '#core/kernel/clock.ts';
import { parseAmount } from '#core/kernel/money/money.ts';
import type { TransactionSummary } from '../transaction/transaction-row.ts';

/** Which payment a dispute alert is about. Pure: over what lists show of the payments with the alert's card. */

/** What an alert says about the transaction; texts are empty if it says nothing. */
export type DisputedPayment = {
  card: string;
  arn: string;
  authCode: string;
  /** Canonical decimals of the currency. */
  amount: string;
  currency: string;
  /** ISO. */
  transactionAt: string;
};

export type Payment = Pick<
  TransactionSummary,
  'txid' | 'status' | 'tx_action' | 'minor' | 'currency' | 'arn' | 'auth_code' | 'created_at'
>;

export type PaymentMatch =
  | { found: 'none' }
  | { found: 'one'; txid: number }
  | { found: 'many'; txids: readonly number[] };

/** Banks differ in the day they book and report; without a code that identifies the payment, its day must be near. */
const nearMilliseconds = 2 * milliseconds.day;
/** How far the alert's date may be off where its numbers name the payment. */
const searchedMilliseconds = 31 * milliseconds.day;

/** When payments are looked for at all; `to` is exclusive. */
export const paymentSearchSpan = ({
  transactionAt,
}: Pick<DisputedPayment, 'transactionAt'>): { from: string; to: string } => {
  const at = Date.parse(transactionAt);
  return { from: iso(at - searchedMilliseconds), to: iso(at + searchedMilliseconds) };
};

/** The ends of an alert's card, `411111xxxxxx1111`; undefined if it has none. */
export const endsOfCard = (card: string): { first6: string; last4: string } | undefined => {
  const [, first6, last4] = /^(\d{6})\D+(\d{4})$/.exec(card) ?? [];
  return first6 && last4 ? { first6, last4 } : undefined;
};

/** What distinguishes a payment from others: our own, or a charge at a merchant's own processor. */
export type MatchFacts = Omit<Payment, 'txid'>;

export type MatchAmong<P> =
  | { found: 'none' }
  | { found: 'one'; payment: P }
  | { found: 'many'; payments: readonly P[] };

/**
 * The payment that an alert is about: by acquirer reference number; else, of the same amount, by authorisation code; else by
 * its day. An identifier decides: a payment with another number or code is not the one, whatever its amount and day.
 * `isWhole`: the payments are all there are; otherwise only the reference number can tell that there is one.
 */
export const matchAmong = <P extends MatchFacts>(
  disputed: DisputedPayment,
  payments: readonly P[],
  isWhole: boolean,
): MatchAmong<P> => {
  const made = payments.filter(isMade);
  const byArn = made.filter((one) => hasArnOf(disputed, one));
  if (byArn.length > 0) return among(byArn, true);
  const alike = made.filter((one) => hasAmountOf(disputed, one) && !contradicts(disputed, one));
  const byCode = alike.filter(({ auth_code: code }) => sameCode(code, disputed.authCode));
  return among(byCode.length > 0 ? byCode : alike.filter((one) => isNear(disputed, one)), isWhole);
};

/** The same among our own payments, by their numbers. */
export const matchPayments = (
  disputed: DisputedPayment,
  payments: readonly Payment[],
  isWhole: boolean,
): PaymentMatch => {
  const match = matchAmong(disputed, payments, isWhole);
  if (match.found === 'one') return { found: 'one', txid: match.payment.txid };
  return match.found === 'many' ? { found: 'many', txids: match.payments.map(({ txid }) => txid) } : match;
};

/** Whether an alert's numbers or its amount leave no doubt that it is about this payment, whatever else it says. */
export const names = (disputed: DisputedPayment, payment: MatchFacts): boolean =>
  hasArnOf(disputed, payment) || sameCode(payment.auth_code, disputed.authCode) || hasAmountOf(disputed, payment);

const hasArnOf = (disputed: DisputedPayment, { arn }: MatchFacts): boolean =>
  disputed.arn !== '' && arn === disputed.arn;

const isMade = ({ status, tx_action: action }: MatchFacts): boolean =>
  status === 'OK' && (action === 'PAYMENT' || action === 'PREAUTH');

const among = <P>(payments: readonly P[], isWhole: boolean): MatchAmong<P> => {
  const [first] = payments;
  if (!first) return { found: 'none' };
  return payments.length === 1 && isWhole ? { found: 'one', payment: first } : { found: 'many', payments };
};

const hasAmountOf = ({ amount, currency }: DisputedPayment, payment: MatchFacts): boolean => {
  const money = parseAmount(amount, currency);
  return typeof money !== 'string' && currency === payment.currency && String(money.minor) === payment.minor;
};

const sameCode = (one: string | null, other: string): boolean =>
  one !== null && one !== '' && one.toUpperCase() === other.toUpperCase();

const contradicts = (disputed: DisputedPayment, { arn, auth_code: code }: MatchFacts): boolean =>
  (Boolean(arn) && disputed.arn !== '' && arn !== disputed.arn) ||
  (Boolean(code) && disputed.authCode !== '' && !sameCode(code, disputed.authCode));

const isNear = ({ transactionAt }: DisputedPayment, { created_at: at }: MatchFacts): boolean =>
  Math.abs(Date.parse(at) - Date.parse(transactionAt)) <= nearMilliseconds;
