import { type ChargeCandidate, type ConnectionTrouble, isTrouble } from './connected-processor.ts';
import type { DisputesAnswer, ProcessorDispute } from './dispute.ts';

/** The state of one charge, from its processor's own objects. */

type Standing = Pick<ProcessorDispute, 'stage' | 'status' | 'isTaken' | 'unmapped'>;

/**
 * Checks whether a dispute bars refunds: its money is gone, or a chargeback is about to take it, so a refund would pay twice. An inquiry
 * alone bars nothing, nor does a dispute that was won.
 */
export const barsRefunds = ({ stage, status, isTaken }: Standing): boolean =>
  isTaken || (stage !== 'inquiry' && status !== 'won');

type DisputedState = Pick<ChargeCandidate, 'isChargedBack' | 'chargedBackAt' | 'isRefundedByNetwork'> & {
  isUnclear?: true;
};

/** Returns what its disputes did to a charge. A dispute in an unknown state decides nothing, and the charge is not refunded. */
export const stateByDisputes = (
  disputes: readonly Pick<ProcessorDispute, keyof Standing | 'openedAt'>[],
): DisputedState => {
  const known = disputes.filter(({ unmapped }) => unmapped === undefined);
  const barring = known.filter(barsRefunds);
  const raised = barring.filter(({ status }) => status !== 'refunded_by_network');
  const [chargedBackAt] = raised.map(({ openedAt }) => openedAt).toSorted();
  return {
    isChargedBack: raised.length > 0,
    ...(chargedBackAt && { chargedBackAt }),
    ...(raised.length < barring.length && { isRefundedByNetwork: true }),
    ...(known.length < disputes.length && { isUnclear: true }),
  };
};

/** Returns whether a charge was charged back, by the disputes that its processor has about it. */
export const findChargeback = (disputes: DisputesAnswer): DisputedState | ConnectionTrouble => {
  if ('unknown' in disputes) {
    const isRefused = / 40[13]$/.test(disputes.unknown);
    return { problem: isRefused ? 'credentials' : 'unavailable', detail: disputes.unknown };
  }
  return stateByDisputes(disputes.found);
};

/** Returns the charge alone, without the objects that were read with it. */
export const pickCandidate = (
  found: { candidate: ChargeCandidate } | null | ConnectionTrouble,
): ChargeCandidate | null | ConnectionTrouble => (found === null || isTrouble(found) ? found : found.candidate);
