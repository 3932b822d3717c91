import { newMerchantService } from '#test/support/fake-merchant-service.ts';
import { type Host, json } from '../world/network.ts';
import { randomOf } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { moodOf } from './processor.ts';

/** A merchant's own service, which lists the charges that the merchant took elsewhere. */

const host = 'service.example';
const { secret } = newMerchantService();
export const serviceCredentials = { base_url: `https://${host}/forewarn`, secret };

type Means = {
  world: World;
  service: ReturnType<typeof newMerchantService>;
  /** The rate of its failures, up to a time. */
  moods: number;
  until: number;
};

const answers =
  ({ world, service, moods, until }: Means): Host =>
  ({ url, method, headers, body, from }) => {
    const random = randomOf(world.seed, `service ${from.place}.${from.calls}`);
    const fails = world.timeline.now < until && url.pathname.endsWith('/charges') && random.chance(moods * 0.3);
    if (fails) return moodOf(random, { failure: { error: 'out of order' } }).reply;
    const { status, body: answer } = service.answer({
      ...{ method, path: url.pathname, query: url.searchParams, headers, body },
    });
    world.note(`  the service answered ${url.pathname} ${status}`);
    return json(status, answer, random.next() * 400);
  };

/** Has the service listen. */
export const openService = (means: Means): void => means.world.network.listen(host, answers(means));
