import { NmiAccount } from '#test/support/fake-nmi.ts';
import { callUntilKnown } from '../gateway.ts';
import type { Stage } from '../setup.ts';
import type { Host, Reply } from '../world/network.ts';
import { type Random, seedRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { judge } from './contract.ts';
import { drawMood, lateMood, momentsOfWebhook } from './processor.ts';

/**
 * A merchant's own account at NMI, which knows no idempotency keys: what is requested twice is done twice. Its reports show what
 * was done only after a while, and requests may arrive after their time limit.
 */

const { securityKey: security_key, webhookKey: webhook_key } = new NmiAccount();
export const nmiCredentials = { security_key, webhook_key, environment: 'test' };

type Means = {
  world: World;
  account: NmiAccount;
  /** The rate of its failures, up to a time. */
  moods: number;
  until: number;
};

const nmi =
  ({ world, account, moods, until }: Means): Host =>
  ({ url, method, headers, body, from }) => {
    const random = seedRandom(world.seed, `nmi ${from.place}.${from.calls}`);
    const isAsked = url.pathname === '/api/query.php';
    // Money that is moved without an answer is what there is to see; a question takes several calls, and is asked five times at most.
    const mood =
      world.timeline.now < until && random.chance(moods * (isAsked ? 0.05 : 0.5))
        ? drawMood(random, { failure: {} }, [lateMood(random)])
        : undefined;
    const answer = (): Reply => {
      const request = { method, path: url.pathname, query: url.searchParams, headers, body };
      const { status, body: text, headers: type = {} } = judge('nmi', request, account.answer(request));
      const said = isAsked ? '' : new URLSearchParams(String(text)).get('responsetext');
      world.note(`  NMI answered ${url.pathname} ${said}${mood ? ', which is lost' : ''}`);
      return { kind: 'answer', status, body: String(text), headers: type, delay: random.next() * 400 };
    };
    if (mood?.late !== undefined && !isAsked) world.timeline.after(mood.late, () => void answer());
    if (!mood) return answer();
    if (mood.isDone) answer();
    return mood.reply;
  };

/** Has NMI listen. */
export const openNmi = (means: Means): void => {
  means.world.network.listen('sandbox.nmi.com', nmi(means));
};

/** An issuer takes a charge back. NMI's webhook tells that there are chargebacks, and not which; some merchants have none sent. */
export const chargeBack = (
  { world, account, plan }: Pick<Means, 'world' | 'account'> & { plan: (time: number, act: () => void) => void },
  { importer }: Stage,
  { id, minor }: { id: string; minor: number },
  random: Random,
): void => {
  account.chargeBack(id, minor);
  world.note(`  ${id} is charged back`);
  if (random.chance(0.4)) return;
  const event = { event_id: `batch-${id}`, event_type: 'chargeback.batch.complete', event_body: { count: 1 } };
  const { headers, rawBody } = account.webhook(event);
  for (const late of momentsOfWebhook(random)) {
    plan(world.timeline.now + late, () =>
      callUntilKnown(
        world,
        'connections/receive-connection-webhook',
        () => ({ body: rawBody, headers, params: { mid: importer.mid, id: importer.connection } }),
        ({ status }) => {
          if (status !== 200) throw new Error(`A webhook of NMI was answered ${status}`);
        },
      ),
    );
  }
};
