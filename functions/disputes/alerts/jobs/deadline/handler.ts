import * as v from 'valibot';
import { DigestMessage } from '#accounts/auth/users/digest-due.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { queueHandler } from '#core/platform/work/batch.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { dropSchedules, setDigestSchedule, setSchedule, setWakeUpSchedule } from '../../deadline/deadline-client.ts';
import { DeadlineMessage } from '../../deadline/deadline-due.ts';
import { keepDeadline } from '../../deadline/deadline-store.ts';
import { WakeUpMessage, wakeUpStep } from '../../deadline/wake-up.ts';
import { keepDigest } from '../../digest/digest-store.ts';

export const handler = queueHandler(v.union([DeadlineMessage, DigestMessage, WakeUpMessage]), async (message) => {
  if ('digestOf' in message) {
    const nextAt = await keepDigest(message.digestOf, message.isFiring ?? false);
    if (nextAt !== null) await setDigestSchedule(message.digestOf, nextAt);
    return;
  }
  if ('wakeAt' in message) {
    const step = wakeUpStep(message, nowIso());
    return 'send' in step ? sendOrThrow([step.send]) : setWakeUpSchedule(message.chargebackId, step.scheduleAt);
  }
  const { alertId, phase } = message;
  const wanted = await keepDeadline(alertId, phase !== undefined);
  if (wanted === 'untouched') return;
  if (wanted === 'none') await dropSchedules(alertId);
  else await setSchedule(alertId, wanted.phase, wanted.at);
});
