import { iso, milliseconds } from '../core/clock.ts';
import { spreadDelay } from '../notifications/delay.ts';
import type { DeliveryMessage } from '../notifications/messages.ts';
import { slotHours } from '../notifications/policy.ts';

/**
 * A site whose endpoint hung at a slot of the sweep. At such a slot very much may be owed at once, and each delivery that hangs keeps
 * nine others and a function for as long as an endpoint is given: so the site's others wait until the rest is through. Pure.
 */
export type Hanging = { sid: number; slot: string; until: string };

const { minute, hour } = milliseconds;
/** So long a site is taken to hang. */
const heldFor = 4 * minute;
/** After the slot nobody is put off for longer: well before what a queue may hold up the last attempt of a delivery. */
const latest = 10 * minute;

/** Whether it is one of the hours at which everything owed is tried. */
export const isOfSweep = (slot: string): boolean => {
  const time = Date.parse(slot);
  return time % hour === 0 && slotHours.includes(new Date(time).getUTCHours());
};

/** What is noted of a site that hung; undefined: nobody would be put off by it. `at`: ISO. */
export const hangingAfter = (sid: number, slot: string, at: string): Hanging | undefined =>
  isOfSweep(slot) && Date.parse(at) < Date.parse(slot) + latest
    ? { sid, slot, until: iso(Date.parse(at) + heldFor) }
    : undefined;

/** The delay (seconds) of a delivery that has to wait, as its site hung at the same slot; undefined: it is attempted. `now`: ISO. */
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
