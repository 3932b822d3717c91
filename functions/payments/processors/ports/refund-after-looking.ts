import { nowMilliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import {
  type ChargeCandidate,
  type ChargeRefundRequest,
  type ConnectionTrouble,
  isCertain,
  isTrouble,
  type RefundState,
  refundLeft,
  refusedOutcome,
  unknownOutcome,
} from './connected-processor.ts';
import type { ProcessorResult } from './processor.ts';

/**
 * Refunds at processors that show a mark of Forewarn's with each refund. The charge is read first: if it has the refund, that is the
 * result, even if the processor has forgotten the idempotency key.
 */

/** The result of a charge's refund with the mark; the charge, if it has none; null: the processor has no such charge. */
export type LookedUp = ProcessorResult | { candidate: ChargeCandidate } | null | ConnectionTrouble;

/** The mark of a refund: letters, digits and a hyphen, 27 characters. */
export const refundMark = (key: string): string => `fw-${sha256(key).slice(0, 24)}`;

/** Nothing was sent, so this refusal is definite. */
const unaskedOutcome = ({ problem, detail }: ConnectionTrouble): ProcessorResult =>
  refusedOutcome(problem === 'credentials' ? 'processor_credentials' : 'processor_unavailable', detail);

/** Why a refund cannot be requested; undefined if it can. */
const refuseRefund = (
  processor: string,
  { captured, refunded, money, isUnclear }: ChargeCandidate,
  request: ChargeRefundRequest,
): ProcessorResult | undefined => {
  if (captured === 0n) return refusedOutcome('refund_failed', `${processor} has not captured it`);
  if (isUnclear) return refusedOutcome('refund_failed', `${processor} does not show what is left of it`);
  const isAmount =
    request.money.currency === money.currency && request.money.minor <= refundLeft({ captured, refunded });
  return isAmount ? undefined : refusedOutcome('amount_invalid', `${processor}: not an amount that is left of it`);
};

export const refundAfterLooking = async (
  processor: string,
  request: ChargeRefundRequest,
  ways: { look(): Promise<LookedUp>; send(candidate: ChargeCandidate): Promise<ProcessorResult> },
): Promise<ProcessorResult> => {
  const before = await ways.look();
  if (before === null) return refusedOutcome('not_found_at_processor', `${processor} has no such charge`);
  if (isTrouble(before)) return unaskedOutcome(before);
  if ('outcome' in before) return before;
  return refuseRefund(processor, before.candidate, request) ?? ways.send(before.candidate);
};

export const stateAfterLooking = async (
  processor: string,
  request: ChargeRefundRequest,
  look: () => Promise<LookedUp>,
): Promise<RefundState> => {
  const found = await look();
  if (found === null) return unknownOutcome(`${processor} has no such charge`);
  if (isTrouble(found)) return unknownOutcome(found.detail);
  if ('outcome' in found) return found;
  return isCertain(request, nowMilliseconds())
    ? { outcome: 'NOT_FOUND' }
    : unknownOutcome(`${processor} does not have it yet`);
};
