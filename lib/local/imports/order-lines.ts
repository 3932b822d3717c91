import type { CsvRecord } from '#core/kernel/csv/csv-table.ts';
import { parse } from '#core/platform/http/parse.ts';
import type { OrderContent } from '#payments/orders/order.ts';
import { readOrder } from '#payments/orders/order-input.ts';
import { OrderFields } from '#payments/orders/schemas.ts';
import { nestFields, type ReadLine, readLines, spelledAs, withColumns } from './rows.ts';

/** Each line of a shop's file as an order, or what is wrong with it. `now`: ISO. */
export const readOrderLines = (records: readonly CsvRecord[], now: string): ReadLine<OrderContent>[] => {
  const spelled = spelledAs(OrderFields, records);
  return withColumns(
    spelled,
    readLines(spelled, (fields) => readOrder(parse(OrderFields, nestFields(fields)), now)),
  );
};
