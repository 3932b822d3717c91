import { newWooShop, type WooShop } from '#test/support/fake-woocommerce.ts';
import { type Host, json } from '../world/network.ts';
import { seedRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { judge } from './contract.ts';
import { drawMood } from './processor.ts';

/** A shop with WooCommerce, whose orders are read every 15 minutes. */

const host = 'woo.example';
const { consumerKey, consumerSecret } = newWooShop();
export const wooKeys = { consumer_key: consumerKey, consumer_secret: consumerSecret };
export const wooAddress = `https://${host}/shop`;

/** `moods`: the rate of its failures, up to a time. */
type Means = { world: World; shop: ReturnType<typeof newWooShop>; moods: number; until: number };

const answers =
  ({ world, shop, moods, until }: Means): Host =>
  ({ url, method, headers, body, from }) => {
    const random = seedRandom(world.seed, `woo ${from.place}.${from.calls}`);
    if (world.timeline.now < until && random.chance(moods * 0.3)) {
      const tooMany = { code: 'too_many', message: 'Too many requests' };
      return drawMood(random, { failure: { code: 'internal', message: 'out of order' }, tooMany }).reply;
    }
    const request = { method, path: url.pathname, query: url.searchParams, headers, body };
    const { status, ...answer } = judge('woocommerce', request, shop.answer(request));
    world.note(`  the shop answered ${url.pathname}${url.search} ${status}`);
    const reply = json(status, answer.body, random.next() * 400);
    return { ...reply, ...(reply.kind === 'answer' && { headers: { ...reply.headers, ...answer.headers } }) };
  };

/** Has the shop listen. */
export const openWooShop = (means: Means): void => means.world.network.listen(host, answers(means));

export type { WooShop };
