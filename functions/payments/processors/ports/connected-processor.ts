import type { Scheme } from '#core/kernel/card/schemes.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { Money } from '#core/kernel/money/money.ts';
import type { DeclineCode } from '../decline-codes.ts';
import type { ProcessorResult } from './processor.ts';
import type { ConnectionKind } from './processors.ts';

/**
 * The port to a processor at which a merchant takes payments without us: finding the charge that an alert is about, and giving
 * it back there. All adapters pass one contract suite (test/disputes/connections/contract.ts).
 *
 * Every adapter promises:
 * - It never throws for what the other side does. A result that cannot be known is `UNKNOWN`, as with the port of payments.
 * - One key refunds once, whatever is lost, duplicated or late, as long as the caller waits for the answer to the previous attempt:
 *   adapters of processors without idempotency keys look first, and looking sees only what has been done.
 * - Its results hold no secret, and of a card only the first and last digits.
 */

/** An alert's facts about the transaction; texts are empty where it states none. */
export type DisputedCharge = {
  /** The alert, and its card's brand; absent where a search is not for an alert. */
  alertId?: number;
  brand?: Scheme;
  arn: string;
  authCode: string;
  first6: string;
  last4: string;
  /** The transaction amount, not the disputed one; null: the alert does not say. */
  money: Money | null;
  /** When the transaction was made, ISO. */
  day: string;
  descriptor: string;
};

/** A charge as its processor has it. */
export type ChargeCandidate = {
  /** The processor's reference, and another it knows the charge by (order, payment intent), empty if there is none. */
  reference: string;
  secondReference: string;
  /** The type in the processor's own words: `sale`, `charge`. */
  type: string;
  /** ISO. */
  date: string;
  /** As it was charged. */
  money: Money;
  /** Empty where the processor does not say. */
  first6: string;
  last4: string;
  /** The card's brand, where the processor names it; else it follows from the first six digits. */
  brand?: Scheme;
  authCode: string | null;
  arn: string | null;
  /** The card network's name for the payment, where the processor knows it. */
  networkReference?: string;
  /** In minor units of the charge's currency. */
  captured: bigint;
  refunded: bigint;
  /** When it was last refunded, ISO; absent where the processor was not asked or does not say. */
  refundedAt?: string;
  isChargedBack: boolean;
  /** Since when, ISO; absent where the processor was not asked or does not say. */
  chargedBackAt?: string;
  /** The network has refunded the cardholder: nothing is refundable, although nothing was charged back. */
  isRefundedByNetwork?: true;
  /** True if it has settled; until then, only the whole may be refundable. */
  isSettled: boolean;
  /** What is left of the charge is unknown: a refund to the card may be of this charge or of another, or its disputes could not be read. */
  isUnclear: boolean;
  /** The subscription that made the charge, where the processor tells with the charge. */
  subscription: string | null;
  descriptor: string;
  /** The merchant's own reference of the order, where that is neither of the references. */
  orderReference?: string;
  /** The card acceptor's id, where the processor states it. */
  caid?: string;
};

/** Why a connection could not be asked: its keys are wrong or lack a right, or the processor does not answer. */
export type ConnectionTrouble = { problem: 'credentials' | 'unavailable' | 'too_many'; detail: string };

/** `isWhole`: these are all the charges that match. `unread`: which charges of the answer could not be read, in words. */
export type ChargeSearchResult =
  | { candidates: readonly ChargeCandidate[]; isWhole: boolean; unread?: string }
  | ConnectionTrouble;

/** A span of time, ISO: `from` inclusive, `to` exclusive. */
export type ChargeSpan = { from: string; to: string };

/**
 * A page of the charges that were made within a span, in any order. `next`: the cursor of the following page; null: it was the last.
 * `unread`: charges of the page that could not be read, each with its field and the reason; absent: none.
 */
export type ChargePage = { charges: readonly ChargeCandidate[]; next: string | null; unread?: readonly string[] };

/** `not_offered`: this account cannot list its charges. */
export type ChargeListResult = ChargePage | ConnectionTrouble | 'not_offered';

/** A refund of an alert's charge. */
export type ChargeRefundRequest = {
  reference: string;
  money: Money;
  /** The same for every attempt at one refund, different for any two refunds. At most 64 characters. */
  key: string;
  /** The references of earlier refunds of the alert, which have failed. */
  failed?: readonly string[];
  /** When the refund was begun, ISO; anything done before is another refund. */
  begunAt: string;
  /** The reason, as an alert type; shown at the processor where it takes a reason. */
  reason: 'fraud' | 'dispute' | 'cancel';
  alertId: number;
};

/** The result of a refund. `NOT_FOUND`: it certainly was not made and will not be. */
export type RefundState = ProcessorResult | { outcome: 'NOT_FOUND' };

/** Checks whether a connection works. `missing`: rights that its key lacks, in the processor's own words. */
export type Check =
  | { isWorking: true }
  | { isWorking: false; problem: ConnectionTrouble['problem']; missing: readonly string[]; detail: string };

/** The result of a request to hold an order, in words for people; `unknown`: the shop could not be asked. */
export type OrderHold = { held: string } | { refused: string } | { unknown: string };

export type ConnectedProcessor = {
  kind: ConnectionKind;
  /** Its charges cannot be read: all that is known about one is what the merchant's own order says. */
  isBlind?: true;
  find(disputed: DisputedCharge): Promise<ChargeSearchResult>;
  /** The current state of a charge, by its reference; null: there is none. */
  look(reference: string): Promise<ChargeCandidate | null | ConnectionTrouble>;
  /** Lists the charges of a span, a page at a time; absent where the processor does not offer that. `cursor`: null for the first page. */
  list?(span: ChargeSpan, cursor: string | null): Promise<ChargeListResult>;
  refund(request: ChargeRefundRequest): Promise<ProcessorResult>;
  refundState(request: ChargeRefundRequest): Promise<RefundState>;
  /**
   * Returns what its webhooks have reported about a refund that counted as done, by its reference; absent where `refundState` reports that
   * as well.
   */
  recallRefund?(reference: string): Promise<RefundState>;
  /**
   * Holds the order of a charge in the shop, so that it is not shipped; absent where the processor keeps no orders. A repeated call changes nothing.
   */
  holdOrder?(reference: string, alertId: number): Promise<OrderHold>;
  /** Cancels a subscription, named by one of its charges; absent where the processor does not offer that. */
  cancelSubscription?(reference: string, key: string, alertId?: number): Promise<ProcessorResult>;
  /** Sends requests that change nothing, and reports missing rights as far as they show them. */
  check(): Promise<Check>;
};

/** The distance from an alert's day within which a charge is searched: banks count days of their own. */
const searchedMilliseconds = 3 * milliseconds.day;

/** The span in which charges are looked for, in milliseconds: the alert's day and three days on either side. */
export const chargeSearchSpan = ({ day }: Pick<DisputedCharge, 'day'>): { from: number; to: number } => {
  const at = Date.parse(day);
  return { from: at - searchedMilliseconds, to: at + searchedMilliseconds };
};

/** Returns how much of a charge is refundable. */
export const refundLeft = ({
  captured,
  refunded,
  isRefundedByNetwork,
}: Pick<ChargeCandidate, 'captured' | 'refunded' | 'isRefundedByNetwork'>): bigint =>
  isRefundedByNetwork || captured <= refunded ? 0n : captured - refunded;

/** After how long something not found was certainly not done: requests end after ten seconds. */
const certainMilliseconds = 5 * milliseconds.minute;

export const isCertain = ({ begunAt }: Pick<ChargeRefundRequest, 'begunAt'>, now: number): boolean =>
  now - Date.parse(begunAt) >= certainMilliseconds;

/** The time limit of a processor's answer. */
export const patienceMilliseconds = 10 * milliseconds.second;

/** The start of the search for a refund begun at `begunAt`: earlier by as much as a processor's clock may differ from this machine's. */
export const searchStart = ({ begunAt }: Pick<ChargeRefundRequest, 'begunAt'>): string =>
  iso(Date.parse(begunAt) - 2 * milliseconds.minute);

/** A definite refusal that left nothing at the processor. */
export const refusedOutcome = (code: DeclineCode, detail: string): Extract<ProcessorResult, { outcome: 'EXC' }> => ({
  outcome: 'EXC',
  code,
  reference: null,
  detail,
});

/** Checks whether a request was done is not known. */
export const unknownOutcome = (detail: string): Extract<ProcessorResult, { outcome: 'UNKNOWN' }> => ({
  outcome: 'UNKNOWN',
  detail,
});

export const isTrouble = (answer: object | null): answer is ConnectionTrouble => answer !== null && 'problem' in answer;
