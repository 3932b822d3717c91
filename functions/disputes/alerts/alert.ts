import { defaultDeadlineHours, type Site } from '#accounts/merchants/site/site.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { isWholeDay, type MessagePosition } from '#disputes/providers/message-position.ts';
import type { ProviderDeclaration } from '#disputes/providers/provider.ts';
import type { AlertType } from '#disputes/providers/provider-alert.ts';
import { type ProviderAlert, providerOf } from '#disputes/providers/providers.ts';
import type { AlertUpdate } from './answer/alert-update.ts';
import type { Automatic } from './automatic/automatic.ts';

export const alertActions = ['REFUND', 'CANCEL', 'REVIEW', 'MATCHED', 'RESOLVED', 'DECLINED'] as const;
export type AlertAction = (typeof alertActions)[number];

/**
 * OPEN until the merchant answers; INFORM for informational alerts, which ask for nothing. RDR_DELETE and REVOKED
 * are set when a provider withdraws its case. The merchant sends the others.
 */
export const alertStatuses = [
  'OPEN',
  'WIP',
  'OTHER',
  'RESOLVED',
  'DECLINED',
  'RDR_DELETE',
  'REVOKED',
  'INFORM',
] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** The owner of an alert; names as they were when it was matched. */
export type AlertOwner = {
  mid: number;
  rid: number;
  sid: number;
  siteName: string;
  retailerName: string;
  /** The merchant's own code for its descriptor. */
  descriptorId: string;
  /** The enrolled text that matched; empty when the acquirer's numbers did, or an administrator assigned the alert. */
  matchedDescriptor: string;
};
/** `openedAt`: ISO. `stands`: false once the merchant has won it. */
export type AlertChargeback = { id: string; openedAt: string; stands: boolean };

/** A refund or void made here, by its transaction, after which nothing of the payment was left. `at`: ISO. */
export type EarlierRefund = { txid: number; at: string };

export type Alert = {
  alertId: number;
  providerAlert: ProviderAlert;
  /** ISO; when the provider's alert came in. */
  receivedAt: string;
  action: AlertAction;
  status: AlertStatus;
  /** Null while the alert is in the unmatched inbox. */
  owner: AlertOwner | null;
  /** Why the alert has no owner, or had none at first. */
  unmatchedBecause: 'no_match' | 'tie' | null;
  /** The username of the user to whom it is assigned; absent: to none. */
  assignee?: string;
  /** When the alert was assigned to its site, if not on receipt; its deadline counts from the network's time all the same. */
  assignedAt: string | null;
  /** The first alert about the same transaction; null if this is the first. */
  duplicateOf: number | null;
  /** The dispute case that it belongs to, if another alert began it: see disputeCaseIdOf. */
  disputeCase?: number;
  /** The last update that was accepted, and when. */
  update: AlertUpdate | null;
  updatedAt: string | null;
  /** ISO, in whole seconds; null: no answer is awaited. */
  deadlineAt: string | null;
  /** The time at which event alert_deadline became due; null: not yet. */
  warnedAt: string | null;
  deadlinePassed: boolean;
  /** True if an update came after the deadline. */
  late: boolean;
  /** When the provider withdrew the case. */
  withdrawnAt: string | null;
  /** Where the last withdrawal stands among the provider's messages; absent if there was none. */
  withdrawal?: MessagePosition;
  /** Digests of what earlier messages of the provider said; absent while the first still applies. Oldest first. */
  superseded?: readonly string[];
  /** The provider's last revision of the case; null: none. `before`: the amounts before it, where something changed. */
  revision: { event: 'changed' | 'reopened'; at: string; before: string | null } | null;
  /** The decision of automatic rules; null if none matched or none was evaluated. */
  automatic: Automatic | null;
  /** The number of outcomes that its provider was or will be sent: see answer/network-outcome.ts. */
  outcomes: number;
  /** The chargeback of its payment, once its issuer has raised one; null: none is known. */
  chargeback: AlertChargeback | null;
  /** The refund of its payment from before the alert was received; absent: none is known. */
  refundedBefore?: EarlierRefund;
  /** Goes up with every write; a write says which one it saw. */
  version: number;
};

/** An alert that has been answered. */
export type UpdatedAlert = Alert & { update: AlertUpdate };

/** The dispute case of an alert: the number of the first alert about its payment. Rows of duplicates from before cases name only that. */
export const disputeCaseIdOf = ({ alertId, duplicateOf, disputeCase }: Alert): number =>
  disputeCase ?? duplicateOf ?? alertId;

/** Checks whether a later alert about the same payment repeats this one: not if its network withdrew the case or declined to refund it. */
export const makesDuplicates = ({ withdrawnAt, providerAlert }: Alert): boolean =>
  withdrawnAt === null && providerAlert.decision !== 'DECLINED';

export const informationalTypes = ['FRAUD_NOTICE', 'DISPUTE_NOTICE'] as const satisfies readonly AlertType[];

/** Checks whether an alert of this type only informs: it takes no outcome, has no deadline and is no duplicate. */
export const isInformational = (type: AlertType): boolean => informationalTypes.some((one) => one === type);

/** Checks whether an answer is still awaited. */
export const isOpen = ({ status }: Pick<Alert, 'status'>): boolean =>
  status === 'OPEN' || status === 'WIP' || status === 'OTHER';

/**
 * Why an alert holds the payment it is about: while an answer is awaited, the rest of the payment is reserved for the alert; what a
 * network has refunded must not be refunded again unless the network withdraws its case. Null: the alert does not hold it, or no longer.
 */
export const holdReason = (
  alert: Pick<Alert, 'providerAlert' | 'status' | 'withdrawnAt'>,
): 'dispute' | 'network' | null => {
  const { providerAlert, withdrawnAt } = alert;
  if (providerAlert.test || withdrawnAt !== null) return null;
  if (isOpen(alert)) return 'dispute';
  return providerAlert.type === 'DISPUTE_RDR' && providerAlert.decision === 'ACCEPTED' ? 'network' : null;
};

/** Returns what the merchant must do; for a network-decided refund, what was done. */
export const alertActionOf = ({ type, decision }: ProviderAlert, site: Site | null): AlertAction => {
  if (type === 'DISPUTE_RDR') return decision === 'DECLINED' ? 'DECLINED' : 'RESOLVED';
  if (type === 'CANCEL') return 'CANCEL';
  if (type === 'FRAUD') return 'REFUND';
  return isInformational(type) ? 'REVIEW' : (site?.alert?.default_dispute_action ?? 'REFUND');
};

/** The first status of an alert of this kind. */
export const firstStatus = ({ type, decision }: ProviderAlert): AlertStatus => {
  if (type === 'DISPUTE_RDR') return decision === 'DECLINED' ? 'DECLINED' : 'RESOLVED';
  return isInformational(type) ? 'INFORM' : 'OPEN';
};

type Timed = { providerAlert: Pick<ProviderAlert, 'providerDate' | 'age' | 'transactionAt'>; receivedAt: string };

/**
 * When the network began to wait for the answer (ISO): by its own time if it states one, or the alert's age in hours; else on receipt. A time
 * after the receipt is of a later message about the same case, or of another clock. A date without a time only says by when the wait had begun:
 * at the end of that day.
 */
export const networkTimeOf = ({ providerAlert: { providerDate, age }, receivedAt }: Timed): string => {
  const received = Date.parse(receivedAt);
  const dated = isWholeDay(providerDate) ? Number.NaN : Date.parse(providerDate);
  const dayEnd = isWholeDay(providerDate) ? Date.parse(providerDate) + milliseconds.day : received;
  const aged = /^\d{1,4}(?:\.\d+)?$/.test(age) ? received - Number(age) * milliseconds.hour : received;
  return iso(Math.min(received, Number.isNaN(dated) ? Math.min(aged, dayEnd) : dated));
};

/** When the transaction was made, as far as the network says; else a time that it cannot be after: when the alert was received. */
export const transactionTimeOf = ({ providerAlert: { transactionAt }, receivedAt }: Timed): string =>
  transactionAt || receivedAt;

/**
 * When the answer is due: after the hours that its network waits, or fewer if the site wants that, counted from a time (ISO). In whole
 * seconds, which is the precision of schedules. Null for types that need no answer.
 */
export const setDeadline = ({ type, provider }: ProviderAlert, from: string, site: Site): string | null => {
  if (type !== 'FRAUD' && type !== 'DISPUTE' && type !== 'CANCEL') return null;
  const wanted = (site.alert?.deadline_hours ?? defaultDeadlineHours)[type];
  const { answerHours = wanted }: ProviderDeclaration = providerOf(provider);
  const hours = Math.min(wanted, answerHours);
  const due = Date.parse(from) + hours * milliseconds.hour;
  return new Date(due - (due % milliseconds.second)).toISOString();
};

const toOwner = (site: Site, matchedDescriptor: string): AlertOwner => ({
  mid: site.mid,
  rid: site.rid,
  sid: site.sid,
  siteName: site.name,
  retailerName: site.retailerName,
  descriptorId: site.alert?.descriptorid ?? '',
  matchedDescriptor,
});

/** The site that an alert goes to, with the enrolled text that matched; or why it goes to none. */
export type Ownership = { site: Site; matchedDescriptor: string } | { unmatchedBecause: 'no_match' | 'tie' };

/** A new alert, not yet checked for duplicates. */
export const createAlert = (
  alertId: number,
  providerAlert: ProviderAlert,
  receivedAt: string,
  ownership: Ownership,
): Alert => {
  const unowned: Alert = {
    alertId,
    providerAlert,
    receivedAt,
    action: alertActionOf(providerAlert, null),
    status: firstStatus(providerAlert),
    owner: null,
    unmatchedBecause: 'unmatchedBecause' in ownership ? ownership.unmatchedBecause : null,
    assignedAt: null,
    duplicateOf: null,
    update: null,
    updatedAt: null,
    deadlineAt: null,
    warnedAt: null,
    deadlinePassed: false,
    late: false,
    withdrawnAt: null,
    revision: null,
    automatic: null,
    outcomes: 0,
    chargeback: null,
    version: 1,
  };
  return 'site' in ownership ? setOwner(unowned, ownership.site, ownership.matchedDescriptor) : unowned;
};

/** The alert with the site as its owner. */
const setOwner = (alert: Alert, site: Site, matchedDescriptor: string): Alert => ({
  ...alert,
  owner: toOwner(site, matchedDescriptor),
  action: alertActionOf(alert.providerAlert, site),
  deadlineAt: isOpen(alert) ? setDeadline(alert.providerAlert, networkTimeOf(alert), site) : null,
});

/** An alert from the inbox after it was assigned to a site at a time (ISO). */
export const assignOwner = (alert: Alert, site: Site, matchedDescriptor: string, at: string): Alert => ({
  ...setOwner({ ...alert, assignedAt: at }, site, matchedDescriptor),
  version: alert.version + 1,
});

/**
 * The alert after its provider withdrew the case. What the merchant has already done about it stands; a network's own
 * refund is undone whatever the status.
 */
export const withdraw = (alert: Alert, at: string, withdrawal?: MessagePosition): Alert => {
  const isNetworkDecision = alert.providerAlert.type === 'DISPUTE_RDR';
  const stands = !isNetworkDecision && (alert.status === 'RESOLVED' || alert.status === 'DECLINED');
  return {
    ...alert,
    status: isNetworkDecision ? 'RDR_DELETE' : stands ? alert.status : 'REVOKED',
    withdrawnAt: at,
    ...(withdrawal && { withdrawal }),
    version: alert.version + 1,
  };
};

/** Checks whether the alert failed to prevent a chargeback: one was raised after it and stands. */
export const isLost = ({ chargeback, receivedAt }: Pick<Alert, 'chargeback' | 'receivedAt'>): boolean =>
  chargeback?.stands === true && chargeback.openedAt >= receivedAt;

/** The alert with the chargeback of its payment; null if nothing about that is new. */
export const withChargebackOf = (alert: Alert, chargeback: AlertChargeback): Alert | null => {
  const { chargeback: before } = alert;
  const isKnown = before?.id === chargeback.id && before.stands === chargeback.stands;
  return isKnown ? null : { ...alert, chargeback, version: alert.version + 1 };
};

/** The alert with the refund of its payment from before it was received; null if that is known. */
export const withEarlierRefund = (alert: Alert, refundedBefore: EarlierRefund): Alert | null =>
  alert.refundedBefore ? null : { ...alert, refundedBefore, version: alert.version + 1 };
