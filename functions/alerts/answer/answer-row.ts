import type { Write } from '../../core/table.ts';
import type { Alert } from '../alert.ts';
import { alertNotificationWrite } from '../outbox/alert-notification-row.ts';
import { statusUpdateForm } from '../outbox/payload.ts';
import type { AlertUpdate } from './alert-update.ts';
import { createOutcome } from './outcome.ts';
import { newOutcomeWrite } from './outcome-row.ts';

/**
 * The parts of a transaction that go with an accepted update, besides the alert itself: what its provider is owed now and, for
 * a merchant who wants it, the status update. Where there is a provider to be told, that waits for it. `alert` is as the update
 * leaves it; `number`: one from `newTimedId`, to name a notification by; `at`: ISO.
 */
export const answerWrites = (
  alert: Alert,
  update: AlertUpdate,
  { wantsStatus, number, at }: { wantsStatus: boolean; number: number; at: string },
): Write[] => {
  const outcome = createOutcome(alert, update, wantsStatus, at);
  if (outcome) return [newOutcomeWrite(outcome)];
  if (!wantsStatus) return [];
  // Nobody but us is to be told, so all is done with the update itself.
  const body = statusUpdateForm(alert.alertId, update, at, { acceptedAt: at, why: null });
  return [alertNotificationWrite({ kind: 'status_update', alert, number, body, at })];
};
