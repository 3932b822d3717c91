import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem, isNotified, statusUpdatesOf } from '#accounts/merchants/site/site-row.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { log, metric } from '#core/platform/log/log.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, type Item, type Write } from '#core/platform/table/table.ts';
import { newAlertDeliveryId, oweAnew } from '#messaging/webhooks/delivery/delivery.ts';
import { cancelWrite, changedDeliveryWrite, fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import type { RefundAnswer } from '#payments/transactions/transaction/transaction.ts';
import type { Alert } from '../alert.ts';
import { fromAlertItem } from '../alert-row.ts';
import { stillOwedWrite } from '../automatic/decision-row.ts';
import { entryOfChange } from '../history/history.ts';
import { changedAlertWrites } from '../history/history-row.ts';
import { changedHoldWrite, fromHoldItem, newHoldWrite } from '../hold-row.ts';
import { refundFailedMail } from '../outbox/alert-mail.ts';
import { changeMailWrites, untoldNotificationWrites } from '../outbox/alert-notification-row.ts';
import { newAlertForm } from '../outbox/alert-payload.ts';
import type { AlertUpdate } from './alert-update.ts';
import { answerWrites } from './answer-row.ts';
import { isUntold, type NetworkOutcome, outcomeIdOf, toldProvider, withdrawOutcome } from './network-outcome.ts';
import { changedOutcomeWrite, fromOutcomeItem } from './network-outcome-row.ts';
import { isAnswerable, reopenAlert, waitingAnswer } from './refund-answer.ts';
import { applyUpdate } from './update.ts';

/** The rows needed to answer an alert: the alert, its first notification, and its site. */
export const answerKeys = ({ alertId, sid }: Pick<RefundAnswer, 'alertId' | 'sid'>) =>
  [keys.alert(alertId), keys.delivery(newAlertDeliveryId(alertId)), keys.site(sid)] as const;

/** The rows of `answerKeys`, as they were read. */
export type AnswerRows = readonly (Item | undefined)[];

/** The other changes of an alert by its answer. */
export type ChangeOfAlert = (alert: Alert) => Partial<Pick<Alert, 'automatic' | 'action'>>;
const noChange: ChangeOfAlert = () => ({});

/** An alert after an answer was applied to it, and the parts of a transaction that write that. */
export type AnsweredAlert = { alert: Alert; writes: readonly Write[] };

/**
 * The parts of a transaction that answer an alert by its refund; undefined where it no longer takes an answer, or already has this
 * one: it then stays as it is. `change`: what else the answer changes. `at`: ISO.
 */
export const answerByRefund = (
  [item, deliveryItem, siteItem]: AnswerRows,
  { alertId, by }: Pick<RefundAnswer, 'alertId' | 'by'>,
  update: AlertUpdate,
  at: string,
  change: ChangeOfAlert = noChange,
): AnsweredAlert | undefined => {
  const before = item && fromAlertItem(item);
  if (!before) throw new Error(`Alert ${alertId} of a refund is gone`);
  if (!isAnswerable(before)) return undefined;
  const applied = applyUpdate(before, update, new Set(), at);
  if (!applied) return undefined;
  const after = { ...applied, ...change(before) };
  const delivery = deliveryItem && fromDeliveryItem(deliveryItem);
  const isWanted = siteItem !== undefined && isNotified(statusUpdatesOf(fromSiteItem(siteItem).alert), after.status);
  const entry = entryOfChange(before, after, 'answered by refund', at, { by, via: 'refund' });
  const isFinal = update.status === 'RESOLVED';
  return {
    alert: after,
    writes: [
      ...changedAlertWrites(after, entry),
      ...(isFinal && delivery?.state === 'PENDING' ? [cancelWrite(delivery, at)] : []),
      ...answerWrites(after, update, {
        wantsStatus: isWanted && after.status !== before.status,
        number: newTimedId(),
        at,
      }),
    ],
  };
};

/** The same for an unanswered alert while the result of its refund is unknown. */
export const awaitRefund = (
  rows: AnswerRows,
  answer: Pick<RefundAnswer, 'alertId' | 'by'>,
  at: string,
  change: ChangeOfAlert = noChange,
): AnsweredAlert | undefined => {
  const [item] = rows;
  const isUntouched = item !== undefined && fromAlertItem(item).status === 'OPEN';
  return isUntouched ? answerByRefund(rows, answer, waitingAnswer, at, change) : undefined;
};

/**
 * The parts that return an alert to its merchant after the refund that answered it has failed. If the network was not told yet, the
 * alert is open again; if it was, the answer cannot be withdrawn, so there is an alarm and a line in the history. `isAnswered`:
 * whether the alert's answer is this refund's. `at`: ISO.
 */
export const refundFailedWrites = async (
  alertId: number,
  isAnswered: (alert: Alert) => boolean,
  reason: string,
  at: string,
): Promise<Write[]> => {
  const item = await getItem(keys.alert(alertId));
  const alert = item && fromAlertItem(item);
  if (alert?.status !== 'RESOLVED' || alert.withdrawnAt !== null || !isAnswered(alert)) return [];
  const told = toldProvider(alert);
  const outcome = told === null ? undefined : await lastOutcome(alert, told);
  const source = { by: reason, via: 'refund' } as const;
  if (outcome && !isUntold(outcome)) {
    log('error', 'refund_failed_after_answer', { alertId, reason, outcomeId: outcome.id });
    metric('RefundsFailedAfterAnswer', 1, 'Count');
    const after = { ...alert, version: alert.version + 1 };
    return changedAlertWrites(after, entryOfChange(alert, after, 'refund failed', at, source));
  }
  const after = reopenAlert(alert, at, told !== null);
  const site = await readAlertSite(after);
  return [
    ...changedAlertWrites(after, entryOfChange(alert, after, 'refund failed', at, source)),
    ...(outcome ? [changedOutcomeWrite(withdrawOutcome(outcome))] : []),
    ...answerWrites(after, after.update, {
      wantsStatus: site !== undefined && isNotified(statusUpdatesOf(site.alert), after.status),
      number: newTimedId(),
      at,
    }),
    await holdWrite(alertId, at),
    ...(await notificationWrites(after, site, at)),
    ...(site ? changeMailWrites(site, refundFailedMail(after), at) : []),
  ];
};

/** A payment that the alert still holds stays named: its next answer may come before anybody looks for it, and has to release it. */
const holdWrite = async (alertId: number, at: string): Promise<Write> => {
  const hold = fromHoldItem(await getItem(keys.disputeHold(alertId)));
  return hold ? changedHoldWrite(hold, hold, hold.since) : newHoldWrite(alertId, at);
};

const readAlertSite = async ({ owner }: Alert): Promise<Site | undefined> => {
  const item = owner === null ? undefined : await getItem(keys.site(owner.sid));
  return item && fromSiteItem(item);
};

/**
 * Updates the first notification, which no longer states that the alert was refunded. The merchant must answer now, so it is due again if
 * they may have received it in its old form: delivered, under way, or sent to an endpoint that did not accept it. If there is none, because
 * the site had no settings for alerts when the alert arrived, it is created now.
 */
const notificationWrites = async (alert: Alert, site: Site | undefined, at: string): Promise<Write[]> => {
  const { alertId } = alert;
  const [item, owed] = await getItems([keys.delivery(newAlertDeliveryId(alertId)), keys.decision(alertId)]);
  const delivery = item && fromDeliveryItem(item);
  // Rules that are still to be asked tell the merchant themselves; if they have been meanwhile, they took the alert for answered.
  if (!delivery) return owed ? [stillOwedWrite(owed)] : untoldNotificationWrites(alert, site, at);
  const body = newAlertForm(alert);
  const wasSent = delivery.state !== 'PENDING' || delivery.lease !== null || delivery.attempts.length > 0;
  const hasUrl = typeof site?.alert?.alertapiurl === 'string';
  const after =
    wasSent && hasUrl ? oweAnew(delivery, body, `${delivery.id}_${alert.version}`, at) : { ...delivery, body };
  return [changedDeliveryWrite(delivery, after)];
};

const lastOutcome = async (
  { alertId, outcomes }: Alert,
  provider: NetworkOutcome['provider'],
): Promise<NetworkOutcome | undefined> => {
  const [item] = await getItems([keys.outcome(outcomeIdOf(provider, alertId, outcomes))]);
  return item && fromOutcomeItem(item);
};
