import { StripeAccount } from '#test/support/fake-stripe.ts';
import { callUntilKnown } from '../gateway.ts';
import type { Site } from '../setup.ts';
import { type Host, json } from '../world/network.ts';
import { type Random, seedRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { judge } from './contract.ts';
import { drawMood, momentsOfWebhook } from './processor.ts';

/**
 * Stripe, and the parties behind it: it reports everything by webhook, late, twice and in any order; payers go to their issuer's
 * page or do not; banks let refunds fail or return them; issuers dispute payments and decide.
 */

const { secretKey: secret_key, webhookSecret: webhook_secret } = new StripeAccount();
export const stripeCredentials = { secret_key, webhook_secret };

/** The accounts at Stripe, by their keys. */
const accounts = new WeakMap<World, Map<string, Host>>();

export const listenAtStripe = (world: World, { secretKey }: StripeAccount, host: Host): void => {
  const known = accounts.get(world) ?? new Map<string, Host>();
  accounts.set(world, known.set(secretKey, host));
  const answer: Host = (request) => {
    const [, key = ''] = /^Bearer (.*)$/.exec(request.headers['authorization'] ?? '') ?? [];
    const one = known.get(key);
    if (!one) throw new Error('Stripe knows no such key');
    return one(request);
  };
  world.network.listen('api.stripe.com', answer);
  world.network.listen('files.stripe.com', answer);
};

/** Cards by what Stripe makes of them: https://docs.stripe.com/testing */
export const stripeNumbers = [
  '4242424242424242',
  '4000000000000002',
  '4000002760003184',
  '4000000000005126',
  '4000000000007726',
] as const;

type Told = Readonly<Record<string, unknown>> & { id: string };
type Intent = StripeAccount['intents'] extends Map<string, infer I> ? I : never;
type Means = {
  world: World;
  account: StripeAccount;
  site: Site;
  /** The rate of its failures. */
  moods: number;
  until: number;
  /** Until when it answers no question about disputes. */
  muteUntil: number;
  /**
   * True if banks send refunds back within moments, when the alert that they answered may not have been told to its network yet.
   */
  isHasty: boolean;
  /** Called with each dispute that an issuer opens. */
  onDispute?: (reference: string) => void;
  /** Schedules an action; the history does not rest before. */
  plan: (time: number, act: () => void) => void;
};

const minute = 60_000;
const hour = 60 * minute;

/** Sends a webhook until it is taken; perhaps a second one of the same, and the first one sent may be the last to come. */
const tell = (
  { world, account, site, plan }: Means,
  object: Told,
  random: Random,
  moments = momentsOfWebhook(random),
): void => {
  for (const late of moments) {
    plan(world.timeline.now + late, () =>
      callUntilKnown(
        world,
        'transactions/receive-processor-webhook',
        () => {
          const { headers, rawBody } = account.webhook({ ...object });
          return { body: rawBody, headers, params: { processor: 'stripe', sid: site.sid } };
        },
        ({ status }) => {
          if (status !== 200) throw new Error(`A webhook was answered ${status}`);
        },
      ),
    );
  }
};

export const stripeFailures = {
  failure: { error: { type: 'api_error' } },
  tooMany: { error: { type: 'invalid_request_error', code: 'rate_limit' } },
} as const;

/** The payer at the issuer's page returns in time, much later, or never. */
const payerDecides = (means: Means, intent: Intent, random: Random): void => {
  const { world, account, plan } = means;
  if (random.chance(0.2)) return;
  const { id } = intent;
  plan(world.timeline.now + random.next() * (random.chance(0.8) ? 5 * minute : 2 * hour), () => {
    if (account.intents.get(id)?.status !== 'requires_action') return;
    account.authenticate(`https://api.stripe.com/3ds/${id}`, random.pick(['approve', 'approve', 'decline']));
    world.note(`  the payer of ${intent.id} decided: ${intent.status}`);
    tell(means, intent, random);
    if (intent.status === 'succeeded' && random.chance(0.5)) {
      issuerDisputes({ ...means, tell: (dispute) => tell(means, dispute, random) }, intent, random);
    }
  });
};

/** Pending refunds end one day, and some of those done are returned. */
const bankDecides = (means: Means, reference: string, random: Random): void => {
  const { world, account, plan } = means;
  if (means.isHasty) {
    sendBack(means, reference, random);
    return;
  }
  plan(world.timeline.now + random.next() * (random.chance(0.5) ? minute : 20 * hour), () => {
    account.settle();
    const refund = account.refunds.get(reference);
    if (!refund) return;
    tell(means, refund, random);
    if (refund.status !== 'succeeded' || !random.chance(0.2)) return;
    plan(world.timeline.now + random.next() * 20 * hour, () => {
      world.note(`  ${reference} comes back`);
      tell(means, { ...account.returnRefund(reference), id: reference }, random);
    });
  });
};

/** A refund is returned, and reported, while its effects are still under way. */
const sendBack = (means: Means, reference: string, random: Random): void => {
  const { world, account, plan } = means;
  plan(world.timeline.now + 300 + random.next() ** 3 * 6000, () => {
    account.settle();
    if (account.refunds.get(reference)?.status === 'succeeded') account.returnRefund(reference);
    const refund = account.refunds.get(reference);
    world.note(`  ${reference} comes back at once`);
    if (refund) tell(means, refund, random, [random.next() * 50]);
  });
};

const courses = [
  ['needs_response', 'won'],
  ['needs_response', 'under_review', 'won'],
  ['needs_response', 'lost'],
  ['needs_response', 'under_review', 'lost'],
  ['warning_needs_response', 'warning_closed'],
  ['warning_needs_response', 'warning_under_review', 'needs_response', 'lost'],
  ['warning_needs_response', 'needs_response', 'won'],
] as const;

/** Nothing changes after these. */
const ends = new Set(['won', 'lost', 'warning_closed']);

type Issuer = Pick<Means, 'world' | 'account' | 'plan'> & {
  tell: (object: Told) => void;
  onDispute?: (id: string) => void;
};

/** An issuer asks about a payment or charges it back, and decides some hours later. */
export const issuerDisputes = (
  { world, account, plan, tell: report, onDispute }: Issuer,
  paid: Parameters<StripeAccount['disputes']['open']>[0],
  random: Random,
): void => {
  const [first, ...then] = random.pick(courses);
  let time = world.timeline.now + random.next() * (random.chance(0.3) ? 10_000 : 40 * hour);
  plan(time, () => {
    const dispute = account.disputes.open(paid, { status: first });
    world.note(`  ${paid.id} is disputed: ${first}`);
    report(dispute);
    onDispute?.(dispute.id);
    for (const status of then) {
      time += random.next() * (random.chance(0.3) ? 1000 : 20 * hour);
      plan(time, () => {
        // Its merchant has accepted it.
        if (ends.has(dispute.status)) return;
        world.note(`  ${dispute.id} is ${status}`);
        dispute.status = status;
        report(dispute);
      });
    }
  });
};

/** Plays the effects of a request to Stripe. */
const follow = (means: Means, { id, object }: Told, random: Random): void => {
  const { account } = means;
  const intent = object === 'payment_intent' ? account.intents.get(id) : undefined;
  if (intent) {
    tell(means, intent, random);
    if (intent.status === 'requires_action') payerDecides(means, intent, random);
    if (intent.status === 'succeeded' && random.chance(0.5)) {
      issuerDisputes({ ...means, tell: (dispute) => tell(means, dispute, random) }, intent, random);
    }
  }
  const refund = object === 'refund' ? account.refunds.get(id) : undefined;
  if (!refund) return;
  tell(means, refund, random);
  bankDecides(means, id, random);
};

const isTold = (body: unknown): body is Told => typeof body === 'object' && body !== null && 'id' in body;

const stripe =
  (means: Means): Host =>
  ({ url, method, headers, body, from }) => {
    const { world, account, moods, until, muteUntil } = means;
    const random = seedRandom(world.seed, `stripe ${from.place}.${from.calls}`);
    if (url.pathname.startsWith('/v1/disputes') && world.timeline.now < muteUntil) {
      return json(500, stripeFailures.failure);
    }
    const mood =
      world.timeline.now < until && random.chance(moods * 0.3) ? drawMood(random, stripeFailures) : undefined;
    if (mood && !mood.isDone) return mood.reply;
    const known = account.answered.size;
    const request = { method, path: url.pathname, query: url.searchParams, headers, body };
    const { status, body: answer, headers: more = {} } = judge('stripe', request, account.answer(request));
    world.note(`  Stripe answered ${method} ${url.pathname} ${status}${mood ? ', which is lost' : ''}`);
    // A repeated request gets the same answer, and has no further effects.
    if (status === 200 && method === 'POST' && account.answered.size > known && isTold(answer)) {
      follow(means, answer, random);
    }
    return mood?.reply ?? { ...json(status, answer, random.next() * 400), headers: { ...more, ...jsonType } };
  };
const jsonType = { 'content-type': 'application/json' };

/** Has Stripe listen. `moods`: how often it fails, up to a time. */
export const openStripe = (means: Means): void => {
  listenAtStripe(means.world, means.account, stripe(means));
};
