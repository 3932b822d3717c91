import { newMerchantService } from '#test/support/fake-merchant-service.ts';
import { type Host, json } from '../world/network.ts';
import { seedRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { drawMood } from './processor.ts';

/** A merchant's own service, which lists the charges that the merchant took elsewhere. */

const { secret } = newMerchantService();
export const serviceHost = 'service.example';
export const credentialsAt = (host: string) => ({ base_url: `https://${host}/forewarn`, secret });

type Means = {
  world: World;
  service: ReturnType<typeof newMerchantService>;
  host: string;
  /** The rate of its failures, up to a time, where it is asked for these. */
  moods: number;
  until: number;
  fails: '/charges' | '/search';
};

const answers =
  ({ world, service, moods, until, fails }: Means): Host =>
  ({ url, method, headers, body, from }) => {
    const random = seedRandom(world.seed, `service ${from.place}.${from.calls}`);
    const isDown = world.timeline.now < until && url.pathname.endsWith(fails) && random.chance(moods * 0.3);
    if (isDown) return drawMood(random, { failure: { error: 'out of order' } }).reply;
    const { status, body: answer } = service.answer({
      ...{ method, path: url.pathname, query: url.searchParams, headers, body },
    });
    world.note(`  the service answered ${url.pathname} ${status}`);
    return json(status, answer, random.next() * 400);
  };

/** Has the service listen. */
export const openService = (means: Means): void => means.world.network.listen(means.host, answers(means));
