import { isDeepStrictEqual } from 'node:util';
import type { InferOutput } from 'valibot';
import { redact, redactText } from '#core/platform/log/redaction.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { AlertType } from '#disputes/providers/provider-alert.ts';
import { type Alert, isInformational, isOpen, type UpdatedAlert } from '../alert.ts';
import type { UpdateFields } from '../schemas.ts';
import type { AlertUpdate, RefundedElsewhere, UpdateDetail } from './alert-update.ts';
import { toldProvider } from './network-outcome.ts';
import { allowedCodes, needsAmount, needsComments, needsDuplicate, statesRefund } from './reason-codes.ts';

type Sent = InferOutput<typeof UpdateFields>;
type SentDetail = NonNullable<Sent['tx_details']>[number];

const without = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

const maskedText = (text: string | undefined) => (text === undefined ? undefined : redactText(text));

const toDetail = ({ duplicate_alertid, userid, username, ...others }: SentDetail): UpdateDetail => ({
  ...(redact(others) as UpdateDetail),
  ...without<UpdateDetail>({
    duplicate_alertid: duplicate_alertid === undefined ? undefined : String(duplicate_alertid),
    userid: maskedText(userid),
    username: maskedText(username),
  }),
});

/**
 * Reasons that only say what is being done: an update that calls them RESOLVED, as the interface does, is read as WIP, because the network does
 * not pass them on to the issuer. The final answer must follow.
 */
const interimReasons: readonly string[] = ['998'];
const toStatus = ({ status, reason_code: code }: Pick<Sent, 'status' | 'reason_code'>): AlertUpdate['status'] =>
  status === 'RESOLVED' && interimReasons.includes(code.slice(0, 3)) ? 'WIP' : status;

/** An update as stored: both spellings of its details in one list, without anything that looks like a card number or secret. */
export const toUpdate = (sent: Sent): AlertUpdate => {
  const details = [...(sent.tx_details ?? []), ...(sent.txdetails ?? [])]
    .map(toDetail)
    .filter((detail) => Object.keys(detail).length > 0);
  return without<AlertUpdate>({
    status: toStatus(sent),
    reason_code: sent.reason_code,
    alert_outcome_amount: sent.alert_outcome_amount,
    alert_outcome_currency: sent.alert_outcome_currency,
    alert_outcome_action_date: sent.alert_outcome_action_date,
    comments: maskedText(sent.comments),
    merchant_notes: maskedText(sent.merchant_notes),
    tx_details: details.length > 0 ? details : undefined,
  });
};

/** A refund elsewhere as sent: `undefined` where a field is absent. */
export type StatedElsewhere = { [K in keyof RefundedElsewhere]: RefundedElsewhere[K] | undefined } & { date: string };

/** The same as stored. */
export const toElsewhere = ({ date, reference, amount }: StatedElsewhere): RefundedElsewhere =>
  without<RefundedElsewhere>({ date, reference: maskedText(reference), amount });

const isDuplicateReason = ({ reason_code }: AlertUpdate) => needsDuplicate(reason_code);

/** The alerts that an update says its alert is a duplicate of; none if it gives another reason. */
export const namedDuplicates = (update: AlertUpdate): number[] =>
  isDuplicateReason(update)
    ? [...new Set((update.tx_details ?? []).flatMap(({ duplicate_alertid: id }) => (id ? [Number(id)] : [])))]
    : [];

const checkReason = ({ providerAlert }: Alert, { status, reason_code }: AlertUpdate): void => {
  const allowed = allowedCodes(providerAlert.provider, status);
  if (allowed.includes(reason_code)) return;
  throw new Refusal('reason_code_invalid', `reason_code: with status ${status} must be one of ${allowed.join(', ')}.`);
};

const checkParticulars = (
  alert: Alert,
  { update, sent }: { update: AlertUpdate; sent: AlertUpdate },
  siteAlerts: ReadonlySet<number>,
  doubts: readonly string[],
): void => {
  const { alertId, providerAlert } = alert;
  const wrong = [...doubts];
  if (needsComments(update.reason_code) && !update.comments) {
    wrong.push('comments: must say why nothing is refunded, as reason code 900.002 does not');
  }
  const duplicates = namedDuplicates(sent);
  if (isDuplicateReason(update) && duplicates.length === 0 && !hasNamedDuplicate(alert, sent)) {
    wrong.push('tx_details.0.duplicate_alertid: must name the alert that this one repeats, for reason code 940');
  }
  if (duplicates.some((id) => id === alertId || !siteAlerts.has(id))) {
    wrong.push('tx_details.0.duplicate_alertid: must be another alert of the site that asks for an answer');
  }
  if (needsAmount(providerAlert.provider, update.reason_code) && update.alert_outcome_amount === undefined) {
    wrong.push(`alert_outcome_amount: must be given with reason code ${update.reason_code}`);
  }
  if (wrong.length > 0) throw new Refusal('request_invalid', wrong.join('; '));
};

/** The earlier update, whose fields an update of the same status keeps; null: an update of another status stands alone. */
const keptUpdate = ({ update: before }: Alert, { status, reason_code }: AlertUpdate): AlertUpdate | null => {
  if (before?.status !== status) return null;
  const { refunded_by, refunded_elsewhere, ...kept } = before;
  return statesRefund(reason_code) ? before : kept;
};

/** Checks whether an update may leave out which alert this one duplicates, because an earlier update of its status said so. */
const hasNamedDuplicate = (alert: Alert, sent: AlertUpdate): boolean => {
  const kept = keptUpdate(alert, sent);
  return kept !== null && sent.tx_details === undefined && namedDuplicates(kept).length > 0;
};

/** Checks whether alerts of this type are answered: not those a network decided by itself, nor informational ones. */
export const takesOutcome = (type: AlertType): boolean => type !== 'DISPUTE_RDR' && !isInformational(type);

/** More than one an hour until the deadline means a loop; each is sent to the network, and all those of an alert are read together. */
export const maxOutcomes = 60;

/**
 * An alert after its merchant's update at a time (ISO); null if the update says nothing new. Fields that the update leaves out keep
 * their values within one status; what was said with another status, perhaps the opposite, is not repeated to the network.
 * `siteAlerts`: the alerts it names that belong to the site; `doubtsOf` says why the update cannot be true.
 * Refuses: alert_takes_no_outcome, reason_code_invalid, request_invalid, alert_closed.
 */
export const applyUpdate = (
  alert: Alert,
  told: AlertUpdate,
  siteAlerts: ReadonlySet<number>,
  at: string,
  doubtsOf: (alert: Alert, update: AlertUpdate, at: string) => readonly string[] = () => [],
): UpdatedAlert | null => {
  const sent = { ...told, status: toStatus(told) };
  const update = { ...keptUpdate(alert, sent), ...sent };
  const { type } = alert.providerAlert;
  if (!takesOutcome(type)) {
    throw new Refusal(
      'alert_takes_no_outcome',
      `alert_id: an alert of type ${type} is informational and takes no answer.`,
    );
  }
  // This update was accepted before, so it is not checked again.
  if (isDeepStrictEqual(alert.update, update) && alert.status === update.status) return null;
  checkReason(alert, update);
  if (!isOpen(alert)) throw new Refusal('alert_closed', `status: the alert is ${alert.status}, which is final.`);
  checkParticulars(alert, { update, sent }, siteAlerts, doubtsOf(alert, update, at));
  if (alert.outcomes >= maxOutcomes && (update.status === 'WIP' || update.status === 'OTHER')) {
    throw new Refusal('request_invalid', `status: the alert was answered ${maxOutcomes} times; send its final status.`);
  }
  return {
    ...alert,
    status: update.status,
    update,
    updatedAt: at,
    late: alert.late || alert.deadlinePassed || (alert.deadlineAt !== null && at > alert.deadlineAt),
    outcomes: alert.outcomes + (toldProvider(alert) === null ? 0 : 1),
    version: alert.version + 1,
  };
};
