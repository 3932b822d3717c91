import { nowIso } from '#core/kernel/clock.ts';
import type { Sender } from '#core/platform/post/sender.ts';
import { isEarly } from '#core/platform/work/delay.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { type DeliveryMessage, deliveryDue } from '../delivery/delivery-due.ts';
import { isDeliveryPending } from '../delivery/delivery-store.ts';
import { makeAttempt, readSitesNow } from './attempt-store.ts';
import { putOffFor } from './hanging-sites.ts';

type Message = Pick<DeliveryMessage, 'deliveryId' | 'slot' | 'sid' | 'behind'>;

/** The delay each time a delivery waits for one that must go before it. */
const behindSeconds = 5;

/**
 * Returns the function that makes the attempts of one batch, in parallel: duplicates among them count as one, and their sites are read in
 * one call, by the first that needs one. A delivery whose site hung at the same slot is postponed. `sids`: of all messages. The returned
 * function throws what `makeAttempt` throws.
 */
export const deliveryBatch = (sids: readonly number[], sender: Pick<Sender, 'post'>) => {
  let reading: ReturnType<typeof readSitesNow> | undefined;
  const readSite = async (sid: number) => {
    reading ??= readSitesNow(sids);
    return (await reading).get(sid);
  };
  const attempts = new Map<string, Promise<void>>();
  const begin = async ({ deliveryId, slot, sid, behind }: Message): Promise<void> => {
    const now = nowIso();
    if (behind !== undefined && (await isDeliveryPending(behind, now))) {
      const body = { deliveryId, slot, sid, behind };
      return sendOrThrow([deliveryDue.message(body, { delaySeconds: behindSeconds })]);
    }
    if (!isEarly(slot, now)) {
      const known = await readSite(sid);
      const delaySeconds = putOffFor({ deliveryId, slot }, known?.hanging, now);
      if (delaySeconds === undefined) return makeAttempt({ deliveryId, slot }, known?.site, sender);
      return sendOrThrow([deliveryDue.message({ deliveryId, slot, sid }, { delaySeconds })]);
    }
    // Slots may lie further ahead than a message can wait in one go.
    return sendOrThrow([deliveryDue.message({ deliveryId, slot, sid }, { at: slot })]);
  };
  return (message: Message): Promise<void> => {
    const name = `${message.deliveryId} ${message.slot}`;
    const running = attempts.get(name) ?? begin(message);
    attempts.set(name, running);
    return running;
  };
};
