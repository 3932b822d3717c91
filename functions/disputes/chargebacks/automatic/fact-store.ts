import type { Caller } from '#core/platform/operation/operation.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import type { Chargeback } from '../chargeback.ts';
import { assembleEvidence } from '../evidence/assembled-evidence-store.ts';
import { chargebackFactsOf } from './chargeback-facts.ts';
import { type EstimateSources, estimateFor } from './estimate-store.ts';

/** A rule acts for its merchant. `name`: in histories. */
export const callerForRule = (mid: number, name: string): Caller => ({ scope: 'merchant', mid, subject: name });

/** The facts of a chargeback. `at`: ISO; `until`: ISO, what was decided later does not count for the chance to win. */
export const readChargebackFacts = async (
  chargeback: Chargeback,
  sources: EstimateSources,
  { at, until }: { at: string; until: string },
): Promise<Facts> => {
  const [assembled, estimate] = await Promise.all([
    assembleEvidence(chargeback, callerForRule(chargeback.mid, 'rules')),
    estimateFor(chargeback, sources, until),
  ]);
  return chargebackFactsOf(chargeback, assembled, estimate, at);
};
