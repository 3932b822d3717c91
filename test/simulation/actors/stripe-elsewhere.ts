import { StripeAccount } from '#test/support/fake-stripe.ts';
import { callUntilKnown } from '../gateway.ts';
import type { Stage } from '../setup.ts';
import { type Host, json } from '../world/network.ts';
import { type Random, seedRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { judge } from './contract.ts';
import { drawMood, momentsOfWebhook } from './processor.ts';
import { issuerDisputes, listenAtStripe, stripeFailures } from './stripe.ts';

/**
 * A merchant's own account at Stripe, whose charges were not taken here. Of refunds that it said were done, banks send some back, at once
 * or days later, and Stripe tells so by webhook: late, twice, and before what came first.
 */

/** The end of its keys, so that they are not the store's. */
export const elsewhereAtStripe = 'elsewhere';
const { secretKey: secret_key, webhookSecret: webhook_secret } = new StripeAccount(elsewhereAtStripe);
export const elsewhereCredentials = { secret_key, webhook_secret };

type Means = {
  world: World;
  account: StripeAccount;
  stage: Stage;
  /** The rate of its failures, up to a time. */
  moods: number;
  until: number;
  /** Schedules an action; the history does not rest before. */
  plan: (time: number, act: () => void) => void;
};
type Refund = ReturnType<StripeAccount['elsewhere']['decide']>;

const hour = 3_600_000;

type Reported = Readonly<Record<string, unknown>> & { id: string };

const tell = ({ world, account, stage, plan }: Means, object: Reported, moments: readonly number[]): void => {
  const { mid, connection } = stage.exporter;
  const told = { ...object };
  for (const late of moments) {
    plan(world.timeline.now + late, () =>
      callUntilKnown(
        world,
        'connections/receive-connection-webhook',
        () => {
          const { headers, rawBody } = account.webhook(told);
          return { body: rawBody, headers, params: { mid, id: connection } };
        },
        ({ status }) => {
          if (status !== 200) throw new Error(`A webhook of the exporter's was answered ${status}`);
        },
      ),
    );
  }
};

/** Pending refunds end one day; and some of those done are returned: in the same moment, soon, or after days. */
const bankDecides = (means: Means, refund: Refund, random: Random): void => {
  const { world, account, plan } = means;
  const moments = momentsOfWebhook(random);
  tell(means, refund, moments);
  const isPending = refund.status === 'pending';
  if (refund.status === 'failed' || (!isPending && random.chance(0.5))) return;
  const isHasty = random.chance(0.5);
  const late = isHasty ? random.next() ** 3 * 6000 : random.next() * 40 * hour;
  const fails = !isPending || random.chance(0.5);
  plan(world.timeline.now + late, () => {
    world.note(`  ${refund.id} ${fails ? 'comes back' : 'is done'}`);
    const decided = account.elsewhere.decide(refund.id, fails ? 'failed' : 'succeeded');
    tell(means, decided, isHasty ? [random.next() * 50] : momentsOfWebhook(random));
  });
};

const stripe =
  (means: Means): Host =>
  ({ url, method, headers, body, from }) => {
    const { world, account, moods, until } = means;
    const random = seedRandom(world.seed, `stripe elsewhere ${from.place}.${from.calls}`);
    const isAsked = method === 'GET';
    const mood =
      world.timeline.now < until && random.chance(moods * (isAsked ? 0.1 : 0.4))
        ? drawMood(random, stripeFailures)
        : undefined;
    if (mood && !mood.isDone) return mood.reply;
    const known = account.elsewhere.refunds.size;
    const request = { method, path: url.pathname, query: url.searchParams, headers, body };
    const { status, body: answer, headers: more = {} } = judge('stripe', request, account.answer(request));
    world.note(`  Stripe answered the exporter ${method} ${url.pathname} ${status}${mood ? ', which is lost' : ''}`);
    const made = [...account.elsewhere.refunds.values()].slice(known);
    const said = mood?.reply ?? {
      ...json(status, answer, random.next() * 400),
      headers: { ...more, 'content-type': 'application/json' },
    };
    for (const refund of made) bankDecides(means, refund, random);
    return said;
  };

/** An issuer warns of fraud with a charge, asks about it or charges it back; some of that Stripe reports by no webhook. */
export const disputeElsewhere = (
  means: Means,
  charge: { id: string; amount: number; currency: string },
  random: Random,
): void => {
  const { world, account, plan } = means;
  const paid = { ...charge, id: charge.id.replace(/^ch_/, 'pi_'), latest_charge: { id: charge.id } };
  const isReported = random.chance(0.6);
  const report = (object: Reported): void => {
    if (isReported) tell(means, object, momentsOfWebhook(random));
  };
  if (random.chance(0.5)) {
    plan(world.timeline.now + random.next() * 20 * hour, () => {
      tell(means, account.disputes.warn(paid), momentsOfWebhook(random));
    });
  }
  if (!random.chance(0.7)) return;
  issuerDisputes({ ...means, tell: report }, paid, random);
  // What no webhook reports is found by a daily look, of which one may fail and each looks a day back.
  plan(world.timeline.now + 150 * hour, () => undefined);
};

/** Has the merchant's account listen. */
export const openElsewhere = (means: Means): void => listenAtStripe(means.world, means.account, stripe(means));
