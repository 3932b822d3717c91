import { createHmac } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { Item } from '#core/platform/table/table.ts';
import { lookupProviderBOperation } from '#disputes/lookups/api/lookup-provider-b/operation.ts';
import type { Order } from '#payments/orders/order.ts';
import { gatewayEvent } from '#test/support/gateway-event.ts';
import { theSecret } from '#test/support/tls-dynamo.ts';

/** Orders of one merchant, and how a bank asks for them. */

const mid = 4711;
const clientId = 'bench';

/** Always the same numbers, so that a wrong answer can be looked at again. */
export const numbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const nthCard = (n: number) => ({ first6: '424242', last4: String(1000 + n) });

/** The n-th order: of one of so many cards, within the last 300 days, at one of 40 prices; every other one has an ARN. */
export const benchOrder = (n: number, cards: number, now: number): Order => {
  const pick = numbers(n + 1);
  const { first6, last4 } = nthCard(pick(cards));
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

/** By which providers know the merchant. */
export const benchClientRow: Item = {
  ...keys.orderClient('provider_b', clientId),
  entity: 'ORDERCLIENT',
  schemaVersion: 1,
  mid,
  enabled: true,
};

/**
 * Asks for an order as a bank does: by its ARN, or by amount and day. `request`: a name that no other question has. `daysLater`: how
 * long after the authorisation the day is that it names.
 */
export const lookupEvent = (
  { content }: Order,
  by: 'arn' | 'day',
  request: string,
  daysLater = 0,
): APIGatewayProxyEvent => {
  const body = JSON.stringify({
    ...{ insightId: 'bench', transactionRequestId: request, source: 'OIM', paymentType: 'VISA' },
    ...{
      entityInfo: { partnerId: 'b', clientId },
      paymentDescriptor: 'BENCH SHOP',
      transactionDate: iso(Date.parse(content.transaction_date) + daysLater * milliseconds.day),
    },
    transactionAmount: { amount: content.amount, currency: content.currency },
    ...{ cardBin: content.card_firstsix, cardLast4: content.card_lastfour },
    ...(by === 'arn' && { arn: content.arn }),
  });
  const time = Math.floor(nowMilliseconds() / 1000);
  const signature = createHmac('sha256', theSecret).update(`${time}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-signature': `t=${time},v1=${signature}` };
  return gatewayEvent({ path: lookupProviderBOperation.path, headers, body });
};
