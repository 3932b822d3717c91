import { isNotified, statusUpdatesOf } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, transact } from '#core/platform/table/table.ts';
import { type Alert, isOpen } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { answerWrites } from '#disputes/alerts/answer/answer-row.ts';
import type { Rule } from '#disputes/alerts/automatic/rule.ts';
import { newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { cancelWrite, fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { alertWrites, factsFor, siteAndRules } from './decide-store.ts';
import { evaluate } from './evaluate-rules.ts';
import { answersEarlier } from './refund-plan.ts';
import { earlierRefundAnswer, handle, notRefunded } from './rule-decision.ts';

/**
 * Answers an open alert whose payment has been charged back with 952.002, if the rule that decides it refunds and does not leave
 * that to the merchant. Answers of a merchant, a rule or a refund under way stand; for an alert whose rules have not been asked yet,
 * the rules will find the chargeback.
 */
export const answerChargedBack = (alertId: number): Promise<void> => retryOnConflict(() => answerOnce(alertId));

const answerOnce = async (alertId: number): Promise<void> => {
  const [item, owed, begun, deliveryItem] = await getItems([
    keys.alert(alertId),
    keys.decision(alertId),
    keys.refund(alertId),
    keys.delivery(newAlertDeliveryId(alertId)),
  ]);
  const alert = item && fromAlertItem(item);
  if (!alert?.owner || owed || begun || !isOpen(alert) || alert.update !== null || alert.withdrawnAt !== null) return;
  const { site, rules } = await siteAndRules(alert, alert.owner);
  const decision = await decisionFor(alert, rules);
  if (!decision) return;
  const at = nowIso();
  const answer = earlierRefundAnswer('already_charged_back', alert.chargeback?.openedAt);
  const outcome = notRefunded('already_charged_back', { answer });
  const { alert: after, update } = handle(alert, decision, outcome, at);
  if (!update) return;
  const wants = { wantsStatus: isNotified(statusUpdatesOf(site.alert), after.status), number: newTimedId(), at };
  const delivery = deliveryItem && fromDeliveryItem(deliveryItem);
  await transact({
    alert: alertWrites(alert, after, at),
    answer: answerWrites(after, update, wants),
    delivery: delivery?.state === 'PENDING' ? cancelWrite(delivery, at) : undefined,
  });
};

const decisionFor = async (alert: Alert, rules: readonly Rule[]) => {
  if (rules.length === 0) return undefined;
  const facts = await factsFor(alert, rules);
  const { decided, shadows } = await evaluate(rules, facts);
  return decided && answersEarlier(decided.action) ? { rule: decided, facts, shadows } : undefined;
};
