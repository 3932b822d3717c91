import { createHmac } from 'node:crypto';
import type { Observed, Post } from '../outside-events.ts';
import type { Stage } from '../setup.ts';
import type { Host, Reply, Request } from '../world/network.ts';
import { type Random, seedRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** The endpoints of merchants: they take notifications, or fail in all the ways that endpoints do. */
export type Temper = {
  /** The rate at which an endpoint answers 500. */
  failing: number;
  /** The rate at which it hangs, breaks off, redirects or answers garbage. */
  hostility: number;
  /** The rate at which the reply to a new alert carries an update. */
  answering: number;
  /** Up to when it fails at all. */
  until: number;
};

const hour = 3_600_000;

/** Draws the behaviour of one history's endpoints, alike at all sites; shops recover sooner, as they receive more. */
export const drawTempers = (random: Random, start: number, hostility: number): { alerts: Temper; shop: Temper } => {
  const temper = { failing: random.pick([0, 0, 0.3, 0.7, 1]), hostility, answering: random.pick([0, 0.3]) };
  const shopHours = random.chance(0.03) ? 80 : random.next() * 3;
  return {
    // Some take nothing until it is too late: so that last slots come, and are missed.
    alerts: random.chance(0.12)
      ? { ...temper, failing: 1, until: start + 80 * hour }
      : { ...temper, until: start + random.pick([2, 20, 50]) * hour },
    shop: { ...temper, until: start + shopHours * hour },
  };
};

const updatesInReplies = [
  { status: 'RESOLVED', reason_code: '951.001' },
  { status: 'DECLINED', reason_code: '901.002' },
  { status: 'WIP', reason_code: '999.002' },
  // One that is refused.
  { status: 'DECLINED', reason_code: '777.001' },
] as const;

/** The sender's time limit for an answer. */
const patience = 15_000;

const answerWith = (status: number, delay: number, body = 'ok', type = 'text/plain'): Reply => ({
  kind: 'answer',
  status,
  delay,
  body,
  headers: { 'content-type': type },
});

const rudeness = (random: Random, delay: number): Reply =>
  random.pick([
    { kind: 'silence' },
    { kind: 'reset', delay },
    answerWith(301, delay),
    answerWith(404, delay, '<html>'),
    answerWith(200, 14_000 + random.next() * 4000),
    answerWith(200, delay, 'x'.repeat(40_000)),
    answerWith(200, delay, '{"status":', 'application/json'),
  ] as const satisfies readonly Reply[]);

const drawReply = (random: Random, temper: Temper, isNewAlert: boolean, time: number): Reply => {
  const delay = random.chance(0.1) ? random.next() * 9000 : random.next() * 300;
  const isPast = time > temper.until;
  if (!isPast && random.chance(temper.hostility * 0.3)) return rudeness(random, delay);
  if (!isPast && random.chance(temper.failing)) return answerWith(500, delay, 'later');
  if (!isNewAlert || !random.chance(temper.answering)) return answerWith(200, delay);
  return answerWith(200, delay, JSON.stringify(random.pick(updatesInReplies)), 'application/json');
};

const isSigned = ({ headers, body }: Request, secret: string): boolean => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
};

type Opened = {
  world: World;
  observed: Observed;
  temper: Temper;
  secret: string;
  /** Called with each new alert in the moment that its answer is on the way. */
  onNewAlert: (alertId: number, answerAt: number) => void;
};

const endpoint =
  ({ world, observed, temper, secret, onNewAlert }: Opened): Host =>
  (request) => {
    const { headers, body, from } = request;
    const messageId = headers['webhook-id'] ?? '';
    const number = observed.posts.filter((post) => post.messageId === messageId).length;
    const random = seedRandom(world.seed, `POST ${messageId} ${number}`);
    const form = new URLSearchParams(body);
    const isNewAlert = form.has('alert_id') && !form.has('action');
    const reply = drawReply(random, temper, isNewAlert, world.timeline.now);
    const delay = reply.delay ?? 0;
    const post: Post = {
      time: world.timeline.now,
      deliveryId: /^ntf_\d+/.exec(messageId)?.[0] ?? messageId,
      messageId,
      action: isNewAlert ? form.get('alert_action') : null,
      timestamp: Number(headers['webhook-timestamp']),
      run: from,
      isTaken: reply.kind === 'answer' && reply.status < 300 && reply.status >= 200 && delay < patience,
      isSignedRightly: isSigned(request, secret),
    };
    observed.posts.push(post);
    world.note(`  endpoint got ${messageId}, ${post.isTaken ? 'took it' : `did not take it: ${reply.kind}`}`);
    world.onText('post', body);
    if (isNewAlert) onNewAlert(Number(form.get('alert_id')), world.timeline.now + delay);
    return reply;
  };

/** Opens the endpoints of all sites of the stage. */
export const openEndpoints = (
  world: World,
  { alertSite, ruledSite, shop, store, linkedSite, importer, boutique, exporter }: Stage,
  { tempers, ...opened }: Omit<Opened, 'world' | 'secret' | 'temper'> & { tempers: { alerts: Temper; shop: Temper } },
): void => {
  for (const [{ host, signingSecret: secret }, temper] of [
    [alertSite, tempers.alerts],
    [ruledSite, tempers.alerts],
    [linkedSite, tempers.alerts],
    [importer, tempers.alerts],
    [exporter, tempers.alerts],
    [shop, tempers.shop],
    [store, tempers.shop],
    [boutique, tempers.shop],
  ] as const) {
    world.network.listen(host, endpoint({ ...opened, world, secret, temper }));
  }
};
