import * as v from 'valibot';
import { nullableTexts, numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import { facetKey, facetOf, listKeys, listNameOf, listPosition } from '#core/platform/lists/listing.ts';
import { visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow, type Upgrade } from '#core/platform/table/row.ts';
import { AlertUpdateShape, DecisionShape, GatewayTransactionShape } from '#disputes/alerts/stored-shapes.ts';
import { type Alert, isLost, isOpen } from './alert.ts';
import { refundMakerOf } from './answer/refunded-elsewhere.ts';
import type { ListedAlert } from './api/list-alerts/operation.ts';
import { toDecisionDto } from './automatic/automatic.ts';
import { sweptFrom } from './deadline/deadline.ts';
import { deadlineDue } from './deadline/deadline-due.ts';
import { alertFields } from './outbox/alert-payload.ts';
import { assigneeScope, getAssignee } from './people/assignee.ts';
import type { AlertSummary, UnmatchedSummary } from './schemas.ts';

/** The entities under which alerts are listed: with an owner, and without. */
export const alertEntity = 'ALERT';
export const unmatchedEntity = 'UNMATCHED';

/** Rows from before 2026-11-22 call the provider's alert its notice, have no outcomes and no chargeback. */
const withOutcomes: Upgrade = ({ notice, ...before }) => ({
  outcomes: 0,
  chargeback: null,
  ...(notice !== undefined && { providerAlert: notice }),
  ...before,
});

/** Rows of alerts assigned before deadlines counted from the assignment. */
const withAssignment: Upgrade = (before) => ({ assignedAt: null, revision: null, ...before });
const AlertRow = defineRow<Alert>({
  entity: alertEntity,
  attribute: 'alert',
  schema: v.looseObject({
    ...numbers('alertId', 'outcomes', 'version'),
    providerAlert: v.looseObject({
      ...texts('provider', 'caseId', 'type', 'declineCode', 'card', 'transactionAt', 'descriptor', 'amount'),
      ...texts('currency', 'arn', 'authCode', 'conditionCode', 'conditionReason', 'issuerName', 'age'),
      ...texts('transactionId', 'disputeAmount', 'disputeCurrency', 'tier', 'bin', 'caid', 'mcc', 'providerDate'),
      sealedCaseId: v.exactOptional(v.string()),
      decision: v.nullable(v.string()),
      sequence: v.exactOptional(v.number()),
      test: v.boolean(),
      asSent: v.exactOptional(v.record(v.string(), v.string())),
    }),
    ...texts('receivedAt', 'action', 'status'),
    owner: v.nullable(
      v.looseObject({
        ...numbers('mid', 'rid', 'sid'),
        ...texts('siteName', 'retailerName', 'descriptorId', 'matchedDescriptor'),
      }),
    ),
    ...nullableTexts('unmatchedBecause', 'assignedAt', 'updatedAt', 'deadlineAt', 'warnedAt', 'withdrawnAt'),
    assignee: v.exactOptional(v.string()),
    duplicateOf: v.nullable(v.number()),
    disputeCase: v.exactOptional(v.number()),
    update: v.nullable(AlertUpdateShape),
    deadlinePassed: v.boolean(),
    late: v.boolean(),
    withdrawal: v.exactOptional(v.looseObject({ sequence: v.nullable(v.number()), date: v.string() })),
    superseded: v.exactOptional(v.array(v.string())),
    revision: v.nullable(v.looseObject({ event: v.string(), at: v.string(), before: v.nullable(v.string()) })),
    automatic: v.nullable(
      v.looseObject({
        decision: v.nullable(DecisionShape),
        shadows: v.array(DecisionShape),
        transaction: v.nullable(GatewayTransactionShape),
        refund: v.nullable(GatewayTransactionShape),
        potentialMatches: v.nullable(v.array(GatewayTransactionShape)),
      }),
    ),
    chargeback: v.nullable(v.looseObject({ id: v.string(), openedAt: v.string(), stands: v.boolean() })),
    refundedBefore: v.exactOptional(v.looseObject({ txid: v.number(), at: v.string() })),
  }),
  upgrades: [withOutcomes, withAssignment],
});

/** An alert as lists show it, names as on the wire. */
const baseSummary = (alert: Alert): AlertSummary => ({
  alert_id: alert.alertId,
  ...alertFields(alert),
  status: alert.status,
  reason_code: alert.update?.reason_code ?? null,
  deadline: alert.deadlineAt,
  deadline_passed: alert.deadlinePassed,
  late: alert.late,
  test: alert.providerAlert.test,
});

/** An alert as stored for lists; it has these fields only where they are not null, since every list stores a copy. */
export type StoredSummary = AlertSummary & Partial<Pick<ListedAlert, 'rule' | 'refunded_by' | 'assignee'>>;

const ownedSummaryOf = (alert: Alert): StoredSummary => {
  const decision = alert.automatic?.decision;
  const maker = refundMakerOf(alert);
  return {
    ...baseSummary(alert),
    ...(maker !== null && { refunded_by: maker }),
    ...(alert.assignee !== undefined && { assignee: alert.assignee }),
    ...(decision && {
      rule: { rule_id: decision.ruleId, name: decision.name, result: decision.result, reason: decision.reason },
    }),
  };
};

type NamedFields = 'alert_id' | 'status' | 'alert_type' | 'provider' | 'alert_date';

/** The fields that an earlier release may not have stored: a field added to the summary gets its value for such rows here. */
const unstoredFields: Omit<AlertSummary, NamedFields> = {
  ...{ reason_code: null, deadline: null, deadline_passed: false, late: false, test: false },
  ...{ card: '', transaction_timestamp: '', descriptor: '', amount: '', currency: '', arn: '', auth_code: '' },
  ...{ alert_action: 'REVIEW', descriptor_id: '', matched_enrolled_descriptor: '', mid: null, rid: null, sid: null },
  ...{ txdetails: '[]', dispute_condition_code_reason: '', condition_code: '', site: '', retailer: '' },
  ...{ issuer_name: '', provider_case_id: '', alert_age: '', alert_transactionid: '', dispute_amount: '' },
  ...{ dispute_currency: '', tier: '', is_duplicate: 'no', bin: '', caid: '', rdr_reason_code: '' },
};

/** A stored summary as lists show it, whichever release stored it. */
export const wholeSummary = <S extends Pick<AlertSummary, NamedFields>>(stored: S): S & AlertSummary => ({
  ...unstoredFields,
  ...stored,
});

/** Checks whether a payment may be held for an alert: like `holdReason`, from the fields that lists have. */
export const mayHold = ({ status, alert_type, test }: AlertSummary): boolean =>
  !test && (isOpen({ status }) || (alert_type === 'DISPUTE_RDR' && status === 'RESOLVED'));

const unmatchedSummaryOf = (alert: Alert): UnmatchedSummary => ({
  ...baseSummary(alert),
  unmatched_reason: alert.unmatchedBecause,
});

/** An alert with everything known about it except its history, names as on the wire. */
export const alertDetailsOf = (alert: Alert) => ({
  ...baseSummary(alert),
  duplicate_alertid: alert.duplicateOf,
  mcc: alert.providerAlert.mcc,
  as_sent: alert.providerAlert.asSent ?? null,
  provider_date: alert.providerAlert.providerDate,
  assignee: getAssignee(alert),
  assigned_at: alert.assignedAt,
  updated_at: alert.updatedAt,
  withdrawn_at: alert.withdrawnAt,
  alert_outcome_amount: alert.update?.alert_outcome_amount ?? null,
  alert_outcome_currency: alert.update?.alert_outcome_currency ?? null,
  alert_outcome_action_date: alert.update?.alert_outcome_action_date ?? null,
  refunded_by: refundMakerOf(alert),
  refunded_elsewhere: alert.update?.refunded_elsewhere ?? null,
  comments: alert.update?.comments ?? null,
  merchant_notes: alert.update?.merchant_notes ?? null,
  tx_details: [...(alert.update?.tx_details ?? [])],
  unmatched_reason: alert.unmatchedBecause,
  lost: isLost(alert),
  chargeback_id: alert.chargeback?.id ?? null,
  automatic: alert.automatic?.decision ? toDecisionDto(alert.automatic.decision) : null,
  shadow_rules: (alert.automatic?.shadows ?? []).map(toDecisionDto),
});

const alertLists = ({ alertId, receivedAt, status, providerAlert, owner, assignee }: Alert): Record<string, string> => {
  const facet = facetOf(status, providerAlert.type);
  const position = listPosition(receivedAt, alertId);
  if (!owner) return listKeys(unmatchedEntity, ['all'], facet, position);
  const scopes = ['all', `M${owner.mid}`, `R${owner.rid}`, `S${owner.sid}`] as const;
  return {
    ...listKeys(alertEntity, scopes, facet, position),
    ...(assignee !== undefined && facetKey(5, listNameOf(alertEntity, assigneeScope(owner.mid, assignee)), facet)),
  };
};

/** `open` is also stored outside of the alert, for readers of the stream. */
export const toAlertItem = (alert: Alert): Item => {
  const { alertId, owner, deadlineAt, deadlinePassed } = alert;
  const isAwaited = isOpen(alert) && deadlineAt !== null && !deadlinePassed;
  return {
    ...keys.alert(alertId),
    ...AlertRow.stamp,
    entity: owner ? alertEntity : unmatchedEntity,
    ...alertLists(alert),
    ...(isAwaited && deadlineDue.keys(sweptFrom(alert, deadlineAt), alertId)),
    id: alertId,
    ...(owner && { sid: owner.sid }),
    open: isOpen(alert),
    version: alert.version,
    summary: owner ? ownedSummaryOf(alert) : unmatchedSummaryOf(alert),
    alert,
  };
};

/** Reads an alert back. */
export const fromAlertItem = AlertRow.read;

/** The alert in an item, if the caller may see it; only administrators see unmatched ones. Throws alert_not_found. */
export const alertVisibleTo = (caller: Caller, item: Item | undefined): Alert => {
  const alert = item && fromAlertItem(item);
  const owned = alert && { alert, mid: alert.owner?.mid ?? null, sid: alert.owner?.sid ?? null };
  return visibleOrRefuse(owned, caller, 'alert_not_found', 'alert_id: you have no such alert.').alert;
};
