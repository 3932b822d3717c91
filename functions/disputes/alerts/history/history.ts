import type { MatchEvidenceDto } from '#disputes/matching/match.ts';
import { type Alert, isLost } from '../alert.ts';
import { type Decision, toDecisionDto } from '../automatic/automatic.ts';
import { getAssignee } from '../people/assignee.ts';

export type HistoryEvent =
  | 'received'
  | 'assigned'
  | 'assignee changed'
  | 'updated'
  | 'noted'
  | 'payment linked'
  | 'payment unlinked'
  | 'answered by refund'
  | 'refunded'
  | 'refunded before'
  | 'refund failed'
  | 'decided by rule'
  | 'matched by shadow rule'
  | 'rules wait'
  | 'changed by provider'
  | 'confirmed by provider'
  | 'reopened by provider'
  | 'withdrawn by provider'
  | 'provider refused the outcome'
  | 'outcome expired'
  | 'outcome marked'
  | 'outcome sent again'
  | 'deadline warning'
  | 'deadline passed'
  | 'charged back'
  | 'chargeback won';

/** The author of an alert's change, and the way it was made. */
export type ChangeSource = {
  /** A username, `site 12`, `rule 7`, a provider or `deadline`. */
  by: string;
  via:
    | 'intake'
    | 'test'
    | 'assignment'
    | 'enrollment'
    | 'update'
    | 'webhook_reply'
    | 'dashboard'
    | 'refund'
    | 'deadline'
    | 'rules'
    | 'outcomes'
    | 'chargebacks';
};

export type HistoryEntry = ChangeSource & {
  /** ISO. */
  at: string;
  change: {
    event: HistoryEvent;
    from: Record<string, unknown>;
    to: Record<string, unknown>;
    /** Why, if rules were involved: the rule that decided and the shadow rules that matched. */
    decisions?: readonly Decision[];
  };
};

/** The fields whose changes a history records; names as on the wire, null where there is nothing. */
const recordedFields = (alert: Alert): Record<string, unknown> => ({
  status: alert.status,
  alert_action: alert.action,
  reason_code: alert.update?.reason_code ?? null,
  alert_outcome_amount: alert.update?.alert_outcome_amount ?? null,
  alert_outcome_currency: alert.update?.alert_outcome_currency ?? null,
  alert_outcome_action_date: alert.update?.alert_outcome_action_date ?? null,
  refunded_by: alert.update?.refunded_by ?? null,
  refunded_elsewhere: alert.update?.refunded_elsewhere ?? null,
  comments: alert.update?.comments ?? null,
  merchant_notes: alert.update?.merchant_notes ?? null,
  tx_details: alert.update?.tx_details ?? null,
  amount: alert.providerAlert.amount,
  currency: alert.providerAlert.currency,
  dispute_amount: alert.providerAlert.disputeAmount || null,
  dispute_currency: alert.providerAlert.disputeCurrency || null,
  condition_code: alert.providerAlert.conditionCode || null,
  sid: alert.owner?.sid ?? null,
  duplicate_alertid: alert.duplicateOf,
  deadline: alert.deadlineAt,
  assignee: getAssignee(alert),
  assigned_at: alert.assignedAt,
  deadline_passed: alert.deadlinePassed || null,
  late: alert.late || null,
  chargeback_id: alert.chargeback?.id ?? null,
  refunded_before: alert.refundedBefore?.at ?? null,
  afterwards: alert.automatic?.decision?.afterwards?.join('; ') ?? null,
  lost: isLost(alert) || null,
});

/**
 * A person's decision which charge an alert is about, with what spoke for it, so that the matcher can be compared with what people
 * decide. `charge`: its txid, or connection and reference. `at`: ISO.
 */
export const linkedEntry = (
  charge: { txid: number } | { connection: string; reference: string },
  match: MatchEvidenceDto | null,
  by: string,
  at: string,
): HistoryEntry => ({
  at,
  by,
  via: 'dashboard',
  change: { event: 'payment linked', from: {}, to: { ...charge, match } },
});

/** The opposite label: a person's decision that an alert is not about the payment that was held for it. `at`: ISO. */
export const unlinkedEntry = (txid: number, match: MatchEvidenceDto | null, by: string, at: string): HistoryEntry => ({
  at,
  by,
  via: 'dashboard',
  change: { event: 'payment unlinked', from: { txid, match }, to: {} },
});

/** The entry for a change; `before` is null for a new alert. */
export const entryOfChange = (
  before: Alert | null,
  after: Alert,
  event: HistoryEvent,
  at: string,
  { by, via }: ChangeSource,
): HistoryEntry => {
  const [old, fresh] = [before ? recordedFields(before) : {}, recordedFields(after)];
  const changed = Object.keys(fresh).filter(
    (name) => JSON.stringify(old[name] ?? null) !== JSON.stringify(fresh[name]),
  );
  const only = (fields: Record<string, unknown>) =>
    Object.fromEntries(changed.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));
  return { at, by, via, change: { event, from: only(old), to: only(fresh) } };
};

/** An entry on the wire. */
export const toHistoryDto = ({ change: { decisions, ...change }, ...entry }: HistoryEntry) => ({
  ...entry,
  change: { ...change, ...(decisions && { decisions: decisions.map(toDecisionDto) }) },
});

/** A history with the notes inserted by time. Changes of the alert stay in the order of its versions. */
export const withNotes = (entries: readonly HistoryEntry[], notes: readonly HistoryEntry[]): HistoryEntry[] => {
  const waiting = notes.toSorted((left, right) => (left.at < right.at ? -1 : 1));
  const before = entries.flatMap((entry) => {
    const later = waiting.findIndex(({ at }) => at >= entry.at);
    return [...waiting.splice(0, later < 0 ? waiting.length : later), entry];
  });
  return [...before, ...waiting];
};

/** Lambda returns at most 6 MB, and the quotes in a reply are escaped once more on the way. */
const maxShownBytes = 2 * 1024 * 1024;

/** The newest entries that fit into one reply; `entries` and the result are oldest first. */
export const newestEntries = (entries: readonly HistoryEntry[]): HistoryEntry[] => {
  let room = maxShownBytes;
  const tooOld = entries.findLastIndex((entry) => {
    room -= Buffer.byteLength(JSON.stringify(entry));
    return room < 0;
  });
  return entries.slice(tooOld + 1);
};
