import { nowIso } from '#core/kernel/clock.ts';
import { requireNew } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, putItem, queryItems, transact } from '#core/platform/table/table.ts';
import { fromAdyenDecisionItem, fromAdyenItems, noticeWrites, toDecisionItem } from './adyen-row.ts';
import type { AdyenMemory } from './adyen-webhook.ts';

/** The notices from a site's Adyen webhooks, in the table. `scope`: the site, so that no site can report another's payments. */
export const adyenMemory = (scope: string): AdyenMemory => ({
  remember: async (notices) => {
    // One transaction each: Adyen sends one notice a call, and a transaction may not hold an item twice.
    for (const notice of notices) await transact({ notice: noticeWrites(scope, notice, nowIso()) });
  },
  recall: async (reference) => {
    const { items } = await queryItems({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.adyenDecision(scope, reference).pk },
      ConsistentRead: true,
    });
    return fromAdyenItems(items);
  },
  decide: async (reference, decision) => {
    try {
      await putItem(toDecisionItem(scope, reference, decision, nowIso()), {
        ...requireNew,
      });
      return decision;
    } catch (error) {
      const standing = error instanceof ConditionFailedError ? fromAdyenDecisionItem(error.item) : null;
      if (standing === null) throw error;
      return standing;
    }
  },
});
