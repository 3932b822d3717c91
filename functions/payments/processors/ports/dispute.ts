import { sha256 } from '#core/kernel/crypto.ts';
import type { Money } from '#core/kernel/money/money.ts';
import type { FileOfEvidence } from './evidence-kinds.ts';
import type { AnyProcessorName } from './processors.ts';

/** The port for processors' disputes, in addition to that for payments. Always queried: a webhook is never taken as the truth. */

/** `inquiry`: nothing has been taken yet, and a refund may still end it. */
export const disputeStages = ['inquiry', 'chargeback', 'arbitration'] as const;
export type DisputeStage = (typeof disputeStages)[number];

/**
 * `accepted`: the merchant does not contest it. `lost` is final; after `won` the money is returned. `refunded_by_network`: rules of the
 * network refunded the cardholder instead of a chargeback (Visa's Rapid Dispute Resolution), so the money is gone and nothing can be won.
 */
export const disputeStatuses = ['open', 'under_review', 'won', 'lost', 'accepted', 'refunded_by_network'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

export type ProcessorDispute = {
  /** The processor's own name for the dispute. */
  reference: string;
  /** References of the payment it is about. */
  payments: readonly string[];
  /** Our own reference of the payment, where the processor carries it: see merchant-reference.ts. */
  merchantReference?: string;
  /** The payment had been given back as a whole, as it was given up here. */
  isGivenBack?: boolean;
  stage: DisputeStage;
  status: DisputeStatus;
  /** True if the money is with the issuer or the cardholder now. */
  isTaken: boolean;
  money: Money;
  /** The network's code, else the processor's reason; empty if there is none. */
  reasonCode: string;
  network: string;
  /** Until when it can be contested, ISO; null if unknown. */
  dueBy: string | null;
  openedAt: string;
  /** A fee for contesting it, returned if it is won; absent: none is known. */
  contestFee?: Money;
  /** A value of its processor that is not known here: see `unmappedStanding`. */
  unmapped?: string;
};

/**
 * The standing of a dispute in a state that is not known here, before any other was known: it bars refunds, and no book counts it as
 * taken. `value`: the processor's own word for it.
 */
export const unmappedStanding = (value: string) =>
  ({ stage: 'chargeback', status: 'open', isTaken: false, unmapped: value.slice(0, 60) }) as const;

/** The standing of a dispute that was closed before it took any money. */
export const cameToNothing = { stage: 'inquiry', status: 'won', isTaken: false } as const;

export type DisputeAnswer =
  | { found: ProcessorDispute }
  /** The processor surely has none of that name. */
  | { found: null }
  /** It could not be asked, or does not know. */
  | { unknown: string };

/** The answer if a processor's description of a dispute could not be read. */
export const unreadableDispute = (processor: string): { unknown: string } => ({
  unknown: `${processor} sent a dispute in an unknown form`,
});

/** The result of asking a processor to do something about a dispute. `isOurs`: Forewarn refuses it, in a sentence of its own. */
export type DisputeDone = 'done' | { refused: string; isOurs?: true } | { unknown: string };

/** An issuer's report to its processor that a charge is fraudulent, before there is any dispute. */
export type FraudWarning = {
  /** The processor's own name for the warning. */
  reference: string;
  /** References of the payment it is about; the charge's last. */
  payments: readonly string[];
  charge: string;
  money: Money;
  chargedAt: string;
  /** Empty if the processor does not say. */
  first6: string;
  last4: string;
  authCode: string;
  descriptor: string;
  issuer: string;
  /** The kind of fraud, as the processor names it. */
  reason: string;
  warnedAt: string;
};

/** A listed dispute that could not be read. `reference`: empty if that could not be read either; `words`: its field and the reason. */
export type UnreadDispute = { reference: string; words: string };

/**
 * The disputes of an account that were opened within a period. `before`, ISO: there are more, and those opened before that time must still be
 * asked for. `isOffered`: false if the account is known to offer no such list.
 */
export type DisputesAnswer =
  | { found: readonly ProcessorDispute[]; before?: string; unread?: readonly UnreadDispute[]; isOffered?: false }
  | { unknown: string };

/** Separates listed disputes from those that could not be read (undefined). `reference`: the processor's own name of the dispute. */
export const foundAndUnread = (
  processor: string,
  listed: readonly { reference: string; dispute: ProcessorDispute | undefined }[],
): { found: ProcessorDispute[]; unread?: UnreadDispute[] } => {
  const unread = listed.flatMap(({ reference, dispute }) =>
    dispute ? [] : [{ reference, words: `dispute ${reference}: ${unreadableDispute(processor).unknown}` }],
  );
  return { found: listed.flatMap(({ dispute }) => dispute ?? []), ...(unread.length > 0 && { unread }) };
};

export type WarningAnswer = { found: FraudWarning | null } | { unknown: string };

export type AddressOfEvidence = {
  line1: string | null;
  line2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  country: string | null;
};

/** The parts of a purchase that are compared with another's. */
export type PurchaseOfEvidence = {
  accountId: string | null;
  deviceFingerprint: string | null;
  deviceId: string | null;
  email: string | null;
  ip: string | null;
  description: string;
  address: AddressOfEvidence | null;
};

export type EvidenceLetter = { bytes: Uint8Array } | { refused: string; isOurs: true };

/** The evidence against a dispute; texts are empty if there is none. */
export type DisputeEvidence = {
  customer: { name: string; email: string; ip: string };
  billingAddress: string;
  shipping: { address: string; carrier: string; date: string; trackingNumber: string };
  productDescription: string;
  serviceDate: string;
  accessLog: string;
  /** The response to the issuer, with everything else in sentences. */
  statement: string;
  /** At most one of a kind. */
  files: readonly FileOfEvidence[];
  /**
   * Renders the response as a letter with files behind it, as one PDF: the same bytes for the same evidence. `apart`: the files that are
   * submitted next to it, whose pages the card network counts as well.
   */
  renderLetter(behind: readonly FileOfEvidence[], apart?: readonly FileOfEvidence[]): Promise<EvidenceLetter>;
  /** True: the merchant agrees to a fee for contesting, where the processor asks for one. */
  isFeeAcknowledged?: boolean;
  /** By Visa's Compelling Evidence 3.0; null: it does not qualify. `charge`: what the processor calls an earlier payment. */
  compelling: {
    disputed: PurchaseOfEvidence & { kind: 'merchandise' | 'services' };
    priors: readonly (PurchaseOfEvidence & { charge: string | null })[];
  } | null;
};

export type DisputePort = {
  look(reference: string): Promise<DisputeAnswer>;
  /** Absent if the processor does not report issuers' warnings. */
  lookAtWarning?(reference: string): Promise<WarningAnswer>;
  /** Disputes opened since a time, and before another (ISO); absent if the processor cannot list them. */
  since?(from: string, before?: string): Promise<DisputesAnswer>;
  /** Stops contesting it. Absent if that is done in the processor's portal. */
  accept?(reference: string, idempotencyKey: string): Promise<DisputeDone>;
  /** Submits evidence, which is possible only once: if evidence was submitted before, that counts as done. Absent if a person does that. */
  submit?(reference: string, evidence: DisputeEvidence): Promise<DisputeDone>;
};

/** An account at a processor: a site's, for payments that are taken here, or a merchant's own connection. */
export type DisputeAccount =
  | { sid: number; processor: AnyProcessorName; routeId: string }
  | { mid: number; processor: AnyProcessorName; connection: string };

/** The place of a dispute: processors' own names may be alike. */
export type DisputePlace = DisputeAccount & { reference: string };

/** Our own id for it. */
export const disputeIdOf = (place: DisputePlace): string => {
  const { processor, reference } = place;
  const owner = 'sid' in place ? [place.sid, processor, place.routeId] : [`M${place.mid}`, processor, place.connection];
  return `cb_${sha256([...owner, reference].join('\n')).slice(0, 24)}`;
};
