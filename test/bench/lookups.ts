import { createHmac } from 'node:crypto';
import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { iso, milliseconds, nowMilliseconds } from '../../functions/core/clock.ts';
import { keys } from '../../functions/core/keys.ts';
import { type Item, putItem } from '../../functions/core/table.ts';
import { handler } from '../../functions/orders/lookup-provider-b/handler.ts';
import { lookupProviderB } from '../../functions/orders/lookup-provider-b/operation.ts';
import type { Order } from '../../functions/orders/order.ts';
import { toOrderItem } from '../../functions/orders/order-row.ts';
import type { CallCounter } from '../support/call-counter.ts';
import { call, gatewayEvent } from '../support/gateway-event.ts';
import { theSecret } from '../support/tls-dynamo.ts';
import { during, type WorkCost } from './calls.ts';

/** Look-ups of orders among many of one merchant's: what they cost, and whether they ever show a wrong one. */

const mid = 4711;
const clientId = 'bench';
const perCall = 25;

/** Always the same numbers, so that a wrong answer can be looked at again. */
const numbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const cardOf = (n: number) => ({ first6: '424242', last4: String(1000 + n) });

/** The n-th order: of one of so many cards, within the last 300 days, at one of 40 prices; every other one has an ARN. */
export const benchOrder = (n: number, cards: number, now: number): Order => {
  const pick = numbers(n + 1);
  const { first6, last4 } = cardOf(pick(cards));
  const at = iso(now - pick(300 * 24) * milliseconds.hour);
  const amount = `${10 + pick(40)}.00`;
  return {
    ...{ orderId: 1_000_000 + n, mid, rid: 1, sid: 1, source: 'merchant', state: 'paid', cardDigest: null },
    content: {
      ...{ reference: `B-${n}`, order_date: at, transaction_date: at, amount, currency: 'USD' },
      ...{ card_firstsix: first6, card_lastfour: last4, card_type: 'VISA', descriptor: 'BENCH SHOP' },
      ...(n % 2 === 0 && { arn: String(n).padStart(23, '2') }),
      items: [{ name: 'Tea', quantity: '1', amount_unit: amount }],
    },
    ...{ profile: { display_name: 'Bench' }, payment: null, ownRefunds: {}, disputes: [], retainDays: 550 },
    ...{ createdAt: at, updatedAt: at, keptUntil: iso(now + 550 * milliseconds.day), version: 1 },
  };
};

const batches = async (client: DynamoDBClient, items: readonly Item[]): Promise<void> => {
  for (let from = 0; from < items.length; from += perCall) {
    const requests = items
      .slice(from, from + perCall)
      .map((Item) => ({ PutRequest: { Item: marshall(Item, { removeUndefinedValues: true }) } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { 'forewarn-test': requests } }));
  }
};

/** Writes so many orders straight into the table, and who they are asked of by. */
export const storeOrders = async (client: DynamoDBClient, orders: readonly Order[]): Promise<void> => {
  await putItem({
    ...keys.orderClient('provider_b', clientId),
    entity: 'ORDERCLIENT',
    schemaVersion: 1,
    mid,
    enabled: true,
  });
  await batches(client, orders.map(toOrderItem));
};

type Shown = { status: string; receipt?: { orderNumber: string } };

let requests = 0;
/** Asks for an order as a bank does: by its ARN, or by amount and day. */
export const askFor = async ({ content }: Order, by: 'arn' | 'day'): Promise<Shown> => {
  requests += 1;
  const body = JSON.stringify({
    ...{ insightId: 'bench', transactionRequestId: `bench-${requests}`, source: 'OIM', paymentType: 'VISA' },
    ...{
      entityInfo: { partnerId: 'b', clientId },
      paymentDescriptor: 'BENCH SHOP',
      transactionDate: content.transaction_date,
    },
    transactionAmount: { amount: content.amount, currency: content.currency },
    ...{ cardBin: content.card_firstsix, cardLast4: content.card_lastfour },
    ...(by === 'arn' && { arn: content.arn }),
  });
  const time = Math.floor(nowMilliseconds() / 1000);
  const signature = createHmac('sha256', theSecret).update(`${time}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-signature': `t=${time},v1=${signature}` };
  return (await call(handler, gatewayEvent({ path: lookupProviderB.path, headers, body }))).body as Shown;
};

/** What one look-up costs. */
export const costOfLookup = (counter: CallCounter, order: Order): Promise<WorkCost> =>
  during(counter, async () => {
    const { receipt } = await askFor(order, 'arn');
    if (receipt?.orderNumber !== order.content.reference) throw new Error('The look-up did not find its order');
  });

/** How many of so many look-ups of orders chosen anyhow showed the right order, a wrong one, or none. */
export const countLookups = async (orders: readonly Order[], times: number) => {
  const pick = numbers(7);
  const seen = { right: 0, wrong: 0, none: 0 };
  for (let n = 0; n < times; n += 1) {
    const order = orders[pick(orders.length)];
    if (!order) throw new Error('There are no orders');
    const { receipt } = await askFor(order, order.content.arn !== undefined && n % 2 === 0 ? 'arn' : 'day');
    if (!receipt) seen.none += 1;
    else if (receipt.orderNumber === order.content.reference) seen.right += 1;
    else seen.wrong += 1;
  }
  return seen;
};
