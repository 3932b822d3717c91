import { outcomeQueues } from '#disputes/providers/providers.ts';
import { makeArn } from '#test/support/arns.ts';
import { adyenNumbers, openAdyen } from './actors/adyen.ts';
import { handleDispute, setRule } from './actors/chargebacks.ts';
import { refundByHand } from './actors/merchant.ts';
import { chargeBack, openNmi } from './actors/nmi.ts';
import { authenticate, payersNumbers } from './actors/payer.ts';
import { drawAmount, followUp, pay, payOut, type Shop } from './actors/shop.ts';
import { openStripe, stripeNumbers } from './actors/stripe.ts';
import { disputeElsewhere, openElsewhere } from './actors/stripe-elsewhere.ts';
import { newCase, playAlert } from './alert-play.ts';
import type { Observed, Payment } from './outside-events.ts';
import type { Stage } from './setup.ts';
import { openBucket } from './world/bucket.ts';
import { type Random, seedRandom } from './world/random.ts';
import type { World } from './world/world.ts';

/** The events in addition to a history's alerts and payments, in some: each scene has a part of the service to itself. */

export type Means = {
  world: World;
  stage: Stage;
  observed: Observed;
  start: number;
  /** The rate at which networks and processors fail. */
  moods: number;
  /** Schedules an action; the history does not rest before. */
  plan: (time: number, act: () => void) => void;
};

const hour = 3_600_000;
/** From then on no outside party fails any more. */
const calmAfter = 40 * hour;

type Trade = {
  site: Shop['site'];
  /** The prefix of its payments. */
  name: string;
  /** Their cards: the usual one, how often it is used, and all that there are. */
  cards: readonly [string, ...string[]];
  usual: number;
  /** Further actions after a payment. */
  onPaid?: (payment: Payment, number: number) => void;
};

/** One or two payments of a shop, and what it does with them afterwards. */
const playTrade = ({ world, observed, start, plan }: Means, random: Random, trade: Trade): void => {
  const { site, name, cards, usual, onPaid } = trade;
  const shop = { world, observed, site };
  const payments = 1 + random.int(2);
  for (let number = 0; number < payments; number += 1) {
    const payment: Payment = {
      tid: `${name}-${number}`,
      action: random.chance(0.3) ? 'PREAUTH' : 'PAYMENT',
      amount: drawAmount(random, random.chance(0.5)),
      number: random.chance(usual) ? cards[0] : random.pick(cards),
      txids: new Set(),
    };
    observed.payments.push(payment);
    plan(start + random.next() * 3000, () =>
      pay(shop, payment, random.chance(0.2), (result) => {
        const txid = Number(result['txid']);
        const { now } = world.timeline;
        onPaid?.(payment, number);
        const acts = random.int(4);
        for (let act = 0; act < acts; act += 1) {
          const time = random.chance(0.5) ? now + random.next() * 8000 : now + random.next() * 50 * hour;
          plan(time, () => followUp(shop, { txid, amount: payment.amount, alertId: null }, random));
        }
      }),
    );
  }
};

/** A store at Stripe, whose webhooks, payers, banks and issuers all have their own time. */
const playStore = (means: Means, random: Random): void => {
  const { world, stage, observed, start, moods, plan } = means;
  const site = stage.store;
  const isHasty = seedRandom(world.seed, 'haste').chance(0.4);
  // So that refunds are returned before the networks are notified of them: these have many outcomes before.
  if (isHasty) for (const queue of outcomeQueues) world.queues.backlogs.set(queue, 10_000);
  const isMute = moods > 0 && seedRandom(world.seed, 'muteness').chance(0.2);
  const muteUntil = isMute ? start + 30 * hour : 0;
  openBucket(world);
  setRule({ world, observed, plan }, site.sid, seedRandom(world.seed, 'a rule about chargebacks'));
  const onDispute = (reference: string): void =>
    handleDispute({ world, observed, plan }, reference, seedRandom(world.seed, `people at ${reference}`));
  const until = start + calmAfter;
  openStripe({ world, account: observed.stripe, site, moods, until, muteUntil, isHasty, onDispute, plan });
  const onPaid = ({ number: digits = '', amount }: Payment, number: number): void => {
    const { now } = world.timeline;
    if (!random.chance(0.5) && !isHasty) return;
    const ends = { first6: digits.slice(0, 6), last4: digits.slice(-4) };
    const disputed = { amount, card: ends, at: new Date(now).toISOString(), arn: undefined };
    const sent = newCase(300 + number, undefined, random);
    playAlert({ ...means, start: now + random.next() * 10_000 }, sent, { disputed, place: 'linked' });
    // The network has refunded it; an issuer that does not know asks for the same money.
    const own = seedRandom(world.seed, `after the refund of ${sent.caseId}`);
    if (sent.provider !== 'rdr' || !own.chance(0.7)) return;
    const later = {
      ...newCase(350 + number, undefined, own),
      provider: own.pick(['provider_a', 'provider_b'] as const),
    };
    playAlert({ ...means, start: now + own.next() * 40 * hour }, later, { disputed, place: 'linked' });
  };
  playTrade(means, random, { site, name: 'store', cards: stripeNumbers, usual: 0.3, onPaid });
};

/** Payers who are authenticated before they pay, and shops that try what must not be. */
const playPayers = ({ world, stage, observed, start, plan }: Means, random: Random): void => {
  const means = { world, observed, site: stage.gate, shop: { world, observed, site: stage.shop }, plan };
  const payers = 1 + random.int(2);
  for (let payer = 0; payer < payers; payer += 1) {
    const own = seedRandom(world.seed, `payer ${payer}`);
    const wanted = { tid: `auth-${payer}`, amount: drawAmount(own, false), number: own.pick(payersNumbers) };
    plan(start + own.next() * 3000, () => authenticate(means, wanted, own));
  }
};

/** A shop that takes a payment and sends money on, at moments at which there is too little for all of it. */
const playPayouts = ({ world, stage, observed, start, plan }: Means, random: Random): void => {
  const shop = { world, observed, site: stage.shop };
  const taken: Payment = { tid: 'taken', action: 'PAYMENT', amount: '40.00', txids: new Set() };
  observed.payments.push(taken);
  const courses = ['00', '00', '61', '62', '66', '67'] as const;
  plan(start, () =>
    pay(shop, taken, false, (result) => {
      const { now } = world.timeline;
      const times = 1 + random.int(3);
      for (let time = 0; time < times; time += 1) {
        const at = now + random.next() * (random.chance(0.6) ? 9000 : 20 * hour);
        const several = 1 + random.int(3);
        for (let one = 0; one < several; one += 1) {
          const tid = `sent-${time}-${one}`;
          const amount = `${5 + random.int(30)}.${random.pick(courses)}`;
          plan(at + random.next() * 30, () => payOut(shop, { tid, amount, txids: new Set() }, 3 * time + one));
        }
      }
      if (!random.chance(0.5)) return;
      plan(now + random.next() * 10_000, () =>
        followUp(shop, { txid: Number(result['txid']), amount: taken.amount, alertId: null }, random),
      );
    }),
  );
};

/** Charges of the sandbox that a merchant is said to have taken elsewhere, by number; see docs/connections.md. */
const chargesElsewhere = [
  { number: 1, amount: '19.99' },
  { number: 2, amount: '45.20' },
  { number: 3, amount: '39.00' },
  { number: 6, amount: '50.00' },
  { number: 8, amount: '25.00' },
  { number: 9, amount: '12.61' },
  { number: 10, amount: '12.62' },
  { number: 11, amount: '12.65' },
  { number: 12, amount: '12.66' },
] as const;

/** Draws a charge that a merchant took at its own sandbox, a day and a half before a time. */
export const chargeElsewhere = (random: Random, start: number) => {
  const { number, amount } = random.pick(chargesElsewhere);
  const day = new Date(start - 36 * hour).toISOString().slice(0, 10);
  const at = new Date(Date.parse(day) + (number - 1) * hour).toISOString();
  const digits = day.replaceAll('-', '');
  const arn = makeArn(`7465${digits}${String(number).padStart(10, '0')}`);
  return { amount, at, arn, reference: `sbc_${digits}_${String(number).padStart(2, '0')}` };
};

/** Alerts about charges at a merchant's own processor, several about the same, which rules and people refund there. */
const playLinked = (means: Means, random: Random): void => {
  const { world, stage, start, plan } = means;
  const { amount, at, arn, reference } = chargeElsewhere(random, start);
  const several = 1 + random.int(3);
  for (let one = 0; one < several; one += 1) {
    const sent = newCase(200 + one, random.chance(0.7) ? arn : undefined, random);
    const disputed = { amount, card: { first6: '411111', last4: '1111' }, at, arn: sent.arn };
    playAlert(means, sent, { disputed, place: 'linked' });
    const times = random.pick([0, 0, 1, 2]);
    for (let time = 0; time < times; time += 1) {
      const part = random.chance(0.3) ? { amount: '5.00' } : {};
      plan(start + random.next() * (random.chance(0.5) ? 8000 : 30 * hour), () => {
        for (const alertId of sent.alertIds) {
          refundByHand(world, alertId, { connection: stage.connection, reference, ...part });
        }
      });
    }
  }
};

/** Alerts about charges at a merchant's own account of NMI, refunded there by rules and by hand; some are charged back. */
const playImporter = (means: Means, random: Random): void => {
  const { world, stage, observed, start, moods, plan } = means;
  const { nmi: account } = observed;
  openNmi({ world, account, moods, until: start + calmAfter });
  // Requests may arrive five minutes late, by which time reports show them.
  account.lag = random.pick([0, 0, 4000, 60_000]);
  const madeAt = start - (6 + random.int(30)) * hour;
  const minor = random.pick([1999, 4200, 8050]);
  const charge = account.charge({ minor, number: '4111111111111111', at: madeAt });
  if (random.chance(0.7)) account.settle();
  else plan(start + random.next() * 20 * hour, () => account.settle());
  const amount = (minor / 100).toFixed(2);
  const several = 1 + random.int(3);
  for (let one = 0; one < several; one += 1) {
    const sent = newCase(400 + one, undefined, random);
    const disputed = {
      amount,
      card: { first6: '411111', last4: '1111' },
      at: new Date(madeAt).toISOString(),
      arn: undefined,
    };
    playAlert(means, sent, { disputed, place: 'importer' });
    const times = random.pick([0, 0, 1, 2]);
    for (let time = 0; time < times; time += 1) {
      const part = random.chance(0.3) ? { amount: '5.00' } : {};
      plan(start + random.next() * (random.chance(0.5) ? 8000 : 30 * hour), () => {
        const { connection } = stage.importer;
        for (const alertId of sent.alertIds)
          refundByHand(world, alertId, { connection, reference: charge.id, ...part });
      });
    }
  }
  if (!random.chance(0.5)) return;
  const time = start + random.next() * 30 * hour;
  plan(time, () => chargeBack({ world, account, plan }, stage, { id: charge.id, minor }, random));
  // In addition to webhooks, the account is read each day. One such read may fail, or its sweep may not take place.
  plan(time + 84 * hour, () => undefined);
};

/** A shop at Adyen: its payments, what it does with them, and what issuers do. */
const playBoutique = (means: Means, random: Random): void => {
  const { world, stage, observed, start, moods, plan } = means;
  const site = stage.boutique;
  const isForgetful = seedRandom(world.seed, 'forgetfulness').chance(0.5);
  openAdyen({ world, observed, site, moods, until: start + calmAfter, isForgetful, plan });
  playTrade(means, random, { site, name: 'boutique', cards: adyenNumbers, usual: 0.5 });
};

/** Alerts about charges at a merchant's own account of Stripe, refunded there by rules and by hand; banks send some of that back. */
const playExporter = (means: Means, random: Random): void => {
  const { world, stage, observed, start, moods, plan } = means;
  const { elsewhere: account } = observed;
  const atStripe = { world, account, stage, moods, until: start + calmAfter, plan };
  openElsewhere(atStripe);
  const madeAt = start - (6 + random.int(30)) * hour;
  const minor = random.pick([1999, 4200, 8050]);
  const number = random.pick(['4111111111111111', '4111111111111111', '4000000000007726']);
  const charge = account.elsewhere.add({ minor, number, at: madeAt });
  plan(start, () => disputeElsewhere(atStripe, charge, seedRandom(world.seed, 'issuers of the exporter')));
  const amount = (minor / 100).toFixed(2);
  const several = 1 + random.int(2);
  for (let one = 0; one < several; one += 1) {
    const sent = newCase(500 + one, undefined, random);
    const ends = { first6: number.slice(0, 6), last4: number.slice(-4) };
    const disputed = { amount, card: ends, at: new Date(madeAt).toISOString(), arn: undefined };
    playAlert(means, sent, { disputed, place: 'exporter' });
    const times = random.pick([0, 0, 1, 2]);
    for (let time = 0; time < times; time += 1) {
      const part = random.chance(0.3) ? { amount: '5.00' } : {};
      plan(start + random.next() * (random.chance(0.5) ? 8000 : 60 * hour), () => {
        const { connection } = stage.exporter;
        for (const alertId of sent.alertIds)
          refundByHand(world, alertId, { connection, reference: charge.id, ...part });
      });
    }
  }
};

/** Scenes that take place in addition to all others: they have draws of their own. */
type Extra = (means: Means) => void;
export const drawExtra = (seed: number): Extra | undefined => {
  const random = seedRandom(seed, 'extra scene');
  const scene = random.chance(0.3) ? random.pick([playImporter, playBoutique, playExporter]) : undefined;
  if (!scene) return undefined;
  return (means) => {
    // Connections of merchants are looked at each day, whatever happens there.
    openNmi({ world: means.world, account: means.observed.nmi, moods: 0, until: 0 });
    openElsewhere({ ...means, account: means.observed.elsewhere, moods: 0, until: 0 });
    scene(means, random);
  };
};

/** Half of all histories have one of these. */
export const playScene = (means: Means): void => {
  const random = seedRandom(means.world.seed, 'scene');
  if (random.chance(0.5)) return;
  random.pick([playStore, playStore, playLinked, playLinked, playPayers, playPayouts])(means, random);
};
