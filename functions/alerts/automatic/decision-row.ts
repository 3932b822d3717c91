import type { Facts } from '../../conditions/fact-values.ts';
import { dueKeys, keys } from '../../core/keys.ts';
import type { Item, Write } from '../../core/table.ts';
import type { ChargePlace, GatewayTransaction } from './gateway-transaction.ts';
import type { Rule } from './rule.ts';

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

/** The part of a transaction by which it goes on being owed. Its condition fails if it is not as it was read. */
export const waitingDecisionWrite = (
  { alertId, sid }: { alertId: number; sid: number },
  before: Waiting | undefined,
  waiting: Waiting,
): Write => ({
  Put: {
    Item: {
      ...{ ...keys.decision(alertId), entity: 'DECISION', id: alertId, sid, waiting, nextAt: waiting.nextAt },
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

/** Reads what a decision that is owed waits for. */
export const fromDecisionItem = (item: Item): Waiting | undefined => item['waiting'] as Waiting | undefined;

/** The part of a transaction that ends it. Its condition fails if somebody else was faster. */
export const decidedWrite = (alertId: number): Write => ({
  Delete: { Key: keys.decision(alertId), ConditionExpression: 'attribute_exists(pk)' },
});

/** A refund that was begun: by which rule, on which facts, of which transaction. */
export type BegunRefund = {
  rule: Rule;
  facts: Facts;
  shadows: readonly Rule[];
  transaction: GatewayTransaction;
  /** Absent: it was taken here. */
  place?: ChargePlace;
  /** How much, in canonical decimals. Rows of before 2026-11-22 have none: they refund the alert's amount. */
  refund?: RefundAmount;
};

/** `isPart`: less than is disputed. */
export type RefundAmount = { amount: string; currency: string; isPart: boolean };

export const fromRefundItem = (item: Item | undefined): BegunRefund | undefined =>
  item?.['begun'] as BegunRefund | undefined;

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
    Put: {
      Item: { ...keys.refund(alertId), entity: 'REFUND', begun },
      ConditionExpression: 'attribute_not_exists(pk)',
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
