import { answerAlert, refundByHand } from './actors/merchant.ts';
import { hasOffers, offerAlert } from './actors/networks.ts';
import { makeMessage, sendCase, sendMessage, withdrawCase } from './actors/providers.ts';
import { newCase, playAlert } from './alert-play.ts';
import { callUntilKnown } from './gateway.ts';
import type { Case, InboxCase } from './outside-events.ts';
import { chargeElsewhere, type Means } from './scenes.ts';
import { descriptorOf, rdrPlaces } from './setup.ts';
import { type Random, seedRandom } from './world/random.ts';

/** Scenes about what operators and merchants set up while alerts come in, and about alerts that are fetched. */

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const admin = { scope: 'admin', subject: 'operator', freshUntil: '2999-01-01T00:00:00.000Z' };

/** Assigns an alert of the inbox to a site. */
const assign = (means: Means, inbox: InboxCase, alertId: number, isFirst: boolean, random: Random): void => {
  const { world, stage, observed } = means;
  const site = isFirst ? stage.alertSite : stage.ruledSite;
  callUntilKnown(
    world,
    'alerts/assign-alert',
    () => ({ body: { sid: site.sid }, params: { alert_id: alertId }, caller: admin }),
    ({ status, body }) => {
      world.note(`  alert ${alertId} assigned to ${site.sid}: ${status}`);
      if (status === 200) inbox.assigned.add(site.sid);
      else if (status !== 409) observed.surprises.push(`An assignment was answered ${status} ${JSON.stringify(body)}`);
      if (status === 200 && random.chance(0.6)) {
        const at = world.timeline.now + random.next() * (random.chance(0.5) ? 4000 : 30 * hour);
        means.plan(at, () => answerAlert(world, observed, site, alertId, random));
      }
    },
  );
};

/** The merchant enrolls the descriptor of an alert that no site has received. */
const enroll = ({ world, stage, observed }: Means, inbox: InboxCase): void => {
  const item = { descriptor: descriptorOf('unknown'), mcc: '5732', match_type: 'Exact' };
  const { acquirerBin, cardAcceptorId } = rdrPlaces.unknown;
  const enrollment_items = [
    { provider: ['provider_a', 'provider_b'], ...item },
    { provider: ['rdr'], descriptor: item.descriptor, network_bin: acquirerBin, network_caid: cardAcceptorId },
  ];
  callUntilKnown(
    world,
    'enrollments/create-enrollment',
    () => ({ body: { sid: stage.alertSite.sid, email_cc_list: '', enrollment_items }, caller: admin }),
    ({ status, body }) => {
      // A lost answer: what was enrolled cannot be enrolled again.
      if (status === 200 || status === 409) inbox.isEnrolled = true;
      else observed.surprises.push(`An enrollment was answered ${status} ${JSON.stringify(body)}`);
    },
  );
};

/** An alert that no site matches: operators assign it, at once to two sites sometimes, or its descriptor is enrolled. */
const playInbox = (means: Means, random: Random): void => {
  const { world, observed, start, plan } = means;
  const sent: Case = { ...newCase(600, undefined, random), informs: false };
  const inbox: InboxCase = { sent, assigned: new Set(), isEnrolled: false };
  observed.cases.push(sent);
  observed.inbox.push(inbox);
  const at = start + random.next() * 5 * second;
  const disputed = {
    amount: random.pick(['12.00', '64.00']),
    card: { first6: '411111', last4: '1111' },
    at: new Date(start - 50 * hour).toISOString(),
    arn: undefined,
  };
  const copies = random.chance(0.3) ? 2 : 1;
  plan(at, () =>
    sendCase(world, sent, disputed, { place: 'unknown', copies, onAcknowledged: () => undefined }, random),
  );
  if (random.chance(0.5)) plan(at + (random.next() - 0.3) * minute, () => enroll(means, inbox));
  const assignments = random.pick([0, 1, 1, 2, 3]);
  const moment = at + random.next() * (random.chance(0.5) ? 2 * minute : 20 * hour);
  for (let one = 0; one < assignments; one += 1) {
    const isFirst = random.chance(0.6);
    plan(moment + random.next() * 50, () => {
      for (const alertId of [...sent.alertIds].slice(0, 1)) assign(means, inbox, alertId, isFirst, random);
    });
  }
  if (sent.provider !== 'provider_a' && random.chance(0.2)) {
    plan(at + random.next() * (random.chance(0.5) ? 2 * minute : 30 * hour), () => withdrawCase(world, sent));
  }
};

/** Alerts that are fetched each minute from provider_a, some of which are also sent. */
const playPulled = (means: Means, random: Random): void => {
  const { world, observed, start, plan } = means;
  const several = random.pick([1, 2, 3, 28]);
  for (let one = 0; one < several; one += 1) {
    const sent: Case = { ...newCase(700 + one, undefined, random), provider: 'provider_a', informs: false };
    const disputed = {
      amount: `${20 + one}.00`,
      card: { first6: '411111', last4: '1111' },
      at: new Date(start - 50 * hour).toISOString(),
      arn: undefined,
    };
    const place = 'plain';
    const send = (own: Random): void => {
      const message = makeMessage(sent, disputed, place, own);
      offerAlert(world, sent, message);
      if (!own.chance(0.3)) return;
      const once = { copies: 1, onAcknowledged: () => undefined };
      plan(world.timeline.now + own.next() * 2 * minute, () => sendMessage(world, sent, message, once, own));
    };
    if (several < 4) playAlert(means, sent, { disputed, place, send });
    else {
      observed.cases.push(sent);
      plan(start + random.next() * minute, () => send(random));
    }
  }
  // Each minute, until the network has nothing more to offer. A slot may be asked for twice or never.
  const pull = (): void => {
    const slot = new Date(Math.floor(world.timeline.now / minute) * minute).toISOString();
    world.queues.send('pull-a', JSON.stringify({ slot }));
    if (hasOffers(world) || world.timeline.now < start + 10 * minute) plan(world.timeline.now + minute, pull);
  };
  plan(start + random.next() * minute, pull);
};

/** A merchant connects a processor of its own while alerts about charges there come in, and refunds by hand there. */
const playNewcomer = (means: Means, random: Random): void => {
  const { world, stage, observed, start, plan } = means;
  const charge = chargeElsewhere(random, start);
  const sent = newCase(800, random.chance(0.7) ? charge.arn : undefined, random);
  const disputed = { ...charge, card: { first6: '411111', last4: '1111' }, arn: sent.arn };
  playAlert(means, sent, { disputed, place: 'plain' });
  const connect = (): void =>
    callUntilKnown(
      world,
      'connections/set-connections',
      () => ({
        body: { connections: [{ kind: 'sandbox', label: 'New', sids: [stage.alertSite.sid] }] },
        params: { mid: stage.mid },
        caller: admin,
      }),
      ({ status, body }) => {
        if (status !== 200) observed.surprises.push(`A connection was answered ${status} ${JSON.stringify(body)}`);
        const [{ id } = { id: '' }] = (body['connections'] ?? []) as { id: string }[];
        const times = random.pick([0, 1, 2]);
        for (let time = 0; time < times; time += 1) {
          plan(world.timeline.now + random.next() * (random.chance(0.5) ? 8 * second : 30 * hour), () => {
            const { reference } = charge;
            for (const alertId of sent.alertIds) refundByHand(world, alertId, { connection: id, reference });
          });
        }
      },
    );
  plan(start + random.next() * (random.chance(0.6) ? 5 * second : 10 * hour), connect);
};

/** A third of all histories have one of these, in addition to everything else. */
export const playFurther = (means: Means): void => {
  const random = seedRandom(means.world.seed, 'further scene');
  if (random.chance(0.33)) random.pick([playInbox, playInbox, playPulled, playNewcomer])(means, random);
};
