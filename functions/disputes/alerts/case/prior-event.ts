import type { Alert } from '../alert.ts';

/** An event of the payment before an alert about it was received; the first that applies. */
export type PriorEvent =
  | { kind: 'duplicate'; alertId: number }
  | { kind: 'charged_back'; chargebackId: string; at: string }
  | { kind: 'refunded'; txid: number; at: string };

/**
 * Why an alert is about a dispute that was over, or known, when it arrived. Its answer and its credit follow from this. Null: nothing of
 * that is known.
 */
export const priorEventOf = ({ duplicateOf, chargeback, refundedBefore, receivedAt }: Alert): PriorEvent | null => {
  if (duplicateOf !== null) return { kind: 'duplicate', alertId: duplicateOf };
  if (chargeback?.stands && chargeback.openedAt < receivedAt) {
    return { kind: 'charged_back', chargebackId: chargeback.id, at: chargeback.openedAt };
  }
  return refundedBefore ? { kind: 'refunded', ...refundedBefore } : null;
};

/** The reason with which an alert is answered after each event. */
export const reasonAfter: Readonly<Record<PriorEvent['kind'], '940' | '951' | '952'>> = {
  duplicate: '940',
  refunded: '951',
  charged_back: '952',
};
