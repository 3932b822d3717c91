import { iso, milliseconds } from '#core/kernel/clock.ts';
import { spreadDelay } from '#core/platform/work/delay.ts';
import type { DeliveryMessage } from '../delivery/delivery-due.ts';
import { slotHours } from '../delivery/delivery-policy.ts';

/**
 * A site whose endpoint hung at a slot of the sweep. Many deliveries may be due at such a slot, and each delivery that hangs blocks nine
 * others and a function until the endpoint's time is up: so the site's other deliveries wait until the rest is done. Pure.
 */
export type Hanging = { sid: number; slot: string; until: string };

const { minute, hour } = milliseconds;
/** The time for which a site is assumed to hang. */
const heldFor = 4 * minute;
/** No delivery is postponed for longer than this after the slot: well within a queue's longest delay of a delivery's last attempt. */
const latest = 10 * minute;

/** True for one of the hours at which everything pending is tried. */
const isOfSweep = (slot: string): boolean => {
  const time = Date.parse(slot);
  return time % hour === 0 && slotHours.includes(new Date(time).getUTCHours());
};

/** Returns the record of a site that hung; undefined if it would postpone no delivery. `at`: ISO. */
export const hangingAfter = (sid: number, slot: string, at: string): Hanging | undefined =>
  isOfSweep(slot) && Date.parse(at) < Date.parse(slot) + latest
    ? { sid, slot, until: iso(Date.parse(at) + heldFor) }
    : undefined;

/** The delay (seconds) of a delivery whose site hung at the same slot; undefined: it is attempted now. `now`: ISO. */
export const putOffFor = (
  { deliveryId, slot }: Pick<DeliveryMessage, 'deliveryId' | 'slot'>,
  hanging: Hanging | undefined,
  now: string,
): number | undefined => {
  if (!hanging || Date.parse(hanging.slot) !== Date.parse(slot) || hanging.until <= now) return undefined;
  const { delaySeconds } = spreadDelay(`${deliveryId} ${now}`);
  const attemptedAt = Date.parse(now) + delaySeconds * milliseconds.second;
  return attemptedAt <= Date.parse(slot) + latest ? delaySeconds : undefined;
};
