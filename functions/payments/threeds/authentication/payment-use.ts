import { milliseconds } from '#core/kernel/clock.ts';
import type { Money } from '#core/kernel/money/money.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { ThreeDsResult } from '#payments/payments/three-ds.ts';
import { type Authentication, isDone } from './authentication.ts';
import { goesOnWithout, hasValues } from './authentication-result.ts';

/** The use of an authentication by the payment that is made with it. */

/** As long as the value that proves it is kept. */
const usableMilliseconds = milliseconds.day;

export type Paid = {
  money: Money;
  /** The digests of the card by every key of the ring. */
  cardTokens: readonly string[];
  /** Now, ISO. */
  at: string;
};

/**
 * Why a payment may not be made with an authentication of its merchant, beginning with the field that does not fit; undefined if
 * it may. One that was skipped, or canceled before a card was named, has no card.
 */
export const mismatchOf = (authentication: Authentication, { money, cardTokens, at }: Paid): string | undefined => {
  const { card, doneAt, usedByTxid } = authentication;
  const authenticated = fromKeptMoney(authentication.money);
  if (!isDone(authentication)) return 'authentication_id: is not done yet; get3ds says how far it is';
  if (usedByTxid !== null) return 'authentication_id: another payment was made with it; each needs its own';
  if (doneAt === null || Date.parse(at) - Date.parse(doneAt) > usableMilliseconds) {
    return 'authentication_id: was done more than 24 hours ago';
  }
  if (card && !cardTokens.includes(card.token)) return 'card_no: is not the card that was authenticated';
  if (authenticated.currency !== money.currency) return 'currency: is not the one that was authenticated';
  if (money.minor > authenticated.minor)
    return 'item_amount_unit: comes to more than the amount that was authenticated';
  return undefined;
};

/** Checks whether no payment is made with it: there is a statement or a sign that the payer is not the cardholder. */
export const isAuthenticationFailed = ({ outcome }: Pick<Authentication, 'outcome'>): boolean =>
  outcome !== null && !hasValues(outcome) && !goesOnWithout(outcome);

/** Returns the authentication for the processor, from Forewarn's own row only; null if the payment goes on without it. */
export const resultForPayment = (
  { outcome, result, server, challengeInd }: Authentication,
  value: string | null,
): ThreeDsResult | null => {
  if (outcome === null || !hasValues(outcome) || !result) return null;
  const version = result.messageVersion ?? server?.version;
  if (version === undefined) return null;
  const { eci, dsTransId, transStatus, aresTransStatus, challengeTransStatus } = result;
  const { transStatusReason, challengeCancel, exemption } = result;
  return {
    source: 'verified',
    version,
    eci,
    cavv: value,
    dsTransId,
    transStatus,
    aresTransStatus,
    challengeTransStatus,
    transStatusReason,
    challengeCancel,
    exemption,
    challengeInd,
  };
};
