import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { handler } from '#disputes/lookups/api/lookup-provider-b/handler.ts';
import type { Order } from '#payments/orders/order.ts';
import { toOrderItem } from '#payments/orders/order-row.ts';
import type { CallCounter } from '#test/support/call-counter.ts';
import { call } from '#test/support/gateway-event.ts';
import { writeRows } from '#test/support/many-rows.ts';
import { during, type WorkCost } from './calls.ts';
import { benchClientRow, lookupEvent, numbers } from './lookup-samples.ts';

/** Look-ups of orders among many of one merchant's: what they cost, and whether they ever show a wrong one. */

/** Writes so many orders straight into the table, and who they are asked of by. */
export const storeOrders = async (
  client: DynamoDBClient,
  orders: readonly Order[],
  onProgress: (done: number) => void = () => undefined,
): Promise<void> => {
  const rows = [benchClientRow, ...orders.map(toOrderItem)];
  await writeRows({ client, table: 'forewarn-test' }, rows, (done) => {
    if (done % 1000 === 0) onProgress(done);
  });
};

export type Shown = { status: string; receipt?: { orderNumber: string } };

let requests = 0;
/** Returns the answer to a bank. */
const askFor = async (order: Order, by: 'arn' | 'day'): Promise<Shown> => {
  requests += 1;
  return (await call(handler, lookupEvent(order, by, `bench-${requests}`))).body as Shown;
};

/** Measures the cost of one look-up. */
export const costOfLookup = (counter: CallCounter, order: Order): Promise<WorkCost> =>
  during(counter, async () => {
    const { receipt } = await askFor(order, 'arn');
    if (receipt?.orderNumber !== order.content.reference) throw new Error('The look-up did not find its order');
  });

/** The results of look-ups: the right order was shown, a wrong one, or none. */
export type Seen = { right: number; wrong: number; none: number };

export const tally = (seen: Seen, { content }: Order, { status, receipt }: Shown): void => {
  if (!/^(?:FOUND|NOT_FOUND|MULTIPLE_FOUND)$/.test(status)) throw new Error('A look-up was not answered');
  if (!receipt) seen.none += 1;
  else if (receipt.orderNumber === content.reference) seen.right += 1;
  else seen.wrong += 1;
};

/** Counts the results of look-ups of randomly chosen orders. */
export const countLookups = async (orders: readonly Order[], times: number): Promise<Seen> => {
  const pick = numbers(7);
  const seen = { right: 0, wrong: 0, none: 0 };
  for (let n = 0; n < times; n += 1) {
    const order = orders[pick(orders.length)];
    if (!order) throw new Error('There are no orders');
    tally(seen, order, await askFor(order, order.content.arn !== undefined && n % 2 === 0 ? 'arn' : 'day'));
  }
  return seen;
};
