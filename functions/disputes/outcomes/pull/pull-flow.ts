import { milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { describeError, log, writeMetric } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { ingestMessage } from '#disputes/alerts/intake/ingest-store.ts';
import { quarantining } from '#disputes/alerts/quarantine/quarantine-store.ts';
import { providerA } from '#disputes/providers/provider-a.ts';
import { alertIdIn } from '#disputes/providers/provider-a-ethoca.ts';
import { type AlertSource, PullError } from './alert-source-client.ts';

/** As many as the Outcome API accepts in one request; the limit of `size` is not public. */
const batchSize = 25;
/** A backlog is fetched over several minutes. */
const maxBatches = 8;

const keepUnread = quarantining(providerA.name);

/**
 * Stores a fetched alert as one that was sent: its id makes both the same case. One that cannot be read is kept in the quarantine.
 * Returns whether it is stored.
 */
const storeAlert = async (alert: Record<string, unknown>): Promise<boolean> => {
  try {
    await ingestMessage(providerA.name, alert);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'request_invalid') {
      await keepUnread(error, { rawBody: JSON.stringify(alert) });
      return true;
    }
    log('error', 'pulled_alert_not_stored', { error: describeError(error) });
    return false;
  }
};

/**
 * Fetches alerts, stores them, and only then acknowledges them: the network offers again what a killed run did not acknowledge.
 * Throws PullError.
 */
export const pullAlerts = async (source: AlertSource): Promise<void> => {
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const alerts = await source.list(batchSize);
    const stored = await Promise.all(alerts.map(storeAlert));
    const ids = alerts.flatMap((alert, index) => (stored[index] ? (alertIdIn(alert) ?? []) : []));
    if (ids.length > 0) await source.acknowledge([...new Set(ids)]);
    if (stored.includes(false)) throw new PullError('Not every alert could be stored');
    if (alerts.length < batchSize || ids.length === 0) return;
  }
};

/** Older slots belong to a backlog of messages, of which the newest one fetches everything. */
const oldestSlot = 2 * milliseconds.minute;
const longestPause = 15 * milliseconds.minute;

/** The failures in succession, and when the next attempt may be made. A new instance of the function begins without them. */
let failures = 0;
let pausedUntil = 0;

/**
 * Pulls once a minute. After a failure it waits as long as the network asks for, otherwise a minute, then twice as long each time, 15 minutes
 * at most. Each minute that passes without a successful attempt counts for the alarm `alert-pulls-failing`.
 */
export const pullAtSlot = async (slot: string, connect: () => Promise<AlertSource>): Promise<void> => {
  const now = nowMilliseconds();
  if (Date.parse(slot) < now - oldestSlot) return;
  if (pausedUntil > now) return countFailure();
  try {
    await pullAlerts(await connect());
    failures = 0;
    pausedUntil = 0;
  } catch (error) {
    if (!(error instanceof PullError)) throw error;
    failures += 1;
    const requested = error.pauseSeconds === null ? undefined : error.pauseSeconds * 1000;
    // A few seconds less, so that the slot at the end of the pause is not missed.
    const pause =
      Math.min(longestPause, requested ?? 2 ** (failures - 1) * milliseconds.minute) - 5 * milliseconds.second;
    pausedUntil = now + pause;
    log('error', 'alert_pull_failed', { failures, error: describeError(error) });
    countFailure();
  }
};

const countFailure = (): void =>
  writeMetric({ name: 'AlertPullsFailed', value: 1, unit: 'Count', dimensions: { Provider: providerA.name } });
