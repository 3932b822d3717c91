import * as v from 'valibot';
import { longestDelaySeconds } from '#core/platform/work/delay.ts';
import type { Outgoing } from '#core/platform/work/due.ts';

/** A schedule that evaluates a chargeback's rules at a time (ISO). Only a schedule's message has `isFiring`. */
export const WakeUpMessage = v.object({
  chargebackId: v.string(),
  wakeAt: v.string(),
  isFiring: v.optional(v.literal(true)),
});

/** Evaluate the rules of this chargeback, if that is due. */
export const ChargebackRulesMessage = v.object({ chargebackId: v.string() });

export const rulesMessage = (chargebackId: string, at: string): Outgoing => ({
  ...{ queue: 'chargeback-rules', body: { chargebackId }, at },
});

/** The message that has a chargeback's rules evaluated at a time: at once if a queue can hold it back for so long, else by a schedule. */
export const wakeUpMessage = (chargebackId: string, at: string, now: string): Outgoing =>
  Date.parse(at) - Date.parse(now) <= longestDelaySeconds * 1000
    ? rulesMessage(chargebackId, at)
    : { queue: 'deadline', body: { chargebackId, wakeAt: at } };

/** The task of the worker of schedules: it sends the message on if the time has come, else it sets the schedule. */
export const wakeUpStep = (
  { chargebackId, wakeAt, isFiring }: v.InferOutput<typeof WakeUpMessage>,
  now: string,
): { send: Outgoing } | { scheduleAt: string } => {
  const message = wakeUpMessage(chargebackId, wakeAt, now);
  return isFiring || message.queue !== 'deadline'
    ? { send: rulesMessage(chargebackId, wakeAt) }
    : { scheduleAt: wakeAt };
};
