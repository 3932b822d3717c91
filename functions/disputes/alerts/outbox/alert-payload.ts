import { encodeForm } from '#messaging/webhooks/delivery/form-payload.ts';
import type { Alert } from '../alert.ts';
import type { AlertUpdate } from '../answer/alert-update.ts';
import { ruleNote } from '../automatic/automatic.ts';
import type { GatewayTransaction } from '../automatic/gateway-transaction.ts';

export const formType = 'application/x-www-form-urlencoded';

/** One element of `txdetails`. The first three are for automatic handling. */
type TransactionDetail = {
  alert_transaction: GatewayTransaction | null;
  transaction_action: GatewayTransaction | null;
  transaction_potential_matches: readonly GatewayTransaction[] | null;
  duplicate_alertid?: string;
  comment?: string;
};

/** A note that the provider has sent the case again, with the values before. */
const revisionNote = ({ revision }: Alert): string => {
  if (!revision) return '';
  const was = revision.before === null ? '' : `, before: ${revision.before}`;
  return `Case ${revision.event} on ${revision.at}${was}`;
};

const transactionDetails = (alert: Alert): [TransactionDetail] => {
  const { providerAlert, duplicateOf, automatic } = alert;
  const duplicate = providerAlert.declineCode || (duplicateOf === null ? '' : `Duplicate of alert ${duplicateOf}`);
  const undated = providerAlert.transactionAt === '' ? 'The time of the transaction could not be read' : '';
  const comment = [duplicate, revisionNote(alert), undated, ruleNote(automatic)].filter(Boolean).join('; ');
  return [
    {
      alert_transaction: automatic?.transaction ?? null,
      transaction_action: automatic?.refund ?? null,
      transaction_potential_matches: automatic?.potentialMatches ?? null,
      ...(duplicateOf !== null && { duplicate_alertid: String(duplicateOf) }),
      ...(comment && { comment }),
    },
  ];
};

/**
 * The fields of the new-alert notification except `alert_id`, which is text there and a number in lists. The owner's fields are
 * null while the alert has no owner.
 */
export const alertFields = (alert: Alert) => {
  const { providerAlert, owner } = alert;
  return {
    card: providerAlert.card,
    transaction_timestamp: providerAlert.transactionAt,
    descriptor: providerAlert.descriptor,
    amount: providerAlert.amount,
    currency: providerAlert.currency,
    arn: providerAlert.arn,
    alert_type: providerAlert.type,
    alert_action: alert.action,
    auth_code: providerAlert.authCode,
    descriptor_id: owner?.descriptorId ?? '',
    matched_enrolled_descriptor: owner?.matchedDescriptor ?? '',
    mid: owner?.mid ?? null,
    rid: owner?.rid ?? null,
    sid: owner?.sid ?? null,
    provider: providerAlert.provider,
    txdetails: JSON.stringify(transactionDetails(alert)),
    dispute_condition_code_reason: providerAlert.conditionReason,
    condition_code: providerAlert.conditionCode,
    site: owner?.siteName ?? '',
    retailer: owner?.retailerName ?? '',
    issuer_name: providerAlert.issuerName,
    provider_case_id: providerAlert.caseId,
    alert_age: providerAlert.age,
    alert_transactionid: providerAlert.transactionId,
    dispute_amount: providerAlert.disputeAmount,
    dispute_currency: providerAlert.disputeCurrency,
    tier: providerAlert.tier,
    alert_date: alert.receivedAt,
    is_duplicate: alert.duplicateOf === null ? ('no' as const) : ('yes' as const),
    bin: providerAlert.bin,
    caid: providerAlert.caid,
    rdr_reason_code: providerAlert.declineCode,
  } as const;
};

/** The body of the new-alert notification: every field, empty where there is nothing to say. */
export const newAlertForm = (alert: Alert): string =>
  encodeForm({ alert_id: String(alert.alertId), ...alertFields(alert), held_txid: '' });

/**
 * The same after a payment is held for the alert, which is found only after the notification was written. `isRefunded`: the payment had
 * been refunded as a whole before, so the merchant is not asked to refund it.
 */
export const withHeldPayment = (form: string, txid: number, isRefunded = false): string => {
  const held = form.replace(/(?<=^|&)held_txid=(?=&|$)/, `held_txid=${txid}`);
  return isRefunded ? held.replace(/(?<=^|&)alert_action=(?:REFUND|CANCEL)(?=&|$)/, 'alert_action=MATCHED') : held;
};

/**
 * The body of the notification that an update changed the alert's status. `at`: ISO, when it was accepted. `told`: when the
 * provider accepted it (ISO), or why it has not, which is then added to the merchant's own comments.
 */
export const statusUpdateForm = (
  alertId: number,
  update: AlertUpdate,
  at: string,
  told: { acceptedAt: string | null; why: string | null },
): string =>
  encodeForm({
    action: 'statusupdate',
    alert_id: String(alertId),
    status: update.status,
    reason_code: update.reason_code,
    merchant_update_on: at,
    outcome_updated_on: told.acceptedAt,
    alert_outcome_amount: update.alert_outcome_amount,
    alert_outcome_currency: update.alert_outcome_currency,
    alert_outcome_action_date: update.alert_outcome_action_date,
    'tx_details[]': update.tx_details,
    merchant_notes: update.merchant_notes,
    comments: joinComments(update, told.why),
  });

const joinComments = ({ comments }: AlertUpdate, why: string | null): string | undefined => {
  if (why === null) return comments;
  return comments === undefined ? why : `${comments} (${why})`;
};

/** The body of the notification that the provider withdrew the case. */
export const withdrawalForm = ({ alertId, status }: Alert): string =>
  encodeForm({ action: 'statusupdate', alert_id: String(alertId), status, reason_code: '' });

/** The body of the warning that an answer will soon be due. */
export const deadlineForm = ({ alertId, providerAlert, action, status, owner, deadlineAt }: Alert): string =>
  encodeForm({
    action: 'alert_deadline',
    alert_id: String(alertId),
    alert_type: providerAlert.type,
    alert_action: action,
    status,
    deadline: deadlineAt,
    mid: owner?.mid,
    rid: owner?.rid,
    sid: owner?.sid,
    provider: providerAlert.provider,
    provider_case_id: providerAlert.caseId,
  });
