import * as v from 'valibot';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { chargebackDue } from '../chargeback-due.ts';

/** The pending evaluation of a chargeback's rules, and its time (ISO). */
export type DueDecision = { chargebackId: string; nextAt: string };

const DecisionRow = defineRow<DueDecision>({
  entity: 'CHARGEBACK_DECISION',
  attribute: 'decision',
  schema: v.looseObject({ chargebackId: v.string(), nextAt: v.string() }),
});

/** Sweeps begin at 00:00 and 12:00 UTC. */
const sweepMilliseconds = 12 * milliseconds.hour;

/** The last sweep before the time, which makes sure that the time is kept: the sweep after it would be too late. */
const sweptFrom = (nextAt: string): string =>
  iso(Math.floor(Date.parse(nextAt) / sweepMilliseconds) * sweepMilliseconds);

/**
 * It becomes due as its chargeback does: the look at that passes the evaluation on. A kind of its own would be one that the release before
 * does not know, and whose sweep would fail.
 */
export const decisionItem = (decision: DueDecision): Item => ({
  ...keys.chargebackDecision(decision.chargebackId),
  ...DecisionRow.stamp,
  id: decision.chargebackId,
  ...chargebackDue.keys(sweptFrom(decision.nextAt), decision.chargebackId),
  decision,
});

/** Reads one back. */
export const fromDueDecisionItem = DecisionRow.find;

const asRead = ({ nextAt }: DueDecision) => ({
  ConditionExpression: '#decision.#nextAt = :nextAt',
  ExpressionAttributeNames: { '#decision': 'decision', '#nextAt': 'nextAt' },
  ExpressionAttributeValues: { ':nextAt': nextAt },
});

/** The part of a transaction that evaluates the rules again at a time, or not again. Its condition fails if that was changed meanwhile. */
export const nextDecisionWrite = (before: DueDecision, nextAt: string | undefined): Write =>
  nextAt === undefined
    ? { Delete: { Key: keys.chargebackDecision(before.chargebackId), ...asRead(before) } }
    : { Put: { Item: decisionItem({ ...before, nextAt }), ...asRead(before) } };
