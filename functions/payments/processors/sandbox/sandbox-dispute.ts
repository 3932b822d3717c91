import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { ProcessorDispute } from '../ports/dispute.ts';

/**
 * Chargebacks of the sandbox: a payment whose amount ends with 71 is charged back a day after the deadline of the alert about it,
 * unless it was refunded; one that ends with 72, even if it was. One with the card below is charged back seconds after it was made.
 */
export type SandboxDispute = {
  /** `sbd_<txid>_<alert>`. */
  id: string;
  txid: number;
  /** 0: no alert is involved. */
  alertId: number;
  sid: number;
  reference: string;
  minor: string;
  currency: string;
  /** When it is decided, ISO. */
  dueAt: string;
  state: 'expected' | 'made' | 'spared';
  acceptedAt: string | null;
  version: number;
};

const spared = 71n;
const anyway = 72n;

export const isChargedBackLater = (minor: bigint): boolean => minor % 100n === spared || minor % 100n === anyway;

/** The number that merchants know from Stripe for a payment that is disputed at once. */
export const isDisputedNumber = (number: string): boolean => number === '4000000000000259';

/** By then the payment is written down. */
const disputedAfter = 3 * milliseconds.second;

/** An alert without a deadline is answered within three days, as most are. */
const usualDeadline = 3 * milliseconds.day;

export const sandboxDisputeOf = (
  payment: { txid: number; sid: number; reference: string; minor: bigint; currency: string },
  alert: { alertId: number; receivedAt: string; deadlineAt: string | null },
): SandboxDispute => ({
  id: `sbd_${payment.txid}_${alert.alertId}`,
  txid: payment.txid,
  alertId: alert.alertId,
  sid: payment.sid,
  reference: payment.reference,
  minor: String(payment.minor),
  currency: payment.currency,
  dueAt: iso(
    (alert.deadlineAt === null ? Date.parse(alert.receivedAt) + usualDeadline : Date.parse(alert.deadlineAt)) +
      milliseconds.day,
  ),
  state: 'expected',
  acceptedAt: null,
  version: 1,
});

/** The chargeback of a payment that is disputed at once. `at`: milliseconds. */
export const promptDisputeOf = (
  payment: { txid: number; sid: number; reference: string; minor: bigint; currency: string },
  at: number,
): SandboxDispute => ({
  ...payment,
  id: `sbd_${payment.txid}_0`,
  alertId: 0,
  minor: String(payment.minor),
  dueAt: iso(at + disputedAfter),
  state: 'expected',
  acceptedAt: null,
  version: 1,
});

/** The dispute after its time has come. `refunded`: how much of the payment is refunded by then. */
export const decideDispute = (dispute: SandboxDispute, refunded: bigint): SandboxDispute => {
  const minor = BigInt(dispute.minor);
  const isSpared = dispute.alertId !== 0 && minor % 100n === spared && refunded >= minor;
  return { ...dispute, state: isSpared ? 'spared' : 'made', version: dispute.version + 1 };
};

/** The dispute as a processor reports it; undefined before it was opened. */
export const disputeOfSandbox = (dispute: SandboxDispute): ProcessorDispute | undefined =>
  dispute.state !== 'made'
    ? undefined
    : {
        reference: dispute.id,
        payments: [dispute.reference],
        stage: 'chargeback',
        status: dispute.acceptedAt === null ? 'open' : 'lost',
        isTaken: true,
        money: { minor: BigInt(dispute.minor), currency: dispute.currency },
        reasonCode: '10.4',
        network: 'visa',
        dueBy: iso(Date.parse(dispute.dueAt) + 20 * milliseconds.day),
        openedAt: dispute.dueAt,
      };
