import { milliseconds } from '../core/clock.ts';
import { defaultDeadlineHours, type Site } from '../merchants/site.ts';
import type { AlertType } from '../providers/provider-alert.ts';
import type { ProviderAlert } from '../providers/providers.ts';
import type { AlertUpdate } from './answer/alert-update.ts';
import type { Automatic } from './automatic/automatic.ts';

export const alertActions = ['REFUND', 'CANCEL', 'REVIEW', 'MATCHED', 'RESOLVED', 'DECLINED'] as const;
export type AlertAction = (typeof alertActions)[number];

/**
 * OPEN until the merchant says something; INFORM for informational alerts, which ask for nothing. RDR_DELETE and REVOKED
 * are set by a provider that takes its case back. The rest is the merchant's to send.
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

/** Whose alert it is; names as they were when it was matched. */
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

export type Alert = {
  alertId: number;
  providerAlert: ProviderAlert;
  /** ISO; when the notice came in. */
  receivedAt: string;
  action: AlertAction;
  status: AlertStatus;
  /** Null while it stands in the unmatched inbox. */
  owner: AlertOwner | null;
  /** Why nobody owns it, or did not at first. */
  unmatchedBecause: 'no_match' | 'tie' | null;
  /** When it was given to its site, if that was after it came in: its deadline counts from then. */
  assignedAt: string | null;
  /** The first alert about the same transaction, if this is not it. */
  duplicateOf: number | null;
  /** The last update that was accepted, and when. */
  update: AlertUpdate | null;
  updatedAt: string | null;
  /** ISO, in whole seconds; null: no answer is awaited. */
  deadlineAt: string | null;
  /** When event alert_deadline was owed; null: not yet. */
  warnedAt: string | null;
  deadlinePassed: boolean;
  /** Whether an update came after the deadline. */
  late: boolean;
  /** When the provider took the case back. */
  withdrawnAt: string | null;
  /** What its provider said last that it had not said before; null: nothing. `before`: the amounts it had, where something in it changed. */
  revision: { event: 'changed' | 'reopened'; at: string; before: string | null } | null;
  /** What automatic rules made of it; null if none matched, or none was asked. */
  automatic: Automatic | null;
  /** How many outcomes its provider is or was owed: see alerts/outcome.ts. */
  outcomes: number;
  /** The chargeback of its payment, once its issuer has raised one; null: none is known. */
  chargeback: AlertChargeback | null;
  /** Goes up with every write; a write says which one it saw. */
  version: number;
};

export const informationalTypes = ['FRAUD_NOTICE', 'DISPUTE_NOTICE'] as const satisfies readonly AlertType[];

/** Whether an alert of this type only informs: it takes no outcome, has no deadline and is nobody's duplicate. */
export const isInformational = (type: AlertType): boolean => informationalTypes.some((one) => one === type);

/** Whether an answer is still awaited. */
export const isOpen = ({ status }: Pick<Alert, 'status'>): boolean =>
  status === 'OPEN' || status === 'WIP' || status === 'OTHER';

/**
 * What an alert has to do with the payment it is about: while an answer is awaited, what is left of that is kept for it; what
 * a network has refunded by itself is never to be refunded again, unless it is taken back. Null: nothing, or no more.
 */
export const holdReason = (
  alert: Pick<Alert, 'providerAlert' | 'status' | 'withdrawnAt'>,
): 'dispute' | 'network' | null => {
  const { providerAlert, withdrawnAt } = alert;
  if (providerAlert.test || withdrawnAt !== null) return null;
  if (isOpen(alert)) return 'dispute';
  return providerAlert.type === 'DISPUTE_RDR' && providerAlert.decision === 'ACCEPTED' ? 'network' : null;
};

/** What the merchant must do; for a network-decided refund, what was done. */
export const actionOf = ({ type, decision }: ProviderAlert, site: Site | null): AlertAction => {
  if (type === 'DISPUTE_RDR') return decision === 'DECLINED' ? 'DECLINED' : 'RESOLVED';
  if (type === 'CANCEL') return 'CANCEL';
  if (type === 'FRAUD') return 'REFUND';
  return isInformational(type) ? 'REVIEW' : (site?.alert?.default_dispute_action ?? 'REFUND');
};

/** How an alert of this kind begins. */
export const firstStatus = ({ type, decision }: ProviderAlert): AlertStatus => {
  if (type === 'DISPUTE_RDR') return decision === 'DECLINED' ? 'DECLINED' : 'RESOLVED';
  return isInformational(type) ? 'INFORM' : 'OPEN';
};

/**
 * When the answer is due: the site's hours after a time (ISO), in whole seconds because that is what schedules count in. Null
 * for types that ask for none.
 */
export const deadlineOf = (type: AlertType, from: string, site: Site): string | null => {
  if (type !== 'FRAUD' && type !== 'DISPUTE' && type !== 'CANCEL') return null;
  const hours = (site.alert?.deadline_hours ?? defaultDeadlineHours)[type];
  const due = Date.parse(from) + hours * milliseconds.hour;
  return new Date(due - (due % milliseconds.second)).toISOString();
};

const ownerOf = (site: Site, matchedDescriptor: string): AlertOwner => ({
  mid: site.mid,
  rid: site.rid,
  sid: site.sid,
  siteName: site.name,
  retailerName: site.retailerName,
  descriptorId: site.alert?.descriptorid ?? '',
  matchedDescriptor,
});

/** To whom an alert goes: a site with the enrolled text that matched, or why to none. */
export type Ownership = { site: Site; matchedDescriptor: string } | { unmatchedBecause: 'no_match' | 'tie' };

/** A new alert, as yet known to be nobody's duplicate. */
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
    action: actionOf(providerAlert, null),
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
  return 'site' in ownership ? given(unowned, ownership.site, ownership.matchedDescriptor) : unowned;
};

/** The alert as the site's own. */
const given = (alert: Alert, site: Site, matchedDescriptor: string): Alert => ({
  ...alert,
  owner: ownerOf(site, matchedDescriptor),
  action: actionOf(alert.providerAlert, site),
  deadlineAt: isOpen(alert) ? deadlineOf(alert.providerAlert.type, alert.assignedAt ?? alert.receivedAt, site) : null,
});

/** An alert from the inbox after it was given to a site at a time (ISO). */
export const assignOwner = (alert: Alert, site: Site, matchedDescriptor: string, at: string): Alert => ({
  ...given({ ...alert, assignedAt: at }, site, matchedDescriptor),
  version: alert.version + 1,
});

/**
 * The alert after its provider took the case back. What the merchant already did about a case stands; a network's own
 * refund is undone whatever its status.
 */
export const withdraw = (alert: Alert, at: string): Alert => {
  const isNetworkDecision = alert.providerAlert.type === 'DISPUTE_RDR';
  const stands = !isNetworkDecision && (alert.status === 'RESOLVED' || alert.status === 'DECLINED');
  return {
    ...alert,
    status: isNetworkDecision ? 'RDR_DELETE' : stands ? alert.status : 'REVOKED',
    withdrawnAt: at,
    version: alert.version + 1,
  };
};

/** Whether it did not prevent what it warned of: a chargeback that was raised after it and stands. */
export const isLost = ({ chargeback, receivedAt }: Pick<Alert, 'chargeback' | 'receivedAt'>): boolean =>
  chargeback?.stands === true && chargeback.openedAt >= receivedAt;

/** The alert with what is known of its payment's chargeback; null if that is nothing new. */
export const withChargebackOf = (alert: Alert, chargeback: AlertChargeback): Alert | null => {
  const { chargeback: before } = alert;
  const isKnown = before?.id === chargeback.id && before.stands === chargeback.stands;
  return isKnown ? null : { ...alert, chargeback, version: alert.version + 1 };
};
