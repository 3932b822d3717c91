import { iso, milliseconds } from '../core/clock.ts';
import type { Money } from '../core/money.ts';
import type { DeclineCode } from '../processors/decline-codes.ts';
import type { Outcome } from '../processors/processor.ts';
import type { GatewayKind } from '../processors/processors.ts';

/**
 * The port to a processor at which a merchant takes payments without us: finding the charge that an alert is about, and giving
 * it back there. All adapters pass one contract suite (test/connections/contract.ts).
 *
 * What every adapter promises:
 * - It never throws for what the other side does. What nobody can know is `UNKNOWN`, as it is with the port of payments.
 * - One key refunds once, whatever is lost, doubled or late, as long as the caller waits for the answer to the previous attempt:
 *   adapters of processors without idempotency keys look first, and looking sees only what has been done.
 * - No secret and no more of a card than its ends is in anything that it answers.
 */

/** What an alert says of the transaction; texts are empty where it says nothing. */
export type Disputed = {
  arn: string;
  authCode: string;
  first6: string;
  last4: string;
  /** What the transaction was, not what of it is disputed; null: it does not say. */
  money: Money | null;
  /** When the transaction was made, ISO. */
  day: string;
  descriptor: string;
};

/** A charge as its processor has it. */
export type Candidate = {
  /** What the processor calls it, and what it knows it by besides: the order, the payment intent. Empty if nothing. */
  reference: string;
  secondReference: string;
  /** The processor's word: `sale`, `charge`. */
  type: string;
  /** ISO. */
  date: string;
  /** As it was charged. */
  money: Money;
  first6: string;
  last4: string;
  authCode: string | null;
  arn: string | null;
  /** In minor units of the charge's currency. */
  captured: bigint;
  refunded: bigint;
  /** When the last of that was given back, ISO; absent where the processor was not asked or does not say. */
  refundedAt?: string;
  isChargedBack: boolean;
  /** Since when, ISO; absent where the processor was not asked or does not say. */
  chargedBackAt?: string;
  /** Whether it has settled; before, it may only be possible to give back the whole. */
  isSettled: boolean;
  /** Whether a refund of this card is there that may be this charge's or another's: nobody can say what is left of it then. */
  isUnclear: boolean;
  /** What charges it again and again, where the processor tells with the charge. */
  subscription: string | null;
  descriptor: string;
};

/** Why a connection could not be asked: its keys are wrong or lack a right, or the processor does not answer. */
export type Trouble = { problem: 'credentials' | 'unavailable' | 'too_many'; detail: string };

/** `isWhole`: these are all that there are. */
export type Found = { candidates: readonly Candidate[]; isWhole: boolean } | Trouble;

/** A refund of an alert's charge. */
export type RefundOrder = {
  reference: string;
  money: Money;
  /** The same for every try of one refund, different for any two. At most 64 characters. */
  key: string;
  /** When the refund was begun, ISO: what was done before is another's. */
  begunAt: string;
  /** Why, in the words of alerts; shown at the processor where it takes a reason. */
  reason: 'fraud' | 'dispute' | 'cancel';
  alertId: number;
};

/** What became of a refund. `NOT_FOUND`: it surely was not done and will not be. */
export type RefundState = Outcome | { outcome: 'NOT_FOUND' };

/** Whether a connection works. `missing`: rights that its key lacks, in the processor's own words. */
export type Check =
  | { isWorking: true }
  | { isWorking: false; problem: Trouble['problem']; missing: readonly string[]; detail: string };

export type Gateway = {
  kind: GatewayKind;
  /** Its charges cannot be read: what is known of one is what the merchant's own order says. */
  isBlind?: true;
  find(disputed: Disputed): Promise<Found>;
  /** One charge by its reference, as it stands now; null: there is none. */
  look(reference: string): Promise<Candidate | null | Trouble>;
  refund(order: RefundOrder): Promise<Outcome>;
  refundState(order: RefundOrder): Promise<RefundState>;
  /** Ends what charges a card again and again, by a charge that came from it; absent where the processor cannot be told to. */
  cancelSubscription?(reference: string, key: string): Promise<Outcome>;
  /** Asks for something that changes nothing, and says which rights are missing as far as that tells. */
  check(): Promise<Check>;
};

/** How far from an alert's day a charge is looked for: banks count days of their own. */
export const searchedMilliseconds = 3 * milliseconds.day;

/** From when to when charges are looked for, in milliseconds; the day it is and three around it. */
export const searchedSpan = ({ day }: Pick<Disputed, 'day'>): { from: number; to: number } => {
  const at = Date.parse(day);
  return { from: at - searchedMilliseconds, to: at + searchedMilliseconds };
};

/** What of a charge is still to be had. */
export const leftOf = ({ captured, refunded }: Pick<Candidate, 'captured' | 'refunded'>): bigint =>
  captured > refunded ? captured - refunded : 0n;

/** How long it takes until something that is not found surely was not done: requests end after ten seconds. */
export const certainMilliseconds = 5 * milliseconds.minute;

export const isCertain = ({ begunAt }: Pick<RefundOrder, 'begunAt'>, now: number): boolean =>
  now - Date.parse(begunAt) >= certainMilliseconds;

/** How long a processor is waited for. */
export const patienceMilliseconds = 10 * milliseconds.second;

/** Between a processor's clock and ours: what it says it did since `begunAt` may be so much older. */
export const sinceOf = ({ begunAt }: Pick<RefundOrder, 'begunAt'>): string =>
  iso(Date.parse(begunAt) - 2 * milliseconds.minute);

/** A definite refusal that left nothing at the processor. */
export const refusedWith = (code: DeclineCode, detail: string): Extract<Outcome, { outcome: 'EXC' }> => ({
  outcome: 'EXC',
  code,
  reference: null,
  detail,
});

export const isTrouble = (answer: object | null): answer is Trouble => answer !== null && 'problem' in answer;
