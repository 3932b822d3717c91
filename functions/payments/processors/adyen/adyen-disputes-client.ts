import { txidOfReference } from '../merchant-reference.ts';
import type { DisputesOf } from '../ports/account.ts';
import { disputeOfNotices } from './adyen-disputes.ts';
import { adyenMemory } from './adyen-store.ts';
import { isReversed } from './adyen-webhook.ts';

/** The disputes that Adyen's webhooks reported: it cannot be asked. */
export const adyenDisputesOf: DisputesOf = ({ scope }) => {
  const memory = adyenMemory(scope);
  return {
    look: async (reference) => {
      const dispute = disputeOfNotices(reference, (await memory.recall(reference)).notices);
      const ours = dispute?.merchantReference ?? '';
      if (!dispute || txidOfReference(ours) === null) return { found: dispute ?? null };
      return { found: { ...dispute, isGivenBack: isReversed((await memory.recall(ours)).notices) } };
    },
  };
};
