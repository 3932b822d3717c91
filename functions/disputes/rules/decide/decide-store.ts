import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem, isNotified, statusUpdatesOf } from '#accounts/merchants/site/site-row.ts';
import { latest, nowIso } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItem, getItems, transact, type Write } from '#core/platform/table/table.ts';
import { isEarly } from '#core/platform/work/delay.ts';
import { type Alert, type AlertOwner, isOpen } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { answerWrites } from '#disputes/alerts/answer/answer-row.ts';
import {
  type BegunRefund,
  decidedWrite,
  fromDecisionItem,
  fromRuleRefundItem,
  refundedHereOf,
  refundStandsWrite,
  type Waiting,
  waitingDecisionWrite,
} from '#disputes/alerts/automatic/decision-row.ts';
import { type RefundPort, RefundStateUnknownError } from '#disputes/alerts/automatic/refund-port.ts';
import { matchedRule, type Rule, rulesInForce } from '#disputes/alerts/automatic/rule.ts';
import { fromBookItem, ownerName, ownersOf, subjectOfAlert } from '#disputes/alerts/automatic/rule-row.ts';
import { entryOfChange } from '#disputes/alerts/history/history.ts';
import { changedAlertWrites, sameAlertWrite } from '#disputes/alerts/history/history-row.ts';
import { adviceMail } from '#disputes/alerts/outbox/advice-mail.ts';
import {
  answeredNotificationWrites,
  changeMailWrites,
  newAlertNotificationWrites,
} from '#disputes/alerts/outbox/alert-notification-row.ts';
import type { AlertRefund } from '#disputes/refunds/refund.ts';
import { fromRefundItem as fromRefundRow } from '#disputes/refunds/refund-row.ts';
import { newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { cancelWrite, fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { isTransactionFinal } from '#payments/transactions/transaction/transaction.ts';
import { changedTransactionWrite, transactionStandsWrite } from '#payments/transactions/transaction/transaction-row.ts';
import { getTransaction } from '#payments/transactions/transaction/transaction-store.ts';
import { volumeSubjectOf } from '../volume/volume.ts';
import { countVolumes, readVolumeRows, type VolumeCache, volumeFacts } from '../volume/volume-store.ts';
import { alertFactsOf, caseFactsAsked, earlierDisputesOf, type Facts, toSource, volumesAsked } from './alert-facts.ts';
import { readCaseFacts } from './case-fact-store.ts';
import { type Wait, waitAfter } from './decision-wait.ts';
import { evaluate } from './evaluate-rules.ts';
import { connectionUnavailable } from './refund-plan.ts';
import {
  type Handled,
  handle,
  notRefunded,
  pendingRefund,
  type RefundOutcome,
  recordDecision,
  recordNoDecision,
} from './rule-decision.ts';
import { doExtrasFor, refundFor, resumeRefund } from './rule-refund-store.ts';

type Owed = {
  alert: Alert;
  site: Site;
  rules: readonly Rule[];
  /** The refund that the rules have begun, and the one at the merchant's own processor, whether rules or people began it. */
  begun: BegunRefund | undefined;
  refund: AlertRefund | undefined;
  /** The refund of a payment that was taken here. */
  refundTxid: number | null;
  /** The wait so far. */
  waiting: Waiting | undefined;
};

/**
 * Evaluates the rules of an alert for which they are due, does what they decide, and writes all of it in one transaction: the alert with
 * its outcome and reasons, the site's notices, and that nothing is due any more. Called again it does nothing; after a crash it goes on.
 * `isLastTry`: any failure now leaves the alert to its merchant rather than undecided. Returns when to call again (ISO), if it was called
 * before what it waits for.
 */
export const decideAlert = (alertId: number, port: RefundPort, isLastTry: boolean): Promise<string | undefined> =>
  retryOnConflict(async () => {
    const owed = await readOwed(alertId);
    if (!owed) return undefined;
    const { waiting } = owed;
    if (waiting && isEarly(waiting.nextAt, nowIso())) return waiting.nextAt;
    await transact({ decision: await settle(owed, port, isLastTry) });
    return undefined;
  });

/** Reads everything on which a decision is based; undefined if none is due. */
const readOwed = async (alertId: number): Promise<Owed | undefined> => {
  const [owed, item, refund] = await getItems([keys.decision(alertId), keys.alert(alertId), keys.refund(alertId)]);
  if (!owed) return undefined;
  const [alert, waiting] = [item && fromAlertItem(item), fromDecisionItem(owed)];
  if (!alert?.owner) throw new Error(`Alert ${alertId} owes a decision but has no owner`);
  const { site, rules } = await siteAndRules(alert, alert.owner);
  const [atProcessor, refundTxid] = [fromRefundRow(refund)?.refund, refundedHereOf(refund)];
  return { alert, site, rules, begun: fromRuleRefundItem(refund), refund: atProcessor, refundTxid, waiting };
};

/** The site that an alert belongs to, and the rules in force for it there, in their order. */
export const siteAndRules = async (
  { alertId, providerAlert }: Alert,
  owner: AlertOwner,
): Promise<{ site: Site; rules: Rule[] }> => {
  const owners = ownersOf(owner, subjectOfAlert(providerAlert));
  const [site, ...books] = await getItems([
    keys.site(owner.sid),
    ...owners.map((one) => keys.ruleBook(ownerName(one))),
  ]);
  if (!site) throw new Error(`Site ${owner.sid} of alert ${alertId} is gone`);
  const rules = rulesInForce(
    owners.map((one, index) => fromBookItem(books[index], one)),
    providerAlert.provider,
  );
  return { site: fromSiteItem(site), rules };
};

/** Checks whether rules may still decide: not if the merchant has answered or the provider has taken the case back meanwhile. */
const isUndecided = (alert: Alert): boolean =>
  (isOpen(alert) || isWarning(alert)) && alert.update === null && alert.withdrawnAt === null;

const isWarning = ({ providerAlert }: Alert): boolean => subjectOfAlert(providerAlert) === 'warnings';

const settle = async (owed: Owed, port: RefundPort, isLastTry: boolean): Promise<Write[]> => {
  const { alert, site, begun } = owed;
  const at = nowIso();
  if (!isUndecided(alert)) {
    const notification = missedNotificationWrites(owed, at);
    // The merchant may have received it again at this moment, and must be notified then.
    if (!begun) return [decidedWrite(alert.alertId), sameAlertWrite(alert), ...notification];
    const outcome = await refundOrLeave(alert, isLastTry, () => resumeRefund(alert, begun, port));
    return [
      decidedWrite(alert.alertId),
      ...standingWrites(alert, outcome),
      ...alertWrites(alert, recordDecision(alert, begun, outcome), at),
      ...notification,
    ];
  }
  const {
    alert: after,
    update,
    beside = [],
  } = await decide(owed, port, at, isLastTry).catch(
    (error: unknown): Decided => leaveUndecided(alert, error, isLastTry),
  );
  const isUnavailable = after.automatic?.decision?.reason === connectionUnavailable;
  const wait = isUnavailable ? waitAfter(alert, owed.waiting, at) : undefined;
  if (wait) return waitWrites(owed, wait, at);
  return [
    decidedWrite(alert.alertId),
    ...beside,
    ...alertWrites(alert, after, at),
    ...adviceWrites(after, site, at),
    ...(owed.waiting?.isNotified ? [] : newAlertNotificationWrites(after, site, at)),
    ...(update
      ? answerWrites(after, update, {
          wantsStatus: isNotified(statusUpdatesOf(site.alert), after.status),
          number: newTimedId(),
          // A refund was made since, perhaps by a clock that is ahead: the network is notified once its time has come.
          at: latest(at, after.updatedAt),
        })
      : []),
    ...(await cancelNotification(owed, after, at)),
  ];
};

/** The e-mail about the effects of a rule on a warning, which the site was notified of before. */
const adviceWrites = (after: Alert, site: Site, at: string): Write[] => {
  const decision = isWarning(after) ? after.automatic?.decision : undefined;
  return decision && decision.action.type !== 'review' ? changeMailWrites(site, adviceMail(after, decision), at) : [];
};

/** The merchant was notified of the alert while its rules waited: a notification not yet delivered is not sent after the outcome. */
const cancelNotification = async (
  { waiting, alert: { alertId } }: Owed,
  after: Alert,
  at: string,
): Promise<Write[]> => {
  if (!waiting?.isNotified || isOpen(after) || isWarning(after)) return [];
  const item = await getItem(keys.delivery(newAlertDeliveryId(alertId)));
  const delivery = item && fromDeliveryItem(item);
  return delivery?.state === 'PENDING' ? [cancelWrite(delivery, at)] : [];
};

/**
 * Returns the notification of an alert that rules may no longer decide: if it is answered, one that is not sent; if a person began a refund
 * whose result is not known yet, it is still sent, as the alert is not over.
 */
const missedNotificationWrites = ({ alert, site, refund, refundTxid, waiting }: Owed, at: string): Write[] => {
  if (waiting?.isNotified) return [];
  const isAwaited = isOpen(alert) && alert.withdrawnAt === null && (refund !== undefined || refundTxid !== null);
  return isAwaited ? newAlertNotificationWrites(alert, site, at) : answeredNotificationWrites(alert, site, at);
};

/** The alert keeps waiting; once its merchant must not wait longer, they are notified as if there were no rules, to review it. */
const waitWrites = ({ alert, site, waiting: before }: Owed, { waiting, notifies }: Wait, at: string): Write[] => {
  const row = waitingDecisionWrite({ alertId: alert.alertId, sid: site.sid }, before, waiting);
  if (!notifies) return [row];
  const after: Alert = { ...alert, action: 'REVIEW', version: alert.version + 1 };
  const entry = entryOfChange(alert, after, 'rules wait', at, { by: 'rules', via: 'rules' });
  return [row, ...changedAlertWrites(after, entry), ...newAlertNotificationWrites(after, site, at)];
};

/** The parts of a transaction that write what rules made of an alert. */
export const alertWrites = (before: Alert, after: Alert, at: string): Write[] => {
  const { decision = null, shadows = [] } = after.automatic ?? {};
  const by = decision ? `rule ${decision.ruleId}` : 'rules';
  const event = decision ? ('decided by rule' as const) : ('matched by shadow rule' as const);
  const entry = entryOfChange(before, after, event, at, { by, via: 'rules' });
  const decisions = [...(decision ? [decision] : []), ...shadows];
  const [alertWrite, historyWrite] = changedAlertWrites(after, { ...entry, change: { ...entry.change, decisions } });
  return decisions.length > 0 ? [alertWrite, historyWrite] : [alertWrite];
};

/** `beside`: the condition that the refund is unchanged, or how one whose result is not known yet answers the alert once it is. */
type Decided = Handled & { beside?: readonly Write[] };

const decide = async (owed: Owed, port: RefundPort, at: string, isLastTry: boolean): Promise<Decided> => {
  const { alert, site, rules, begun } = owed;
  if (begun) {
    let later: readonly Write[] = [];
    const outcome = await refundOrLeave(alert, isLastTry, async () => {
      try {
        return await resumeRefund(alert, begun, port);
      } catch (error) {
        if (!isLastTry || !(error instanceof RefundStateUnknownError)) throw error;
        later = await answerLaterWrites(error.txid, alert, begun);
        // Its result came in just now, if anything.
        return later.length > 0 ? pendingRefund(begun) : await resumeRefund(alert, begun, port);
      }
    });
    const beside = [...later, ...standingWrites(alert, outcome)];
    return { ...handle(alert, begun, outcome, afterRefund(outcome)), beside };
  }
  const facts = await factsFor(alert, rules);
  const { decided, shadows } = await evaluate(rules, facts);
  if (!decided) return { alert: recordNoDecision(alert, shadows, facts), update: null };
  const wanted = { rule: matchedRule(decided), facts, shadows };
  const { action } = decided;
  const refund = await refundOrLeave(alert, isLastTry, async () =>
    action.type === 'refund'
      ? refundFor(alert, site, { ...wanted, before: owed.refund, here: owed.refundTxid }, port, at)
      : doExtrasFor(alert, wanted, port),
  );
  if (!refund) return handle(alert, wanted, null, at);
  return { ...handle(alert, wanted, refund, afterRefund(refund)), beside: standingWrites(alert, refund) };
};

/** That a refund has not failed since it was made: its bank may have sent it back while the alert had no answer yet to take back. */
const standingWrites = ({ alertId }: Alert, { refund, txid }: RefundOutcome): Write[] => {
  if (!refund) return [];
  return [txid === undefined ? refundStandsWrite(alertId) : transactionStandsWrite(txid)];
};

/** When a refund is answered: not before it was made, whichever clock gave that time. */
const afterRefund = ({ refund }: RefundOutcome): string => latest(nowIso(), refund?.payment_gateway_transaction_date);

/** The part by which a refund whose result is not known yet answers the alert once it is; none if it is known now. */
const answerLaterWrites = async (
  txid: number,
  { alertId, owner }: Alert,
  { rule, refund }: BegunRefund,
): Promise<Write[]> => {
  const transaction = await getTransaction(txid);
  // The refund of a warning answers nothing, and names no alert.
  if (!owner || !transaction || isTransactionFinal(transaction) || transaction.alertId === null) return [];
  const answer = { alertId, sid: owner.sid, by: `rule ${rule.id}`, isPart: refund?.isPart ?? false };
  return [changedTransactionWrite(transaction, { ...transaction, answer })];
};

/** Rules that cannot be asked must not keep the alert from its merchant either. */
const leaveUndecided = (alert: Alert, error: unknown, isLastTry: boolean): Handled => {
  if (!isLastTry || error instanceof ConditionFailedError) throw error;
  log('error', 'rules_failed', { alertId: alert.alertId, error: describeError(error) });
  return { alert: recordNoDecision(alert, [], {}), update: null };
};

/** A processor that keeps failing must not keep the alert from its merchant. */
const refundOrLeave = async <Outcome extends RefundOutcome | null>(
  { alertId }: Alert,
  isLastTry: boolean,
  refund: () => Promise<Outcome>,
): Promise<Outcome | RefundOutcome> => {
  try {
    return await refund();
  } catch (error) {
    // Another process was faster: the decision is made again from the new state.
    if (!isLastTry || error instanceof ConditionFailedError) throw error;
    log('error', 'refund_unclear', { alertId, error: describeError(error) });
    return notRefunded('refund_unclear');
  }
};

/**
 * The facts of an alert, with those of its case and the volumes that its rules ask for. The alert itself is counted first, so that each volume
 * includes it; it also includes what was counted of its hour meanwhile.
 */
export const factsFor = async (alert: Alert, rules: readonly Rule[]): Promise<Facts> => {
  const facts = { ...alertFactsOf(toSource(alert)), ...(await readCaseFacts(alert, caseFactsAsked(rules))) };
  const asked = volumesAsked(rules);
  const subject = volumeSubjectOf(alert);
  if (asked.length === 0 || !subject) return facts;
  await countVolumes([alert]);
  const cache: VolumeCache = new Map();
  const place = { subject, at: alert.receivedAt, currency: alert.providerAlert.currency };
  await readVolumeRows(asked, [place], cache);
  const volumes = volumeFacts(asked, place, cache);
  return { ...facts, ...volumes, ...earlierDisputesOf(volumes, !isWarning(alert)) };
};
