import type { Write } from '#core/platform/table/item.ts';
import type { Alert } from '../alert.ts';
import { alertNotificationWrite } from '../outbox/alert-notification-row.ts';
import { statusUpdateForm } from '../outbox/alert-payload.ts';
import type { AlertUpdate } from './alert-update.ts';
import { createOutcome } from './network-outcome.ts';
import { newOutcomeWrite } from './network-outcome-row.ts';

/**
 * The parts of a transaction for an accepted update, in addition to the alert itself: the outcome for its provider and, if the merchant
 * wants it, the status update, which waits for the provider if there is one to notify. `alert` is the alert after the update; `number`: one
 * from `newTimedId`, the notification's identifier; `at`: ISO.
 */
export const answerWrites = (
  alert: Alert,
  update: AlertUpdate,
  { wantsStatus, number, at }: { wantsStatus: boolean; number: number; at: string },
): Write[] => {
  const outcome = createOutcome(alert, update, wantsStatus, at);
  if (outcome) return [newOutcomeWrite(outcome)];
  if (!wantsStatus) return [];
  // No provider must be notified, so the status update can be sent immediately.
  const body = statusUpdateForm(alert.alertId, update, at, { acceptedAt: at, why: null });
  return [alertNotificationWrite({ kind: 'status_update', alert, number, body, at })];
};
