import { sha256 } from '../core/crypto.ts';
import type { Money } from '../core/money.ts';
import type { ProcessorName } from './processor.ts';

/** What processors tell of disputes, beside the port of payments. Asked anew each time: a webhook is never taken as the truth. */

/** `inquiry`: nothing has been taken yet, and a refund may still end it. */
export const disputeStages = ['inquiry', 'chargeback', 'arbitration'] as const;
export type DisputeStage = (typeof disputeStages)[number];

/** `accepted`: nobody contests it. `lost` stands for good; after `won` the money is back. */
export const disputeStatuses = ['open', 'under_review', 'won', 'lost', 'accepted'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

export type ProcessorDispute = {
  /** The processor's own name of the dispute. */
  reference: string;
  /** References of the payment it is about. */
  payments: readonly string[];
  stage: DisputeStage;
  status: DisputeStatus;
  /** Whether the money is with the issuer now. */
  isTaken: boolean;
  money: Money;
  /** The network's code, else the processor's word; empty if it says none. */
  reasonCode: string;
  network: string;
  /** Until when it can be contested, ISO; null if nobody says. */
  dueBy: string | null;
  openedAt: string;
};

export type DisputeAnswer =
  | { found: ProcessorDispute }
  /** It surely has none of that name. */
  | { found: null }
  /** It could not be asked, or does not know. */
  | { unknown: string };

/** What came of asking a processor to do something about a dispute. */
export type DisputeDone = 'done' | { refused: string } | { unknown: string };

export type DisputePort = {
  look(reference: string): Promise<DisputeAnswer>;
  /** Contests it no more. Absent where that is done in the processor's portal. */
  accept?(reference: string, idempotencyKey: string): Promise<DisputeDone>;
};

/** Whose dispute it is: the processors' own names may be alike. */
export type DisputePlace = { sid: number; processor: ProcessorName; routeId: string; reference: string };

/** Our name of it. */
export const disputeIdOf = ({ sid, processor, routeId, reference }: DisputePlace): string =>
  `cb_${sha256([sid, processor, routeId, reference].join('\n')).slice(0, 24)}`;
