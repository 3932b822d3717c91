import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { transact } from '#core/platform/table/table.ts';
import { sendAll } from '#core/platform/work/queue-store.ts';
import { acceptLoss, type Chargeback, isBeingSubmitted, isChargebackOver, whyTooLate } from './chargeback.ts';
import { chargebackForCaller } from './chargeback-access-store.ts';
import { chargebackDue } from './chargeback-due.ts';
import { chargebackWrite } from './chargeback-row.ts';

type Accepting = {
  also?: (chargeback: Chargeback) => Chargeback;
  isMeant?: (chargeback: Chargeback, at: string) => boolean;
};

/**
 * Accepts a chargeback: it is no longer contested. The row records it and is due; the message only makes it faster. `also`: adds to the
 * chargeback that is recorded. `isMeant`: whether it still is what the caller has decided about, as it is when it is recorded. Throws
 * chargeback_not_found, chargeback_over, changed_meanwhile.
 */
export const acceptForCaller = async (
  id: string,
  caller: Caller,
  { also = (one) => one, isMeant = () => true }: Accepting = {},
): Promise<Chargeback> => {
  const chargeback = await retryOnConflict(
    async () => {
      const before = await chargebackForCaller(id, caller);
      if (before.accepted) return before;
      if (isChargebackOver(before)) throw new Refusal('chargeback_over', whyTooLate(before, nowIso()) ?? '');
      if (isBeingSubmitted(before, nowIso()))
        throw new Refusal('changed_meanwhile', 'Its evidence is being submitted.');
      if (!isMeant(before, nowIso())) throw new Refusal('changed_meanwhile', 'It was contested or decided meanwhile.');
      const after = acceptLoss(before, caller.subject, nowIso());
      if (!after) return before;
      await transact({ chargeback: chargebackWrite({ ...also(after), version: after.version }) });
      return after;
    },
    { onExhausted: changedMeanwhile },
  );
  await sendAll([chargebackDue.message({ chargebackId: id })]);
  return chargeback;
};
