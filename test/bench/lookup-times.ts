import type { APIGatewayProxyEvent } from 'aws-lambda';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { handler } from '#disputes/lookups/api/lookup-provider-b/handler.ts';
import type { Order } from '#payments/orders/order.ts';
import { lambdaContext } from '#test/support/gateway-event.ts';
import { startTable } from '#test/support/table.ts';
import type { CountedTable } from './counted-table.ts';
import { benchOrder, lookupEvent, numbers } from './lookup-samples.ts';
import { type Seen, type Shown, storeOrders, tally } from './lookups.ts';
import { median, percentile } from './measure.ts';
import { milliseconds, progress, ratio, step, whole } from './report.ts';
import type { Finding } from './table.ts';

/** Measures look-ups among few orders and among many, and checks that none of them shows a wrong order. */

/** So many of a long list's orders are on one card as of a short one's: what grows is what is stored. */
const ordersPerCard = 100;
/** Questions before anything is measured, by which the code is compiled and connections stand. */
const warmUp = 100;
/** The number of these that are timed, one after the other. */
const timedQuestions = 400;
/** The number of others, of which only the answers matter, that run at once. */
const atOnce = 8;

/** Where one of the two tables is, and what is stored there. */
type Shop = { url: string; orders: readonly Order[] };

/** Questions about orders chosen anyhow, half of them by ARN where there is one; each is signed when it is asked. */
function* questions(orders: readonly Order[], count: number, named: string) {
  const pick = numbers(7);
  for (let n = 0; n < count; n += 1) {
    const order = orders[pick(orders.length)];
    if (!order) throw new Error('There are no orders');
    const isByArn = order.content.arn !== undefined && n % 2 === 0;
    // A bank names the day of its posting, which may be a day or two after that of the authorisation.
    yield { order, event: lookupEvent(order, isByArn ? 'arn' : 'day', `${named}-${n}`, isByArn ? 0 : n % 3) };
  }
}

const getShown = async (event: APIGatewayProxyEvent): Promise<Shown> =>
  JSON.parse((await handler(event, lambdaContext)).body) as Shown;

const timeOnce = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

/** Measures look-ups among few and among many orders, in turns. */
const takeTimes = async (counter: CountedTable['counter'], few: Shop, many: Shop) => {
  const times: Record<'few' | 'many', number[]> = { few: [], many: [] };
  const sides = [
    ['few', few],
    ['many', many],
  ] as const;
  const asked = sides.map(([name, { orders }]) => questions(orders, warmUp + timedQuestions, name));
  for (let n = 0; n < warmUp + timedQuestions; n += 1) {
    for (const [index, [name, { url }]] of sides.entries()) {
      const event = asked[index]?.next().value?.event;
      if (!event) throw new Error('There are no more questions');
      counter.rest(url);
      const took = await timeOnce(() => getShown(event));
      if (n >= warmUp) times[name].push(took);
    }
  }
  return times;
};

/** Counts the results of many questions. */
const countShown = async (orders: readonly Order[], times: number): Promise<Seen> => {
  const seen: Seen = { right: 0, wrong: 0, none: 0 };
  const open = questions(orders, times, 'counted');
  let done = 0;
  const askOn = async () => {
    for (const { order, event } of open) {
      tally(seen, order, await getShown(event));
      done += 1;
      if (done % 1000 === 0) step(`${whole(done)} look-ups, ${seen.wrong} wrong`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askOn));
  return seen;
};

const spread = (times: readonly number[]): string =>
  `p50 ${milliseconds(median(times))}, p99 ${milliseconds(percentile(times, 99))}`;

/** Starts a second table, to be asked in turn with the first; functions do not know it. */
const startSecondTable = async (): Promise<Awaited<ReturnType<typeof startTable>> & { url: string }> => {
  const name = 'AWS_ENDPOINT_URL_DYNAMODB';
  const before = process.env[name];
  const table = await startTable();
  const url = process.env[name] ?? '';
  process.env[name] = before;
  return { ...table, url };
};

export const measureLookups = async ({ client, counter, url }: CountedTable, stored: number): Promise<Finding[]> => {
  const now = nowMilliseconds();
  const ordersOf = (count: number) =>
    Array.from({ length: count }, (_, n) => benchOrder(n, count / ordersPerCard, now));
  const [few, many] = [ordersOf(1000), ordersOf(stored)];
  const second = await startSecondTable();
  step(`Storing 1,000 orders in one table and ${whole(stored)} in another`);
  await storeOrders(second.client, few);
  await storeOrders(client, many, (done) => progress(`Storing ${whole(stored)} orders: ${whole(done)}`));
  step('Taking the time of look-ups');
  const times = await takeTimes(counter, { url: second.url, orders: few }, { url, orders: many });
  second.stop();
  counter.rest(url);
  step(`Looking ${whole(stored / 5)} orders up`);
  const { right, wrong, none } = await countShown(many, stored / 5);
  const grown = median(times.many) / median(times.few);
  return [
    {
      what: `wrong orders shown, of ${whole(stored / 5)} look-ups among ${whole(stored)} orders of ${whole(stored / ordersPerCard)} cards`,
      measured: `${wrong}  (${whole(right)} right, ${whole(none)} not found or several)`,
      goal: 'none',
      isMet: wrong === 0,
    },
    {
      what: `median of a look-up with ${whole(stored)} orders stored, against 1,000`,
      measured: `${ratio(grown)}  (${spread(times.many)}; ${spread(times.few)})`,
      goal: 'at most 1.10',
      isMet: grown <= 1.1,
    },
  ];
};
