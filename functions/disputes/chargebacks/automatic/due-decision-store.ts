import { nowIso } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, putItem } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { asksRules, ownerName, ownersOf } from '#disputes/alerts/automatic/rule-row.ts';
import { rulesMessage } from '#disputes/alerts/deadline/wake-up.ts';
import type { Chargeback } from '../chargeback.ts';
import { isDecidable } from './chargeback-decision.ts';
import { decisionItem, fromDueDecisionItem } from './chargeback-decision-row.ts';

/**
 * Makes the evaluation of a chargeback's rules due now, if it has any: after each look at it, so once a day at least. What was set rules out
 * nothing: a repeated evaluation of the same facts changes nothing.
 */
export const oweDecision = async (chargeback: Chargeback): Promise<void> => {
  const at = nowIso();
  if (!isDecidable(chargeback, at)) return;
  const heads = await getItems(ownersOf(chargeback, 'chargebacks').map((owner) => keys.ruleHead(ownerName(owner))));
  if (!heads.some(asksRules)) return;
  await putItem(decisionItem({ chargebackId: chargeback.id, nextAt: at }));
};

/** Sends the message that evaluates a chargeback's rules, if that is due or will be before the next sweep. */
export const wakeDecision = async (id: string): Promise<void> => {
  if (fromDueDecisionItem(await getItem(keys.chargebackDecision(id)))) await sendOrThrow([rulesMessage(id, nowIso())]);
};
