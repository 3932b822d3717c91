import { createMail, mailIdOf } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import type { Write } from '#core/platform/table/item.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';
import { changedOutcomeWrite, toOutcomeSummary } from '#disputes/alerts/answer/network-outcome-row.ts';
import type { ChangeSource } from '#disputes/alerts/history/history.ts';
import { outcomeHistoryWrite } from '#disputes/alerts/history/history-row.ts';
import { alertNotificationWrite } from '#disputes/alerts/outbox/alert-notification-row.ts';
import { statusUpdateForm } from '#disputes/alerts/outbox/alert-payload.ts';
import { findEffects, type ProviderWord } from './outcome-effects.ts';
import { failedOutcomeMail } from './outcome-mail.ts';

/** The context of an outcome's change. */
export type ChangeContext = {
  alert: Alert;
  /** ISO. */
  at: string;
  /** A new number for each thing that gets an identifier: `newTimedId`. */
  number: () => number;
  /** The e-mail address of this deployment's operators; null: they have none. */
  operations: string | null;
  /** The author of the change; null: the service, which reports failures only. */
  source: ChangeSource | null;
};

/**
 * The parts of a transaction that change an outcome, together with everything that must happen once: the merchant's status update
 * that waited for it, the e-mail to operations, the alert's history. The condition of `outcome` fails if it changed meanwhile.
 */
export const outcomeChangeWrites = (before: NetworkOutcome, after: NetworkOutcome, context: ChangeContext) => {
  const { alert, at, number, operations, source } = context;
  const { status, alarms } = findEffects(before, after);
  const hasFailed = alarms.some((alarm) => alarm !== 'late');
  return {
    outcome: changedOutcomeWrite(after),
    effects: [
      ...(status ? [statusWrite(alert, after, status, number(), at)] : []),
      ...(hasFailed && operations !== null ? [failureMail(alert, after, { operations, id: number(), at })] : []),
      ...(hasFailed || source ? [historyOfOutcome(before, after, context)] : []),
    ],
  };
};

const statusWrite = (
  alert: Alert,
  { sent, createdAt }: NetworkOutcome,
  word: ProviderWord,
  number: number,
  at: string,
): Write =>
  alertNotificationWrite({
    kind: 'status_update',
    alert,
    number,
    body: statusUpdateForm(alert.alertId, sent, createdAt, word),
    at,
  });

const failureMail = (
  alert: Alert,
  outcome: NetworkOutcome,
  { operations, id, at }: { operations: string; id: number; at: string },
): Write =>
  newMailWrite(
    createMail({
      id: mailIdOf(id),
      kind: 'outcome_failed',
      sid: outcome.sid,
      mid: outcome.mid,
      to: [operations],
      letter: failedOutcomeMail(alert, outcome),
      at,
    }),
  );

const historyOfOutcome = (
  before: NetworkOutcome,
  after: NetworkOutcome,
  { alert, at, source }: ChangeContext,
): Write => {
  const event = source
    ? after.mark
      ? ('outcome marked' as const)
      : ('outcome sent again' as const)
    : after.state === 'REFUSED'
      ? ('provider refused the outcome' as const)
      : ('outcome expired' as const);
  const entry = {
    at,
    ...(source ?? { by: after.provider, via: 'outcomes' as const }),
    change: {
      event,
      from: { provider_outcome: before.state },
      to: {
        provider_outcome: after.state,
        ...(after.error !== null && { error: after.error }),
        ...(source && after.mark && after.mark.note !== '' && { note: after.mark.note }),
      },
    },
  };
  return outcomeHistoryWrite(alert, after, entry);
};

/** An outcome as its details show it. */
export const toOutcomeDetailsDto = (outcome: NetworkOutcome) => ({
  ...toOutcomeSummary(outcome),
  alert_outcome_amount: outcome.update.alert_outcome_amount ?? null,
  alert_outcome_currency: outcome.update.alert_outcome_currency ?? null,
  alert_outcome_action_date: outcome.update.alert_outcome_action_date ?? null,
  comments: outcome.update.comments ?? null,
  marked: outcome.mark,
  attempt_list: outcome.attempts.map(({ at, result, status, error }) => ({ at, result, status, error })),
});
