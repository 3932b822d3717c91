import { iso, milliseconds } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { log, writeMetric } from '#core/platform/log/log.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { requireVersion } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItems, type Item, putItem, tryTransact } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { type NetworkOutcome, outcomeIdsOf } from '#disputes/alerts/answer/network-outcome.ts';
import { fromOutcomeItem, toOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import type { ChangeSource } from '#disputes/alerts/history/history.ts';
import { fromStoredCaseName } from '#disputes/alerts/intake/case-name-store.ts';
import { outcomeWithLease } from './outcome-changes.ts';
import { findEffects, type OutcomeAlarm } from './outcome-effects.ts';
import { outcomeChangeWrites } from './outcome-row.ts';

/** An alert with all its outcomes, in order. */
export type Line = { alert: Alert; outcomes: readonly NetworkOutcome[] };

/** Longer than the sending function can run, shorter than its queue's visibility timeout. */
const leaseMilliseconds = 75 * milliseconds.second;

/** The alerts, none twice, with their outcomes: two reads for a batch. Those without any are left out. */
export const readLines = async (alertIds: readonly number[]): Promise<ReadonlyMap<number, Line>> => {
  const alerts = (await getItems(alertIds.map((id) => keys.alert(id)))).flatMap((item) =>
    item ? [fromAlertItem(item)] : [],
  );
  const owed = alerts.map((alert) => ({ alert, ids: outcomeIdsOf(alert) }));
  const items = await getItems(owed.flatMap(({ ids }) => ids.map((id) => keys.outcome(id))));
  const found = new Map(items.flatMap((item) => (item ? [[String(item['id']), fromOutcomeItem(item)] as const] : [])));
  return new Map(
    owed.flatMap(({ alert, ids }) => {
      const outcomes = ids.flatMap((id) => found.get(id) ?? []);
      return outcomes.length > 0 ? [[alert.alertId, { alert, outcomes }] as const] : [];
    }),
  );
};

/** The providers' own names of alerts, by our numbers. */
export const readCaseIds = async (alertIds: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const items = await getItems([...new Set(alertIds)].map((id) => keys.alert(id)));
  const named = items.flatMap((item) => (item ? [fromAlertItem(item)] : []));
  return new Map(
    await Promise.all(
      named.map(async ({ alertId, providerAlert }) => [alertId, await fromStoredCaseName(providerAlert)] as const),
    ),
  );
};

/** A change of an outcome: as it was read, and as it will be. */
export type OutcomeChange = { before: NetworkOutcome; after: NetworkOutcome };

/**
 * Writes changes of an alert's outcomes and their effects, all or nothing. Throws ConditionFailedError if one of them
 * changed meanwhile.
 */
export const saveChanges = async (...change: Parameters<typeof trySaveChanges>): Promise<void> => {
  const conflict = await trySaveChanges(...change);
  if (conflict) throw conflict;
};

const trySaveChanges = (
  alert: Alert,
  changes: readonly OutcomeChange[],
  at: string,
  source: ChangeSource | null = null,
) => {
  const context = { alert, at, number: newTimedId, operations: optional('OPERATIONS_MAIL') ?? null, source };
  // Before the write: a crash in between raises the alarm once too often, which is better than never.
  for (const { before, after } of changes) for (const alarm of findEffects(before, after).alarms) ring(alarm, after);
  const writes = changes.map(({ before, after }) => outcomeChangeWrites(before, after, context));
  return tryTransact({
    outcomes: writes.map(({ outcome }) => outcome),
    effects: writes.flatMap(({ effects }) => effects),
  });
};

const metrics = {
  refused: 'RefusedOutcomes',
  expired: 'ExpiredOutcomes',
  late: 'LateOutcomes',
} as const satisfies Record<OutcomeAlarm, string>;

const ring = (alarm: OutcomeAlarm, { id, alertId, provider, sid, mid, state, error }: NetworkOutcome): void => {
  log('error', `outcome_${alarm}`, { outcomeId: id, alertId, provider, sid, mid, state, error });
  writeMetric({ name: metrics[alarm], value: 1, unit: 'Count', dimensions: { Provider: provider } });
};

/** Leases an outcome for an attempt, as it was read; undefined if it was changed or leased meanwhile. */
export const leaseOutcome = async (
  outcome: NetworkOutcome,
  attemptId: string,
  at: string,
): Promise<NetworkOutcome | undefined> => {
  const leased = outcomeWithLease(outcome, attemptId, iso(Date.parse(at) + leaseMilliseconds));
  try {
    await putItem(toOutcomeItem(leased), requireVersion(outcome.version));
    return leased;
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    // This same write, whose answer was lost.
    const held = outcomeHeldBy(error.item, attemptId);
    return held === 'recorded' ? undefined : held;
  }
};

/**
 * Writes the result of an attempt: one transaction, unless the outcome was changed while it ran. An attempt whose lease was over,
 * and whose outcome another attempt has leased since, leaves no trace but a log line.
 */
export const recordNetworkOutcome = (
  alert: Alert,
  leased: NetworkOutcome,
  attemptId: string,
  then: (outcome: NetworkOutcome) => NetworkOutcome,
  at: string,
): Promise<void> => {
  let outcome = leased;
  return retryOnConflict(async () => {
    const conflict = await trySaveChanges(alert, [{ before: outcome, after: then(outcome) }], at);
    if (!conflict) return;
    const held = outcomeHeldBy(conflict.itemOf('outcomes'), attemptId);
    if (held === 'recorded') return;
    if (held === undefined) {
      log('warn', 'attempt_overtaken', { outcomeId: leased.id, attemptId });
      return;
    }
    outcome = held;
    throw conflict;
  });
};

/** The outcome while this attempt still holds it; `recorded` if the attempt is in it already: the answer was lost. */
const outcomeHeldBy = (item: Item | undefined, attemptId: string): NetworkOutcome | 'recorded' | undefined => {
  const outcome = item && fromOutcomeItem(item);
  if (outcome?.attempts.some(({ id }) => id === attemptId)) return 'recorded';
  return outcome?.lease?.attemptId === attemptId ? outcome : undefined;
};
