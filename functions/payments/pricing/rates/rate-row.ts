import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listNameOf, listPosition } from '#core/platform/lists/listing.ts';
import type { Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Rate } from './rate.ts';

const RateShape = v.looseObject(texts('from', 'to', 'rate', 'source', 'at', 'by'));

const rateEntity = 'RATE';

const RateRow = defineRow<Rate>({
  entity: rateEntity,
  attribute: 'rate',
  schema: RateShape,
});

const HistoryRow = defineRow<Rate>({
  entity: 'RATE_HISTORY',
  attribute: 'rate',
  schema: RateShape,
});

const ListedRow = defineRow<Rate>({
  entity: rateEntity,
  attribute: 'summary',
  schema: RateShape,
});

/** The list of all rates in force, on the index `list1`. It is not counted. */
export const ratesInForce = listNameOf(rateEntity, 'all');

/**
 * Parts of a transaction: a new rate in force, with its place in the history. The first part's condition fails if a rate of
 * the same moment or a later one is in force.
 */
export const rateWrites = (rate: Rate): Write[] => [
  {
    Put: {
      Item: {
        ...keys.currentRate(rate.from, rate.to),
        ...RateRow.stamp,
        ...listKeys(rateEntity, ['all'], facetOf(rate.from, rate.to), listPosition(rate.at, `${rate.from}-${rate.to}`)),
        summary: rate,
        rate,
      },
      ConditionExpression: 'attribute_not_exists(pk) OR #rate.#at < :at',
      ExpressionAttributeNames: { '#rate': 'rate', '#at': 'at' },
      ExpressionAttributeValues: { ':at': rate.at },
    },
  },
  { Put: { Item: { ...keys.rate(rate.from, rate.to, rate.at), ...HistoryRow.stamp, rate } } },
];

/** Reads a rate back, in force or past: both have the same form. */
export const fromRateItem = RateRow.find;

/** The same as a list index shows it. */
export const fromListedRate = ListedRow.read;
