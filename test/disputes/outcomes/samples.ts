import type { Alert } from '#disputes/alerts/alert.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { createOutcome, type NetworkOutcome, type OutcomeAttempt } from '#disputes/alerts/answer/network-outcome.ts';
import { anAlert } from '#test/disputes/alerts/samples.ts';

/** The alert's own deadline is 24 hours after this. */
export const receivedAt = '2026-05-02T10:00:00.250Z';
export const answeredAt = '2026-05-02T11:00:00.000Z';

export const minutesAfter = (minutes: number, from = answeredAt): string =>
  new Date(Date.parse(from) + minutes * 60_000).toISOString();

export const resolved: AlertUpdate = { status: 'RESOLVED', reason_code: '100.001' };
export const inProgress: AlertUpdate = { status: 'WIP', reason_code: '999.002' };

/** An alert of provider_a that has had so many updates. */
export const answeredAlert = (outcomes: number, change: Partial<Alert> = {}): Alert => ({
  ...anAlert({ type: 'FRAUD' }),
  outcomes,
  ...change,
});

/** Creates the outcome of an update for provider_a. */
export const anOutcome = (
  number: number,
  update: AlertUpdate = resolved,
  change: Partial<NetworkOutcome> = {},
  alert: Partial<Alert> = {},
): NetworkOutcome => {
  const made = createOutcome(answeredAlert(number, alert), update, true, answeredAt);
  if (!made) throw new Error('It owes nothing');
  return { ...made, ...change };
};

export const anAttempt = (result: OutcomeAttempt['result'], at = answeredAt): OutcomeAttempt => ({
  id: `attempt-${at}`,
  at,
  result,
  status: result === 'accepted' ? 200 : 503,
  error: result === 'accepted' ? null : 'It answered 503',
});
