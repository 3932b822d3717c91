import { dueKeys, keys } from '../core/keys.ts';
import { leafOf, listKeys, listPosition } from '../core/listing.ts';
import type { Item } from '../core/table.ts';
import { type Alert, isOpen } from './alert.ts';
import { decisionShown } from './automatic/automatic.ts';
import { sweptFrom } from './deadline/deadline.ts';
import { alertFields } from './outbox/payload.ts';
import type { AlertSummary, UnmatchedSummary } from './schemas.ts';

/** The entities under which alerts are listed: with an owner, and without. */
export const alertEntity = 'ALERT';
export const unmatchedEntity = 'UNMATCHED';

/** An alert as lists show it, names as on the wire. */
const summaryOf = (alert: Alert): AlertSummary => ({
  alert_id: alert.alertId,
  ...alertFields(alert),
  status: alert.status,
  reason_code: alert.update?.reason_code ?? null,
  deadline: alert.deadlineAt,
  deadline_passed: alert.deadlinePassed,
  late: alert.late,
  test: alert.notice.test,
});

const unmatchedSummaryOf = (alert: Alert): UnmatchedSummary => ({
  ...summaryOf(alert),
  unmatched_reason: alert.unmatchedBecause,
});

/** An alert with all that is known of it, names as on the wire, without its history. */
export const detailsOf = (alert: Alert) => ({
  ...summaryOf(alert),
  duplicate_alertid: alert.duplicateOf,
  mcc: alert.notice.mcc,
  provider_date: alert.notice.providerDate,
  updated_at: alert.updatedAt,
  withdrawn_at: alert.withdrawnAt,
  alert_outcome_amount: alert.update?.alert_outcome_amount ?? null,
  alert_outcome_currency: alert.update?.alert_outcome_currency ?? null,
  alert_outcome_action_date: alert.update?.alert_outcome_action_date ?? null,
  comments: alert.update?.comments ?? null,
  merchant_notes: alert.update?.merchant_notes ?? null,
  tx_details: [...(alert.update?.tx_details ?? [])],
  unmatched_reason: alert.unmatchedBecause,
  automatic: alert.automatic?.decision ? decisionShown(alert.automatic.decision) : null,
  shadow_rules: (alert.automatic?.shadows ?? []).map(decisionShown),
});

const listsOf = ({ alertId, receivedAt, status, notice, owner }: Alert): Record<string, string> => {
  const leaf = leafOf(status, notice.type);
  const position = listPosition(receivedAt, alertId);
  return owner
    ? listKeys(alertEntity, ['all', `M${owner.mid}`, `R${owner.rid}`, `S${owner.sid}`], leaf, position)
    : listKeys(unmatchedEntity, ['all'], leaf, position);
};

/** `open`, `deadlineAt` and `deadlinePassed` stand beside the alert for whoever watches the stream. */
export const toAlertItem = (alert: Alert): Item => {
  const { alertId, owner, deadlineAt, deadlinePassed } = alert;
  const isAwaited = isOpen(alert) && deadlineAt !== null && !deadlinePassed;
  return {
    ...keys.alert(alertId),
    entity: owner ? alertEntity : unmatchedEntity,
    ...listsOf(alert),
    ...(isAwaited && dueKeys('DEADLINE', sweptFrom(alert, deadlineAt), alertId)),
    id: alertId,
    ...(owner && { sid: owner.sid }),
    open: isOpen(alert),
    ...(deadlineAt !== null && { deadlineAt }),
    deadlinePassed,
    version: alert.version,
    summary: owner ? summaryOf(alert) : unmatchedSummaryOf(alert),
    alert,
  };
};

/** Reads an alert back. The table holds only what toAlertItem wrote; rows from before there were outcomes owe none. */
export const fromAlertItem = (item: Item): Alert => {
  const alert = item['alert'] as Omit<Alert, 'outcomes'> & Partial<Alert>;
  return { ...alert, outcomes: alert.outcomes ?? 0 };
};
