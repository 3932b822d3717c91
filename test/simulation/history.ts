import { makeArn } from '#test/support/arns.ts';
import { drawTempers, openEndpoints } from './actors/endpoints.ts';
import { answerAlert } from './actors/merchant.ts';
import { openNetworks } from './actors/networks.ts';
import { card, drawAmount, followUp, pay } from './actors/shop.ts';
import { newCase, playAlert } from './alert-play.ts';
import { secrets } from './environment.ts';
import { connect } from './functions.ts';
import { playFurther } from './further-scenes.ts';
import { playImport } from './import-scene.ts';
import { mayWait } from './invariants.ts';
import { endPauses, forgetSecrets, keepSecrets, settleModules } from './modules.ts';
import { nothingObserved, type Payment } from './outside-events.ts';
import { type Profile, type ProfileName, profiles } from './profiles.ts';
import { beforeRelease } from './ready.ts';
import { drawCourse, isPrevious } from './releases.ts';
import { playRotation, rotatesKeys } from './rotation-scene.ts';
import { drawExtra, type Means, playScene } from './scenes.ts';
import { isOfSecond, secondProcess } from './second-process.ts';
import { type Stage, stageReady } from './setup.ts';
import { playShopOrders } from './shop-orders-scene.ts';
import { Watch } from './table-history.ts';
import { enter } from './world/machine.ts';
import { type Random, seedRandom } from './world/random.ts';
import { World } from './world/world.ts';

/** One history: some alerts, some payments, all their actors, and the faults. */

const hour = 3_600_000;
const slot = 12 * hour;
const noon = stageReady + 20 * slot;

export type Asked = {
  seed: number;
  profile: ProfileName;
  /** Only these faults strike. */
  only?: ReadonlySet<string>;
  isTraced?: boolean;
};
export type Told = { seed: number; profile: ProfileName } & {
  /** The broken invariants, by name. */
  violations: { invariant: string; details: string }[];
  digest: string;
  /** The faults that struck. */
  struck: readonly string[];
  calls: number;
  trace: readonly string[];
};

/** A time to begin: often a moment before or after a sweep, so that attempts go across it. */
const beginning = (random: Random): number =>
  random.chance(0.4) ? noon + (random.next() - 0.5) * 8000 : noon - random.next() * slot;

const pickPlace = (isRuled: boolean): 'ruled' | 'plain' => (isRuled ? 'ruled' : 'plain');

/** A payment, what its shop does with it, and perhaps a dispute about it. */
const playPayment = (means: Means, number: number): void => {
  const { world, stage, observed, start, plan } = means;
  const random = seedRandom(world.seed, `payment ${number}`);
  const [isDisputed, isRuled] = [random.chance(0.6), random.chance(0.6)];
  const payment: Payment = {
    tid: `order-${number}`,
    action: random.chance(0.3) ? 'PREAUTH' : 'PAYMENT',
    amount: drawAmount(random, isRuled),
    txids: new Set(),
  };
  const shop = { world, observed, site: stage.shop };
  observed.payments.push(payment);
  const dispute = isDisputed ? newCase(100 + number, undefined, random) : undefined;
  plan(start + random.next() * 3000, () =>
    pay(shop, payment, random.chance(0.3), (result) => {
      const txid = Number(result['txid']);
      const { now } = world.timeline;
      const acts = random.int(5);
      for (let act = 0; act < acts; act += 1) {
        const time = random.chance(0.6) ? now + random.next() * 8000 : now + random.next() * 30 * hour;
        plan(time, () => {
          const alertId = [...(dispute?.alertIds ?? [])][0] ?? null;
          followUp(shop, { txid, amount: payment.amount, alertId }, random);
        });
      }
      if (!dispute) return;
      const disputed = { ...card, amount: payment.amount, card, at: new Date(now).toISOString(), arn: undefined };
      playAlert({ ...means, start: now + random.next() * 10_000 }, dispute, { disputed, place: pickPlace(isRuled) });
    }),
  );
};

const play = (means: Means, random: Random): void => {
  const alerts = random.pick([0, 0, 1, 1, 2, 3]);
  const payments = alerts === 0 ? 1 + random.int(2) : random.pick([0, 0, 0, 1]);
  const sharedArn = random.chance(0.4) ? '24692161070000622606414' : undefined;
  const at = new Date(means.start - 50 * hour).toISOString();
  for (let number = 0; number < alerts; number += 1) {
    const arn = sharedArn ?? (random.chance(0.5) ? makeArn(`246921610700006226064${number}`) : undefined);
    const disputed = { amount: `${10 + 8 * number}.00`, card: { first6: '411111', last4: '1111' }, at, arn };
    playAlert(means, newCase(number, arn, random), { disputed, place: pickPlace(random.chance(0.3)) });
  }
  for (let number = 0; number < payments; number += 1) playPayment(means, number);
};

/** After this time everything is done or expired. */
const longest = 190 * hour;
/** The time for which everything must be at rest before a history is over. */
const restful = 3 * hour;

/** Lets one history happen, and judges it. */
export const tell = async ({ seed, profile, only, isTraced = false }: Asked, usual: Stage): Promise<Told> => {
  const { rates, hostility, moods, isRelease }: Profile = profiles[profile];
  const random = seedRandom(seed, 'history');
  const start = beginning(random);
  const begun = start - 60_000;
  const extra = drawExtra(seed);
  const course = isRelease && drawCourse(seed, start);
  const before = course && (await beforeRelease());
  const stage = course?.first === 'previous' && before ? before.earlier : usual;
  // Histories with two releases have two processes already.
  const second = !course && rotatesKeys(seed) ? await secondProcess() : undefined;
  const rows = extra ? stage.moreRows : stage.rows;
  const world = new World({ seed, rates, secrets, rows, start: begun, isTraced, ...(only && { only }) });
  if (second) {
    await forgetSecrets();
    await forgetSecrets(second);
  }
  enter(world);
  try {
    settleModules(world);
    await endPauses(world);
    if (before) settleModules(world, before.previous);
    if (second) {
      settleModules(world, second);
      await endPauses(world, second.pullAtSlot);
    }
    const observed = nothingObserved();
    const watch = new Watch(world, stage, observed, profile);
    if (before && course) connect(world, { previous: before.previous, isPrevious: () => isPrevious(world, course) });
    else connect(world, second && { previous: second, isPrevious: () => isOfSecond(world) });
    const isAnsweredAtOnce = random.chance(0.3);
    // An answer in the very moment in which the delivery ends.
    const onNewAlert = (alertId: number, answerAt: number): void => {
      if (!isAnsweredAtOnce || !observed.cases.some(({ alertIds }) => alertIds.has(alertId))) return;
      const aimed = seedRandom(seed, `answer ${alertId}`);
      const sid = world.table.items.get(`ALERT#${alertId}\nALERT`)?.['sid'];
      const site =
        [stage.ruledSite, stage.linkedSite, stage.importer, stage.exporter].find((one) => one.sid === sid) ??
        stage.alertSite;
      world.timeline.at(answerAt + (aimed.next() - 0.5) * 40, () => answerAlert(world, observed, site, alertId, aimed));
    };
    openEndpoints(world, stage, { observed, tempers: drawTempers(random, start, hostility), onNewAlert });
    openNetworks({ world, observed, moods, until: start + 40 * hour });
    world.schedules.sweep(begun, start + longest);
    world.expireRows(begun, start + longest);
    let lastAct = start;
    const plan = (time: number, act: () => void): void => {
      lastAct = Math.max(lastAct, time);
      world.timeline.at(time, act);
    };
    const means = { world, stage, observed, start, moods, plan };
    play(means, random);
    playScene(means);
    playFurther(means);
    // The previous release has neither.
    if (!course) playImport(means);
    if (!course) playShopOrders(means);
    extra?.(means);
    if (second) playRotation(means);
    await untilRest(world, start + longest, () => world.timeline.now > lastAct);
    const violations = watch.judge();
    // Years later: what has a time to live is gone, and lists count what is left.
    world.table.expire(Number.POSITIVE_INFINITY, () => 0);
    await world.timeline.runUntil(world.timeline.now + hour);
    violations.push(...watch.judgeCounts());
    const { calls, trace } = world;
    return { seed, profile, violations, digest: watch.digest(), struck: world.faults.struck, calls, trace };
  } finally {
    enter(undefined);
    if (second) await keepSecrets();
  }
};

/** Runs until nothing is due and no actor acts any more, or for as long as anything can be due. */
const untilRest = async (world: World, end: number, areAllDone: () => boolean): Promise<void> => {
  const { timeline } = world;
  // Twice: a sweep in between may begin what another one ends.
  let rests = 0;
  while (rests < 2 && timeline.now < end) {
    await timeline.runUntil(timeline.now + restful);
    rests = areAllDone() && isAtRest(world) ? rests + 1 : 0;
  }
  if (rests < 2) await timeline.runUntil(timeline.now + restful);
};

const isAtRest = ({ table, queues, schedules }: World): boolean =>
  queues.isEmpty() &&
  schedules.pending.size === 0 &&
  ![...table.items.values()].some((row) => row['duePk'] !== undefined && !mayWait(row, table.items));
