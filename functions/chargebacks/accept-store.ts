import { nowIso } from '../core/clock.ts';
import { changedMeanwhile, retryOnConflict } from '../core/conflict-store.ts';
import { Refusal } from '../core/errors.ts';
import type { Caller } from '../core/operation.ts';
import { transact } from '../core/table.ts';
import { sendAll } from '../notifications/queue-store.ts';
import { chargebackForCaller } from './access-store.ts';
import { accept, type Chargeback, isOver } from './chargeback.ts';
import { chargebackWrite } from './chargeback-row.ts';

/**
 * Accepts a chargeback: it is no longer contested. The row says so and is due; the message only makes the processor be told sooner. Throws
 * chargeback_not_found, chargeback_over, changed_meanwhile.
 */
export const acceptForCaller = async (id: string, caller: Caller): Promise<Chargeback> => {
  const chargeback = await retryOnConflict(
    async () => {
      const before = await chargebackForCaller(id, caller);
      if (before.accepted) return before;
      if (isOver(before)) throw new Refusal('chargeback_over', `It is ${before.status}.`);
      const after = accept(before, caller.subject, nowIso());
      if (!after) return before;
      await transact([chargebackWrite(after)]);
      return after;
    },
    { onExhausted: changedMeanwhile },
  );
  await sendAll([{ queue: 'chargebacks', body: { chargebackId: id } }]);
  return chargeback;
};
