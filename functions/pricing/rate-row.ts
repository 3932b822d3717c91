import { keys } from '../core/keys.ts';
import { facetOf, listKeys, listOf, listPosition } from '../core/listing.ts';
import type { Item, Write } from '../core/table.ts';
import type { Rate } from './rate.ts';

/** The list of all rates in force, on the index `list1`. It is not counted. */
export const ratesInForce = listOf('RATE', 'all');

/**
 * Parts of a transaction: a new rate in force, with its place in the history. The first part's condition fails where a rate of
 * the same moment or a later one is in force.
 */
export const rateWrites = (rate: Rate): Write[] => [
  {
    Put: {
      Item: {
        ...keys.currentRate(rate.from, rate.to),
        entity: 'RATE',
        ...listKeys('RATE', ['all'], facetOf(rate.from, rate.to), listPosition(rate.at, `${rate.from}-${rate.to}`)),
        summary: rate,
        rate,
      },
      ConditionExpression: 'attribute_not_exists(pk) OR #rate.#at < :at',
      ExpressionAttributeNames: { '#rate': 'rate', '#at': 'at' },
      ExpressionAttributeValues: { ':at': rate.at },
    },
  },
  { Put: { Item: { ...keys.rate(rate.from, rate.to, rate.at), entity: 'RATE_HISTORY', rate } } },
];

/** Reads a rate back, in force or past. The table holds only what rateWrites wrote. */
export const fromRateItem = (item: Item | undefined): Rate | undefined => item?.['rate'] as Rate | undefined;

/** The same as a list index shows it. */
export const fromListedRate = (item: Item): Rate => item['summary'] as Rate;
