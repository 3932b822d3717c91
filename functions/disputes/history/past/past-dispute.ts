import { claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import type { Money } from '#core/kernel/money/money.ts';
import type { ChargeCandidate } from '#payments/processors/ports/connected-processor.ts';
import type { ProcessorDispute } from '#payments/processors/ports/dispute.ts';

/** A charge of the past that was charged back, as its processor listed it. Times are ISO. */
export type LostCharge = {
  date: string;
  minor: number;
  currency: string;
  first6: string;
  last4: string;
  descriptor: string;
  /** Since when; null if the processor does not say. */
  chargedBackAt: string | null;
};

/** A dispute of the past, as its processor listed it. */
export type ListedDispute = {
  reference: string;
  openedAt: string;
  minor: number;
  currency: string;
  reasonCode: string;
  network: string;
  stage: string;
  status: string;
};

/** A dispute of the past: its charge, the dispute itself, or both, as far as they were read. */
export type PastDispute = { charge: LostCharge | null; dispute: ListedDispute | null };

/** An amount as a row stores it: at most the largest number that is exact. */
export const toStoredMinor = (minor: bigint): number =>
  minor > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(minor);

export const toLostCharge = (charge: ChargeCandidate): LostCharge => ({
  date: charge.date,
  minor: toStoredMinor(charge.money.minor),
  currency: charge.money.currency,
  first6: charge.first6,
  last4: charge.last4,
  descriptor: charge.descriptor,
  chargedBackAt: charge.chargedBackAt ?? null,
});

export const toListedDispute = (dispute: ProcessorDispute): ListedDispute => ({
  reference: dispute.reference,
  openedAt: dispute.openedAt,
  minor: toStoredMinor(dispute.money.minor),
  currency: dispute.money.currency,
  reasonCode: dispute.reasonCode,
  network: dispute.network,
  stage: dispute.stage,
  status: dispute.status,
});

/** When a dispute came up, ISO: as it was listed, else as its charge says. */
export const cameUpAt = ({ charge, dispute }: PastDispute): string =>
  dispute?.openedAt ?? charge?.chargedBackAt ?? charge?.date ?? '';

/** The disputed amount; undefined where neither is known. */
export const pastAmount = ({ charge, dispute }: PastDispute): Money | undefined => {
  const known = dispute ?? charge;
  return known ? { minor: BigInt(known.minor), currency: known.currency } : undefined;
};

export const isFraud = ({ dispute }: PastDispute): boolean => {
  const reason = dispute?.reasonCode ?? '';
  return claimOfCode(reason) === 'fraud' || /^(?:fraud|10$)/i.test(reason);
};
