import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { type Item, requireNew, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type AlertPrices, noPrices } from './price.ts';

const PricesRow = defineRow<AlertPrices>({
  entity: 'ALERT_PRICES',
  attribute: 'prices',
  schema: v.looseObject({
    list: v.array(
      v.looseObject({
        ...texts('provider', 'price', 'currency', 'from', 'setAt', 'setBy'),
        tier: v.nullable(v.string()),
        alertType: v.nullable(v.string()),
      }),
    ),
    version: v.number(),
  }),
});

export const toPricesItem = (mid: number, prices: AlertPrices): Item => ({
  ...keys.alertPrices(mid),
  ...PricesRow.stamp,
  prices,
});

/** Reads a merchant's prices back; a merchant without a row has none. */
export const fromPricesItem = (item: Item | undefined): AlertPrices => PricesRow.find(item) ?? noPrices;

/** The part of a transaction that replaces prices. Its condition fails if they have changed since they were read. */
export const pricesWrite = (mid: number, prices: AlertPrices): Write => ({
  Put: {
    Item: toPricesItem(mid, prices),
    ...(prices.version === 1 ? requireNew : requireVersion(prices.version - 1, 'prices')),
  },
});
