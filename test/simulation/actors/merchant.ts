import { type Call, callUntilKnown } from '../gateway.ts';
import type { Observed } from '../outside-events.ts';
import type { Site } from '../setup.ts';
import { type Random, seedRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** People and systems of a merchant that answer alerts, and the operators who help them. */

const admin = { scope: 'admin', subject: 'operator', freshUntil: '2999-01-01T00:00:00.000Z' };

const updates = [
  { status: 'RESOLVED', reason_code: '951.001' },
  { status: 'RESOLVED', reason_code: '102.003' },
  { status: 'DECLINED', reason_code: '901.002' },
  { status: 'DECLINED', reason_code: '902.002' },
  { status: 'WIP', reason_code: '999.002' },
  { status: 'OTHER', reason_code: '999.002' },
] as const;

/** What is done about it, and not how it ends: it is read as WIP, and may remain the last answer. */
const contacted = { status: 'RESOLVED', reason_code: '998.001' };

/** The expected statuses of an answer: it was accepted, or another was first, or the alert accepts none. */
const expected = new Set([200, 400, 409, 422]);

/** Answers an alert, by the site's rcode or as a person with a token. */
export const answerAlert = (world: World, observed: Observed, site: Site, alertId: number, random: Random): void => {
  const drawn = random.pick(updates);
  const isInterim = drawn.status === 'WIP' && seedRandom(world.seed, `an interim answer to ${alertId}`).chance(0.5);
  const update = isInterim ? contacted : drawn;
  const isPerson = random.chance(0.2);
  const call: Call = isPerson
    ? { body: update, params: { alert_id: alertId }, caller: admin }
    : { body: { alert_id: alertId, ...update }, headers: { rcode: site.rcode } };
  callUntilKnown(
    world,
    isPerson ? 'alerts/answer-alert' : 'alerts/update-alert',
    () => call,
    ({ status, body }) => {
      if (status === 200) observed.accepted.push({ alertId, ...update, ...(isInterim && { status: 'WIP' }) });
      if (!expected.has(status)) observed.surprises.push(`An answer was answered ${status} ${JSON.stringify(body)}`);
    },
  );
};

/** Refunds a charge at the merchant's own processor for an alert, by hand. */
export const refundByHand = (
  world: World,
  alertId: number,
  charge: { connection: string; reference: string; amount?: string },
): void =>
  callUntilKnown(
    world,
    'refunds/refund-alert',
    () => ({ body: { ...charge, currency: 'USD' }, params: { alert_id: alertId }, caller: admin }),
    () => undefined,
  );

/** Has a notification sent again. */
export const replay = (world: World, observed: Observed, deliveryId: string): void => {
  // From here on: whoever asks may be answered only after it was sent.
  observed.replays.add(deliveryId);
  callUntilKnown(
    world,
    'webhooks/replay',
    () => ({ body: {}, params: { id: deliveryId }, caller: admin }),
    () => undefined,
  );
};

/** Has a provider told once more. */
export const replayOutcome = (world: World, id: string): void => {
  callUntilKnown(
    world,
    'outcomes/replay-outcome',
    () => ({ body: {}, params: { id }, caller: admin }),
    () => undefined,
  );
};
