import * as v from 'valibot';
import { nullableTexts, numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import { changedRow, type Item, newRow, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { AlertUpdateShape } from '#disputes/alerts/stored-shapes.ts';
import { type NetworkOutcome, outcomeSweptFrom, visitAt } from './network-outcome.ts';
import { outcomeDue } from './outcome-due.ts';

/** The entity under which outcomes are listed. */
export const outcomeEntity = 'OUTCOME';

/** `lease` is absent rather than null; older rows have no `hasUnknownAttempt`. */
type Kept = Omit<NetworkOutcome, 'lease' | 'hasUnknownAttempt'> &
  Partial<Pick<NetworkOutcome, 'lease' | 'hasUnknownAttempt'>>;
const OutcomeRow = defineRow<Kept>({
  entity: outcomeEntity,
  attribute: null,
  schema: v.looseObject({
    ...numbers('number', 'mid', 'sid', 'version', 'alertId', 'attemptCount'),
    ...texts('state', 'createdAt', 'id', 'provider', 'caseId', 'startedAt', 'expiresAt'),
    isFinal: v.boolean(),
    update: AlertUpdateShape,
    sent: AlertUpdateShape,
    ...nullableTexts('nextAttemptAt', 'statusDueAt', 'lateAt', 'acceptedAt', 'error'),
    attempts: v.array(
      v.looseObject({
        ...texts('id', 'at', 'result'),
        status: v.nullable(v.number()),
        error: v.nullable(v.string()),
      }),
    ),
    mark: v.nullable(v.looseObject({ by: v.string(), at: v.string(), note: v.string() })),
    lease: v.exactOptional(v.nullable(v.looseObject({ attemptId: v.string(), until: v.string() }))),
    hasUnknownAttempt: v.exactOptional(v.boolean()),
  }),
});

/** An outcome as lists show it, names as on the wire. */
export const toOutcomeSummary = (outcome: NetworkOutcome) => ({
  id: outcome.id,
  alert_id: outcome.alertId,
  provider: outcome.provider,
  provider_case_id: outcome.caseId,
  sid: outcome.sid,
  mid: outcome.mid,
  state: outcome.state,
  final: outcome.isFinal,
  status: outcome.update.status,
  reason_code: outcome.update.reason_code,
  created_at: outcome.createdAt,
  sent_at: outcome.attempts.at(-1)?.at ?? null,
  accepted_at: outcome.acceptedAt,
  next_attempt_at: outcome.nextAttemptAt,
  expires_at: outcome.expiresAt,
  attempts: outcome.attemptCount,
  error: outcome.error,
});

export type NetworkOutcomeSummary = ReturnType<typeof toOutcomeSummary>;

/**
 * Checks whether the outcome awaits its first attempt, which follows at once because no other outcome precedes it: until then it is found
 * only through its alert. See docs/decisions/0064.
 */
const isUntried = ({ state, number, attemptCount }: NetworkOutcome): boolean =>
  state === 'PENDING' && number === 1 && attemptCount === 0;

/** `visitAt` is also stored outside of the outcome, for readers of the stream; `lease` is absent rather than null, for conditions. */
export const toOutcomeItem = (outcome: NetworkOutcome): Item => {
  const { id, sid, mid, alertId, createdAt, state, provider, lease, ...rest } = outcome;
  const sweptFrom = outcomeSweptFrom(outcome);
  return {
    ...keys.outcome(id),
    ...OutcomeRow.stamp,
    ...(!isUntried(outcome) && {
      ...listKeys(
        outcomeEntity,
        ['all', `M${mid}`, null, `S${sid}`],
        facetOf(state, provider),
        listPosition(createdAt, id),
      ),
      summary: toOutcomeSummary(outcome),
    }),
    ...(sweptFrom !== null && outcomeDue.keys(sweptFrom, id)),
    ...(visitAt(outcome) !== null && { visitAt: visitAt(outcome) }),
    id,
    sid,
    mid,
    alertId,
    createdAt,
    state,
    provider,
    ...rest,
    ...(lease !== null && { lease }),
  };
};

/** Reads an outcome back. */
export const fromOutcomeItem = (item: Item): NetworkOutcome => {
  const row = OutcomeRow.read(item);
  return {
    id: row.id,
    alertId: row.alertId,
    number: row.number,
    provider: row.provider,
    caseId: row.caseId,
    sid: row.sid,
    mid: row.mid,
    isFinal: row.isFinal,
    update: row.update,
    sent: row.sent,
    state: row.state,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    expiresAt: row.expiresAt,
    nextAttemptAt: row.nextAttemptAt,
    statusDueAt: row.statusDueAt,
    lateAt: row.lateAt,
    lease: row.lease ?? null,
    attempts: row.attempts,
    attemptCount: row.attemptCount,
    hasUnknownAttempt: row.hasUnknownAttempt ?? row.attempts.some(({ result }) => result === 'unknown'),
    acceptedAt: row.acceptedAt,
    error: row.error,
    mark: row.mark,
    version: row.version,
  };
};

/** The part of a transaction that creates an outcome for a provider. Its condition fails if the identifier is taken. */
export const newOutcomeWrite = (outcome: NetworkOutcome): Write => newRow(toOutcomeItem(outcome));

/** The part of a transaction that changes an outcome. Its condition fails if the row has changed since it was read. */
export const changedOutcomeWrite = (outcome: NetworkOutcome): Write =>
  changedRow(toOutcomeItem(outcome), outcome.version - 1);
