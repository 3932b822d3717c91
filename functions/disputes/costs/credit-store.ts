import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { visibleAlert } from '#disputes/alerts/alert-store.ts';
import { type AlertCost, computedCredit } from '#disputes/alerts/cost/cost.ts';
import { costChange, refreshCost, saveCosts } from './cost-store.ts';
import { type CreditMove, moveCredit } from './credit.ts';

type CreditChange = { before: AlertCost['credit']; after: AlertCost['credit'] };

/**
 * Moves the credit of an alert to its next state. Throws alert_not_found also if the caller may not see the alert,
 * alert_not_paid_for, changed_meanwhile and what moveCredit refuses.
 */
export const setCreditFor = async (alertId: number, move: CreditMove, caller: Caller): Promise<CreditChange> => {
  const alert = await visibleAlert(alertId, caller);
  return retryOnConflict(
    async () => {
      const kept = await refreshCost(alertId);
      if (!kept) throw new Refusal('alert_not_paid_for', 'alert_id: a test alert, or one without a merchant.');
      const at = nowIso();
      const after = moveCredit(kept.cost, move, {
        isOperator: caller.scope === 'admin',
        who: caller.subject,
        at,
        computed: computedCredit(alert),
      });
      if (!after) return { before: kept.cost.credit, after: kept.cost.credit };
      await saveCosts([costChange(kept, after, at)]);
      return { before: kept.cost.credit, after: after.credit };
    },
    { onExhausted: changedMeanwhile },
  );
};
