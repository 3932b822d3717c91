import { keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';
import { type AlertPrices, noPrices } from './price.ts';

export const toPricesItem = (mid: number, prices: AlertPrices): Item => ({
  ...keys.alertPrices(mid),
  entity: 'ALERT_PRICES',
  prices,
});

/** Reads a merchant's prices back; one that never had any has none. The table holds only what toPricesItem wrote. */
export const fromPricesItem = (item: Item | undefined): AlertPrices =>
  (item?.['prices'] as AlertPrices | undefined) ?? noPrices;

/** The part of a transaction that writes prices anew. Its condition fails if they are not as they were read. */
export const pricesWrite = (mid: number, prices: AlertPrices): Write => ({
  Put: {
    Item: toPricesItem(mid, prices),
    ...(prices.version === 1
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#prices.#version = :seen',
          ExpressionAttributeNames: { '#prices': 'prices', '#version': 'version' },
          ExpressionAttributeValues: { ':seen': prices.version - 1 },
        }),
  },
});
