import * as v from 'valibot';
import type { Facts } from '../../conditions/fact-values.ts';
import { dueKeys, keys } from '../../core/keys.ts';
import { defineRow } from '../../core/row.ts';
import type { Item, Write } from '../../core/table.ts';
import type { ChargePlace, GatewayTransaction } from './gateway-transaction.ts';
import type { MatchedRule } from './rule.ts';

/**
 * The part of a transaction by which an alert owes it that its rules are asked: a row that stands in the due index until
 * they were. Whatever is lost on the way, the sweep finds it.
 */
export const newDecisionWrite = (alertId: number, sid: number, at: string): Write => ({
  Put: {
    Item: { ...keys.decision(alertId), entity: 'DECISION', id: alertId, sid, ...dueKeys('DECISION', at, alertId) },
  },
});

/** Why a decision is still owed: a processor could not be asked. `isNotified`: the merchant has been told of the alert. */
export type Waiting = { isNotified: boolean; tries: number; nextAt: string };

const DecisionRow = defineRow<Waiting>({
  entity: 'DECISION',
  attribute: 'waiting',
  fields: { isNotified: v.boolean(), tries: v.number(), nextAt: v.string() },
});

/** The part of a transaction by which it goes on being owed. Its condition fails if it is not as it was read. */
export const waitingDecisionWrite = (
  { alertId, sid }: { alertId: number; sid: number },
  before: Waiting | undefined,
  waiting: Waiting,
): Write => ({
  Put: {
    Item: {
      ...{ ...keys.decision(alertId), ...DecisionRow.stamp, id: alertId, sid, waiting, nextAt: waiting.nextAt },
      ...dueKeys('DECISION', waiting.nextAt, alertId),
    },
    ...(before
      ? {
          ConditionExpression: '#nextAt = :nextAt',
          ExpressionAttributeNames: { '#nextAt': 'nextAt' },
          ExpressionAttributeValues: { ':nextAt': before.nextAt },
        }
      : { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(nextAt)' }),
  },
});

/** The part by which the rules are asked once more about an alert that its merchant knows of. Its condition fails if that is owed. */
export const askedAnewWrite = (alertId: number, sid: number, at: string): Write => ({
  Put: {
    Item: {
      ...{ ...keys.decision(alertId), ...DecisionRow.stamp, id: alertId, sid, nextAt: at },
      waiting: { isNotified: true, tries: 0, nextAt: at } satisfies Waiting,
      ...dueKeys('DECISION', at, alertId),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** The part that writes one that is owed as it was read. Its condition fails if it is owed no more. */
export const stillOwedWrite = (item: Item): Write => ({
  Put: { Item: item, ConditionExpression: 'attribute_exists(pk)' },
});

/** Reads what a decision that is owed waits for. */
export const fromDecisionItem = DecisionRow.find;

/** The part of a transaction that ends it. Its condition fails if somebody else was faster. */
export const decidedWrite = (alertId: number): Write => ({
  Delete: { Key: keys.decision(alertId), ConditionExpression: 'attribute_exists(pk)' },
});

/** A refund that was begun: by which rule, on which facts, of which transaction. */
export type BegunRefund = {
  rule: MatchedRule;
  facts: Facts;
  shadows: readonly MatchedRule[];
  transaction: GatewayTransaction;
  /** Absent: it was taken here. */
  place?: ChargePlace;
  /** How much, in canonical decimals. Rows of before 2026-11-22 have none: they refund the alert's amount. */
  refund?: RefundAmount;
};

/** `isPart`: less than is disputed. */
export type RefundAmount = { amount: string; currency: string; isPart: boolean };

const RefundRow = defineRow<BegunRefund>({
  entity: 'REFUND',
  attribute: 'begun',
  fields: {
    rule: v.object({ id: v.number(), version: v.number() }),
    facts: v.object({}),
    shadows: v.array(v.unknown()),
    transaction: v.object({}),
  },
});

export const fromRefundItem = RefundRow.find;

/**
 * The part of a transaction that names an alert's refund of a payment that was taken here. Its condition fails while there is one at
 * the merchant's own processor that has not failed: an alert's money is given back in one place.
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

/** The refund of a payment that was taken here, of the row of an alert's refund; null: there was none. */
export const refundedHereOf = (item: Item | undefined): number | null => {
  const here = item?.[hereAttribute];
  return typeof here === 'number' ? here : null;
};

/** The condition of a refund elsewhere; `failed`: the refund here that came to nothing, if there was one. */
export const notRefundedHere = (failed: number | null) =>
  failed === null
    ? { condition: 'attribute_not_exists(#here)', names: { '#here': hereAttribute }, values: {} }
    : { condition: '#here = :here', names: { '#here': hereAttribute }, values: { ':here': failed } };

const hereAttribute = 'refundTxid';
const noneElsewhere = '(attribute_not_exists(#refund) OR #refund.#state = :failed)';
const elsewhereNames = { '#refund': 'refund', '#state': 'state' };

const keptSeconds = 3 * 86_400;

/**
 * The parts of a transaction that begin a refund: what it was decided on, and one more of the site's refunds of the day.
 * The first one's condition fails if it was begun before, the second one's if the day has had as many as it may.
 */
export const beginRefundWrites = (
  { alertId, sid }: { alertId: number; sid: number },
  begun: BegunRefund,
  day: { day: string; most: number },
): [Write, Write] => [
  {
    Update: {
      Key: keys.refund(alertId),
      UpdateExpression: 'SET #entity = :entity, #schemaVersion = :schemaVersion, #begun = :begun',
      ConditionExpression: `attribute_not_exists(#begun) AND ${noneElsewhere}`,
      ExpressionAttributeNames: {
        ...elsewhereNames,
        ...{ '#entity': 'entity', '#schemaVersion': 'schemaVersion', '#begun': 'begun' },
      },
      ExpressionAttributeValues: {
        ...{ ':entity': RefundRow.stamp.entity, ':schemaVersion': RefundRow.stamp.schemaVersion },
        ...{ ':begun': begun, ':failed': 'failed' },
      },
    },
  },
  dailyRefundWrite(sid, day),
];

/** The part that counts one more of a site's refunds of the day. Its condition fails if that has had as many as it may. */
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
