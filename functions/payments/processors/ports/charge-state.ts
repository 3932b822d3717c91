import type { DisputesAnswer, ProcessorDispute } from './dispute.ts';
import { type ChargeCandidate, type GatewayTrouble, isTrouble } from './gateway.ts';

/** The state of one charge, from its processor's own objects. */

/** Returns when disputes first took the money of their charge back, ISO; undefined if none did. */
export const firstTakenAt = (disputes: readonly ProcessorDispute[]): string | undefined =>
  disputes.flatMap(({ isTaken, openedAt }) => (isTaken ? openedAt : [])).toSorted()[0];

/** Returns whether a charge was charged back, by the disputes that its processor has about it. */
export const chargebackOf = (
  disputes: DisputesAnswer,
): Pick<ChargeCandidate, 'isChargedBack' | 'chargedBackAt'> | GatewayTrouble => {
  if ('unknown' in disputes) {
    const isRefused = / 40[13]$/.test(disputes.unknown);
    return { problem: isRefused ? 'credentials' : 'unavailable', detail: disputes.unknown };
  }
  const chargedBackAt = firstTakenAt(disputes.found);
  return chargedBackAt === undefined ? { isChargedBack: false } : { isChargedBack: true, chargedBackAt };
};

/** Returns the charge alone, without the objects that were read with it. */
export const candidateOf = (
  found: { candidate: ChargeCandidate } | null | GatewayTrouble,
): ChargeCandidate | null | GatewayTrouble => (found === null || isTrouble(found) ? found : found.candidate);
