import * as v from 'valibot';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { GatewayTransactionShape, MatchEvidenceDtoShape } from '#disputes/alerts/stored-shapes.ts';
import type { MatchEvidenceDto } from '#disputes/matching/match.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import { decisionDue } from './decision-due.ts';
import type { ChargePlace, GatewayTransaction } from './gateway-transaction.ts';
import type { MatchedRule } from './rule.ts';
import { MatchedRuleShape } from './rule-row.ts';

/**
 * The part of a transaction that makes the evaluation of an alert's rules due: a row that stays in the due index until they
 * are evaluated. If a message is lost, the sweep finds the row.
 */
export const newDecisionWrite = (alertId: number, sid: number, at: string): Write => ({
  Put: {
    Item: { ...keys.decision(alertId), entity: 'DECISION', id: alertId, sid, ...decisionDue.keys(at, alertId) },
  },
});

/** A decision that is still due, because a processor could not be asked. `isNotified`: the merchant has been notified of the alert. */
export type Waiting = { isNotified: boolean; tries: number; nextAt: string };
const DecisionRow = defineRow<Waiting>({
  entity: 'DECISION',
  attribute: 'waiting',
  schema: v.looseObject({ isNotified: v.boolean(), tries: v.number(), nextAt: v.string() }),
});

/** The part of a transaction that postpones the decision. Its condition fails if the row has changed since it was read. */
export const waitingDecisionWrite = (
  { alertId, sid }: { alertId: number; sid: number },
  before: Waiting | undefined,
  waiting: Waiting,
): Write => ({
  Put: {
    Item: {
      ...keys.decision(alertId),
      ...DecisionRow.stamp,
      id: alertId,
      sid,
      waiting,
      nextAt: waiting.nextAt,
      ...decisionDue.keys(waiting.nextAt, alertId),
    },
    ...dueStillAt(before?.nextAt),
  },
});

/** Each postponement is to another time, so that time tells whether the row has changed. Undefined: it was never postponed. */
const dueStillAt = (nextAt: unknown) =>
  nextAt === undefined
    ? { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(nextAt)' }
    : {
        ConditionExpression: '#nextAt = :nextAt',
        ExpressionAttributeNames: { '#nextAt': 'nextAt' },
        ExpressionAttributeValues: { ':nextAt': nextAt },
      };

/** The part that makes the rules due once more for an alert that its merchant knows of. Its condition fails if they are due already. */
export const askedAnewWrite = (alertId: number, sid: number, at: string): Write => ({
  Put: {
    Item: {
      ...keys.decision(alertId),
      ...DecisionRow.stamp,
      id: alertId,
      sid,
      nextAt: at,
      waiting: { isNotified: true, tries: 0, nextAt: at } satisfies Waiting,
      ...decisionDue.keys(at, alertId),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** The part that writes a due decision back unchanged. Its condition fails if that is no longer due, or was postponed since it was read. */
export const stillOwedWrite = (item: Item): Write => ({ Put: { Item: item, ...dueStillAt(item['nextAt']) } });

/** Reads a decision that is due. */
export const fromDecisionItem = DecisionRow.find;

/** The part of a transaction that ends a due decision. Its condition fails if another process was faster. */
export const decidedWrite = (alertId: number): Write => ({
  Delete: { Key: keys.decision(alertId), ConditionExpression: 'attribute_exists(pk)' },
});

/** A refund that was begun, with the rule, the facts and the transaction. */
export type BegunRefund = {
  rule: MatchedRule;
  facts: Facts;
  shadows: readonly MatchedRule[];
  transaction: GatewayTransaction;
  /** Absent: the payment was taken here. */
  place?: ChargePlace;
  /** The evidence for the transaction. */
  match?: MatchEvidenceDto;
  /** The amount, in canonical decimals. Rows from before 2026-11-22 have none: they refund the alert's amount. */
  refund?: RefundAmount;
};

/** `isPart`: less than the disputed amount. */
export type RefundAmount = { amount: string; currency: string; isPart: boolean };

const RefundRow = defineRow<BegunRefund>({
  entity: 'REFUND',
  attribute: 'begun',
  schema: v.looseObject({
    rule: MatchedRuleShape,
    facts: v.record(v.string(), v.nullable(v.union([v.boolean(), v.string(), v.number()]))),
    shadows: v.array(MatchedRuleShape),
    transaction: GatewayTransactionShape,
    place: v.exactOptional(v.looseObject({ connection: v.string(), reference: v.string(), isSettled: v.boolean() })),
    match: v.exactOptional(MatchEvidenceDtoShape),
    refund: v.exactOptional(v.looseObject({ amount: v.string(), currency: v.string(), isPart: v.boolean() })),
  }),
});

export const fromRuleRefundItem = RefundRow.find;

/**
 * The part of a transaction that records an alert's refund of a payment taken here. Its condition fails if there is a refund at the
 * merchant's own processor that has not failed: an alert is refunded in one place only.
 */
export const refundedHereWrite = (alertId: number, txid: number): Write => ({
  Update: {
    Key: keys.refund(alertId),
    UpdateExpression: 'SET #entity = :entity, #here = :txid',
    ConditionExpression: noneElsewhere,
    ExpressionAttributeNames: { ...elsewhereNames, '#entity': 'entity', '#here': hereAttribute },
    ExpressionAttributeValues: { ':entity': 'REFUND', ':txid': txid, ':failed': 'failed' },
  },
});

/** The refund of a payment taken here, from the row of an alert's refund; null: there was none. */
export const refundedHereOf = (item: Item | undefined): number | null => {
  const here = item?.[hereAttribute];
  return typeof here === 'number' ? here : null;
};

/** The fields of a refund at the merchant's own processor that show whether it was made. */
const RefundAtConnectionRow = defineRow<{ state: string; amount: string; currency: string }>({
  entity: 'REFUND',
  attribute: 'refund',
  schema: v.looseObject({ state: v.string(), amount: v.string(), currency: v.string() }),
});

/** The refund at the merchant's own processor, from the row of an alert's refund; undefined: none was begun. */
export const refundAtConnectionOf = RefundAtConnectionRow.find;

/** The condition of a refund elsewhere; `failed`: the failed refund here, if there was one. */
export const notRefundedHere = (failed: number | null) =>
  failed === null
    ? { condition: 'attribute_not_exists(#here)', names: { '#here': hereAttribute }, values: {} }
    : { condition: '#here = :here', names: { '#here': hereAttribute }, values: { ':here': failed } };

/** A condition check in a transaction: it fails once an alert's refund at the merchant's own processor has failed. */
export const refundStandsWrite = (alertId: number): Write => ({
  ConditionCheck: {
    Key: keys.refund(alertId),
    ConditionExpression: 'attribute_not_exists(#refund) OR #refund.#state <> :failed',
    ExpressionAttributeNames: elsewhereNames,
    ExpressionAttributeValues: { ':failed': 'failed' },
  },
});

const hereAttribute = 'refundTxid';
const noneElsewhere = '(attribute_not_exists(#refund) OR #refund.#state = :failed)';
const elsewhereNames = { '#refund': 'refund', '#state': 'state' };

const keptSeconds = 3 * 86_400;

/** The part of a transaction that records what a refund was decided on. Its condition fails if it was begun before. */
export const begunRefundWrite = (alertId: number, begun: BegunRefund): Write => ({
  Update: {
    Key: keys.refund(alertId),
    UpdateExpression: 'SET #entity = :entity, #schemaVersion = :schemaVersion, #begun = :begun',
    ConditionExpression: `attribute_not_exists(#begun) AND ${noneElsewhere}`,
    ExpressionAttributeNames: {
      ...elsewhereNames,
      '#entity': 'entity',
      '#schemaVersion': 'schemaVersion',
      '#begun': 'begun',
    },
    ExpressionAttributeValues: {
      ':entity': RefundRow.stamp.entity,
      ':schemaVersion': RefundRow.stamp.schemaVersion,
      ':begun': begun,
      ':failed': 'failed',
    },
  },
});

/** The part that counts one more refund of a site for the day. Its condition fails if the day's limit is reached. */
export const dailyRefundWrite = (sid: number, { day, most }: { day: string; most: number }): Write => ({
  Update: {
    Key: keys.dailyRefunds(sid, day),
    UpdateExpression: 'SET entity = :entity, #ttl = :ttl ADD #n :one',
    ConditionExpression: ':most > :none AND (attribute_not_exists(#n) OR #n < :most)',
    ExpressionAttributeNames: { '#n': 'n', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':entity': 'DAILYREFUNDS',
      ':ttl': Math.floor(Date.parse(`${day}T00:00:00Z`) / 1000) + keptSeconds,
      ':one': 1,
      ':none': 0,
      ':most': most,
    },
  },
});
