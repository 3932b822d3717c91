import { networkOfCode } from '#core/kernel/card/scheme-reasons.ts';
import { networkNamed } from '#core/kernel/card/schemes.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import { barsRefunds } from '#payments/processors/ports/charge-state.ts';
import {
  type DisputePlace,
  type DisputeStage,
  type DisputeStatus,
  disputeIdOf,
  disputeStages,
  type ProcessorDispute,
} from '#payments/processors/ports/dispute.ts';
import type { EvidenceFileType, EvidenceKind } from '#payments/processors/ports/evidence-kinds.ts';
import type { AnyProcessorName } from '#payments/processors/ports/processors.ts';
import type { LedgerChargeback } from '#payments/transactions/ledger/ledger.ts';
import type { AutomaticHandling } from './automatic/handling.ts';

/** A dispute raised by an issuer, as the payment's processor reports it. */
export type Chargeback = {
  id: string;
  mid: number;
  processor: AnyProcessorName;
  /** The site that took the payment, and its account there; or the merchant's own connection that took it. */
  sid: number | null;
  routeId: string | null;
  connection: string | null;
  /** The processor's references of the dispute and of the payment. */
  reference: string;
  paymentReference: string;
  /** The payment if it was taken here. */
  txid: number | null;
  /** The alert that should have prevented it; null if none was about the payment. */
  alertId: number | null;
  reasonCode: string;
  network: string;
  amount: string;
  currency: string;
  stage: DisputeStage;
  status: DisputeStatus;
  isTaken: boolean;
  /** A state at its processor that is not known here; the rest is as it was last known. */
  unmapped?: string;
  dueBy: string | null;
  /** The processor's fee for contesting it, returned if it is won; absent: none is known. */
  contestFee?: { amount: string; currency: string };
  openedAt: string;
  closedAt: string | null;
  /** The person who accepted it, and when; null: it is not accepted. */
  accepted: { by: string; at: string } | null;
  /** The person who submitted the evidence through Forewarn, and when; null: none was. */
  evidence: { by: string; at: string } | null;
  /** Until when a call that submits the evidence keeps others from it, ISO; absent: none does. */
  submittingUntil?: string;
  /** The username of the user to whom it is assigned; absent: to none. */
  assignee?: string;
  /** The decisions of rules, also of those that only record; absent: none matched. */
  automatic?: AutomaticHandling;
  /** Files that go with the evidence, at most one of a kind. */
  files: readonly EvidenceFile[];
  /** The ids of files that were replaced or removed, and whose content is deleted: none of them is added again. */
  droppedFiles: readonly string[];
  /** The response to the issuer as a user saved it; null: it is made from the facts. */
  response: { text: string; by: string; at: string } | null;
  /** The observed states, oldest first. */
  history: readonly ChargebackEntry[];
  /** When the processor is asked again, ISO; null once nothing more can change. */
  nextLookAt: string | null;
  version: number;
};

/** A file that was checked. Its object in the bucket has its id. */
export type EvidenceFile = {
  id: string;
  kind: EvidenceKind;
  name: string;
  type: EvidenceFileType;
  bytes: number;
  /** Absent for files of earlier releases, and for a PDF that cannot be read. */
  pages?: number;
  by: string;
  at: string;
};

type ChargebackEntry = { at: string; by: string; stage: DisputeStage; status: DisputeStatus };

/** Checks whether the chargeback is decided; an arbitration may still reopen it, which a webhook reports. */
export const isChargebackOver = ({ status }: Pick<Chargeback, 'status'>): boolean =>
  status === 'won' || status === 'lost' || status === 'refunded_by_network';

/** The interval at which a processor is asked about an undecided chargeback, in case its webhooks report nothing. */
const lookEvery = milliseconds.day;
/** The time after which a dispute is over, even without a report: networks allow months, not years. */
const lookedAtFor = 400 * milliseconds.day;

const nextLook = (chargeback: Pick<Chargeback, 'status' | 'openedAt' | 'unmapped'>, at: string): string | null =>
  (isChargebackOver(chargeback) && chargeback.unmapped === undefined) ||
  Date.parse(at) - Date.parse(chargeback.openedAt) > lookedAtFor
    ? null
    : iso(Date.parse(at) + lookEvery);

/** The facts about it that do not come from the processor's report. */
export type ChargebackOwner = Pick<Chargeback, 'mid' | 'txid' | 'alertId'>;

/** Where its processor is asked about it. */
export const toPlace = ({ mid, processor, sid, routeId, connection, reference }: Chargeback): DisputePlace =>
  connection === null
    ? { sid: sid ?? 0, processor, routeId: routeId ?? '', reference }
    : { mid, processor, connection, reference };

const placeRow = (place: DisputePlace): Pick<Chargeback, 'sid' | 'routeId' | 'connection'> =>
  'sid' in place
    ? { sid: place.sid, routeId: place.routeId, connection: null }
    : { sid: null, routeId: null, connection: place.connection };

/**
 * Returns a chargeback that a connection reported before its payment was recorded here, as a chargeback of that payment. `place` is
 * the site's. Its history is kept. The caller writes it.
 */
export const moveChargeback = (chargeback: Chargeback, place: DisputePlace, owner: ChargebackOwner): Chargeback => ({
  ...chargeback,
  ...placeRow(place),
  id: disputeIdOf(place),
  txid: owner.txid,
  version: 0,
});

/** Alerts come days before a chargeback, seldom after it; the search for one reads up to ten thousand. */
const alertSoughtFor = 31 * milliseconds.day;

/** Checks whether the alert about its charge is still worth looking for; `before` undefined: it has never been looked for. */
export const seeksAlert = (before: Pick<Chargeback, 'alertId' | 'openedAt'> | undefined, at: string): boolean =>
  !before || (before.alertId === null && Date.parse(at) - Date.parse(before.openedAt) <= alertSoughtFor);

const maxEntries = 50;

/** In a state that is not known here, a dispute stays in the last one that was. */
const standingIn = (dispute: ProcessorDispute, before: Chargeback | undefined) =>
  dispute.unmapped !== undefined && before ? before : dispute;

/** Checks whether a dispute awaits an answer in a later stage than it was in: what was submitted before does not answer that. */
export const isForNextStage = (
  before: Chargeback | undefined,
  { stage, status }: Pick<Chargeback, 'stage' | 'status'>,
): boolean =>
  before !== undefined && status === 'open' && disputeStages.indexOf(stage) > disputeStages.indexOf(before.stage);

const ownFields = (dispute: ProcessorDispute, before: Chargeback | undefined) => ({
  reasonCode: dispute.reasonCode.slice(0, 60),
  network: networkNamed(dispute.network).slice(0, 30) || networkOfCode(dispute.reasonCode),
  amount: formatAmount(dispute.money),
  currency: dispute.money.currency,
  stage: standingIn(dispute, before).stage,
  isTaken: standingIn(dispute, before).isTaken,
  ...(dispute.unmapped !== undefined && { unmapped: dispute.unmapped }),
  dueBy: dispute.dueBy,
  ...(dispute.contestFee && {
    contestFee: { amount: formatAmount(dispute.contestFee), currency: dispute.contestFee.currency },
  }),
});

/**
 * Returns a chargeback after its processor was asked; `isNews` false: nothing changed but the time of the next check. One that its merchant
 * accepted stays accepted until the processor reports how it ended. It is due immediately, so that if the worker dies before the alert is
 * updated, the sweep takes over: see `recordLook`.
 */
export const chargebackAfter = (
  before: Chargeback | undefined,
  place: DisputePlace,
  dispute: ProcessorDispute,
  owner: ChargebackOwner,
  at: string,
): { chargeback: Chargeback; isNews: boolean } => {
  const standing = standingIn(dispute, before);
  const status = before?.accepted && !isChargebackOver(standing) ? 'accepted' : standing.status;
  const first = {
    id: disputeIdOf(place),
    processor: place.processor,
    reference: place.reference,
    ...placeRow(place),
    ...owner,
    paymentReference: dispute.payments[0] ?? '',
    openedAt: dispute.openedAt,
    accepted: null,
    evidence: null,
    files: [],
    droppedFiles: [],
    response: null,
    history: [],
  };
  const { unmapped: _, ...rest }: Omit<Chargeback, 'closedAt' | 'nextLookAt' | 'version'> = before ?? {
    ...first,
    ...ownFields(dispute, before),
    status,
  };
  const known = { ...rest, ...ownFields(dispute, before), alertId: before?.alertId ?? owner.alertId, status };
  const evidence = isForNextStage(before, known) ? null : known.evidence;
  const isNews =
    !before ||
    (['stage', 'status', 'isTaken', 'unmapped', 'dueBy', 'amount', 'reasonCode', 'alertId'] as const).some(
      (name) => before[name] !== known[name],
    );
  const isMoved = before?.stage !== known.stage || before.status !== status;
  const entry = { at, by: place.processor, stage: known.stage, status };
  return {
    isNews,
    chargeback: {
      ...known,
      evidence,
      closedAt: isChargebackOver(known) ? (before?.closedAt ?? at) : null,
      history: isMoved ? [...known.history, entry].slice(-maxEntries) : known.history,
      nextLookAt: at,
      version: (before?.version ?? 0) + 1,
    },
  };
};

/** The same once its alert knows of it: the processor is next asked at the usual interval. */
export const recordLook = (chargeback: Chargeback, at: string): Chargeback => ({
  ...chargeback,
  nextLookAt: nextLook(chargeback, at),
  version: chargeback.version + 1,
});

/**
 * Returns the chargeback after its merchant accepted it; null if it had before. It is due immediately, so that the processor is notified.
 */
export const acceptLoss = (chargeback: Chargeback, by: string, at: string): Chargeback | null =>
  chargeback.accepted
    ? null
    : {
        ...chargeback,
        status: 'accepted',
        accepted: { by, at },
        history: [...chargeback.history, { at, by, stage: chargeback.stage, status: 'accepted' as const }].slice(
          -maxEntries,
        ),
        nextLookAt: at,
        version: chargeback.version + 1,
      };

/**
 * The same once its processor has taken the evidence; null if it had before. It is due at once, so that the processor is asked for
 * its new state.
 */
export const withEvidence = (chargeback: Chargeback, by: string, at: string): Chargeback | null =>
  chargeback.evidence
    ? null
    : {
        ...chargeback,
        status: 'under_review',
        evidence: { by, at },
        history: [...chargeback.history, { at, by, stage: chargeback.stage, status: 'under_review' as const }].slice(
          -maxEntries,
        ),
        nextLookAt: at,
        version: chargeback.version + 1,
      };

/** The time within which a call that submits evidence has ended: the gateway gives up after half of it. */
const submissionMilliseconds = milliseconds.minute;

const submittedBy = (at: string): string => iso(Date.parse(at) + submissionMilliseconds);

/** Checks whether a call submits its evidence now. A later end is of a clock that has gone back since. */
export const isBeingSubmitted = ({ submittingUntil: until }: Chargeback, at: string): boolean =>
  until !== undefined && until > at && until <= submittedBy(at);

/** The same while one call submits its evidence; undefined if another call does so now. */
export const beginSubmission = (chargeback: Chargeback, at: string): Chargeback | undefined =>
  isBeingSubmitted(chargeback, at)
    ? undefined
    : { ...chargeback, submittingUntil: submittedBy(at), version: chargeback.version + 1 };

/** The same after a call that could not submit it, so that the next one may at once. */
export const endSubmission = ({ submittingUntil: _, ...chargeback }: Chargeback): Chargeback => ({
  ...chargeback,
  version: chargeback.version + 1,
});

/** Why evidence cannot be submitted any more; undefined if it can. */
export const whyTooLate = (chargeback: Chargeback, at: string): string | undefined => {
  if (chargeback.status === 'refunded_by_network') return 'The card network has refunded the cardholder.';
  if (isChargebackOver(chargeback)) return `It is ${chargeback.status}.`;
  if (chargeback.accepted) return 'It was accepted.';
  const { dueBy } = chargeback;
  return dueBy !== null && dueBy < at ? `It could be contested until ${dueBy}.` : undefined;
};

/** A call to add a file can be late by minutes; far fewer files are dropped in that time. */
const maxDroppedFiles = 100;

const withFiles = (chargeback: Chargeback, files: readonly EvidenceFile[]): Chargeback => {
  const dropped = chargeback.files.filter((one) => !files.includes(one)).map(({ id }) => id);
  return {
    ...chargeback,
    files,
    droppedFiles: [...chargeback.droppedFiles, ...dropped].slice(-maxDroppedFiles),
    version: chargeback.version + 1,
  };
};

/** The same with a file, which replaces the one of its kind. */
export const withFile = (chargeback: Chargeback, file: EvidenceFile): Chargeback =>
  withFiles(chargeback, [...chargeback.files.filter(({ kind }) => kind !== file.kind), file]);

/** The same without a file. */
export const withoutFile = (chargeback: Chargeback, fileId: string): Chargeback =>
  withFiles(
    chargeback,
    chargeback.files.filter(({ id }) => id !== fileId),
  );

/** The same with another response. */
export const withResponse = (chargeback: Chargeback, response: Chargeback['response']): Chargeback => ({
  ...chargeback,
  response,
  version: chargeback.version + 1,
});

/** Why its files and its response can no longer be changed; undefined if they can. */
export const whyFixed = (chargeback: Chargeback, at: string): string | undefined =>
  chargeback.evidence ? `Evidence was submitted at ${chargeback.evidence.at}.` : whyTooLate(chargeback, at);

/** The chargeback as the payment's ledger has it; null for one that bars no refund, which the ledger leaves out. */
export const ledgerPart = (chargeback: Chargeback, minor: bigint): LedgerChargeback | null => {
  const { status, isTaken, openedAt } = chargeback;
  if (!barsRefunds(chargeback)) return null;
  return { minor, taken: isTaken, openedAt, ...(status === 'refunded_by_network' && { byNetwork: true }) };
};
