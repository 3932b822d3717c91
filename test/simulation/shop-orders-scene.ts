import { newMerchantService } from '#test/support/fake-merchant-service.ts';
import { newWooShop } from '#test/support/fake-woocommerce.ts';
import { credentialsAt, openService } from './actors/service.ts';
import { openWooShop, wooAddress, wooKeys } from './actors/woo-shop.ts';
import { askUntilKnown, type Opened, openMerchant } from './import-scene.ts';
import type { Sales, Shopkeeper } from './outside-events.ts';
import type { Means } from './scenes.ts';
import { type Random, seedRandom } from './world/random.ts';

/** A merchant whose shop's orders are imported on a schedule, while the shop sells and refunds. */

const [minute, hour, day] = [60_000, 3_600_000, 24 * 3_600_000];
const toIso = (time: number): string => new Date(time).toISOString();
const host = 'till.example';

/** The scene sells only goods for 32.50, so that each order has its own charge by its reference alone. */
const minor = 3250;

type Shop = { shop: ReturnType<typeof newWooShop>; service: ReturnType<typeof newMerchantService>; sales: Sales };

/** An order that was paid by card; some by another way, of which no connection knows, and some not yet. */
const sell = ({ shop, service, sales }: Shop, random: Random, modified?: number): void => {
  const at = modified === undefined ? {} : { modified };
  const way = random.pick(['card', 'card', 'card', 'card', 'card', 'card', 'wallet', 'nothing'] as const);
  if (way === 'nothing') return void shop.order({ ...at, fields: { status: 'pending', date_paid_gmt: null } });
  if (way === 'wallet') {
    sales.unknown += 1;
    return void shop.order({ ...at, fields: { transaction_id: `wallet-${sales.unknown}` } });
  }
  const { reference } = service.charge({ minor, ...(modified !== undefined && { at: modified }) });
  sales.sold.add(shop.order({ ...at, fields: { transaction_id: reference } }).id);
};

/** Sales before the shop is connected, many of them in one second at times, and sales and refunds in the hours after. */
const trade = ({ start, plan }: Means, own: Shop, random: Random): void => {
  for (let left = random.int(60); left > 0; left -= 1) {
    const at = start - random.next() * 20 * day;
    for (let several = random.chance(0.05) ? random.int(40) : 1; several > 0; several -= 1) sell(own, random, at);
  }
  for (let left = random.int(12); left > 0; left -= 1) plan(start + random.next() * 8 * hour, () => sell(own, random));
  for (let left = random.int(6); left > 0; left -= 1) {
    plan(start + random.next() * 8 * hour, () => {
      const order = own.shop.orders.get(random.pick([0, ...own.sales.sold]));
      if (order && order.refunds.length < 3) own.shop.refund(order.id, random.pick(['5.00', '10.00']));
    });
  }
};

const play = (means: Means, random: Random): void => {
  const { world, observed, start, moods, plan } = means;
  const [shop, service] = [newWooShop(), newMerchantService()];
  const sales: Sales = { shop, sold: new Set(), unknown: 0 };
  trade(means, { shop, service, sales }, random);
  openWooShop({ world, shop, moods, until: start + 8 * hour });
  // After three hours without an answer, orders would be imported without those that this service knows.
  openService({ world, service, host, fails: '/search', moods, until: start + 2 * hour });
  const connections = [{ kind: 'http', label: 'Till', credentials: credentialsAt(host) }];
  const order_source = { kind: 'woocommerce', base_url: wooAddress, ...wooKeys };
  const connect = ({ mid, sid }: Opened): void =>
    askUntilKnown(
      means,
      'connections/set-connections',
      () => ({ params: { mid }, body: { connections } }),
      () =>
        setSource(means, sid, { display_name: 'Shop', order_source }, () => {
          observed.shopkeeper = { sid, sales, counts: undefined };
          disconnectOnceRead(means, observed.shopkeeper);
        }),
    );
  plan(start + random.next() * minute, () => openMerchant(means, 'shopkeeper', connect));
};

const setSource = (means: Means, sid: number, body: object, then: () => void): void =>
  askUntilKnown(means, 'orders/set-order-profile', () => ({ params: { sid }, body }), then);

type Source = { lastRunAt: string | null; counts: NonNullable<Shopkeeper['counts']>; retries?: readonly unknown[] };

/** Disconnects the shop when all orders were read after everything has calmed down, also those that could not be read before. */
const disconnectOnceRead = (means: Means, shopkeeper: Shopkeeper): void => {
  const { world, start, plan } = means;
  const calm = start + 9 * hour;
  const check = (): void => {
    const row = world.table.items.get(`SITE#${shopkeeper.sid}\nORDER_SOURCE`);
    const source = row?.['source'] as Source | undefined;
    const isWhole = (source?.retries ?? []).length === 0;
    if (source && isWhole && (source.lastRunAt ?? '') > toIso(calm)) {
      setSource(means, shopkeeper.sid, { order_source: null }, () => {
        shopkeeper.counts = source.counts;
      });
    } else plan(world.timeline.now + hour, check);
  };
  plan(calm + hour / 2, check);
};

/** One in ten of the histories without a previous release has such a shop. */
export const playShopOrders = (means: Means): void => {
  const random = seedRandom(means.world.seed, 'shop orders scene');
  if (random.chance(0.1)) play(means, random);
};
