import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { delayUntil } from '#core/platform/work/delay.ts';
import { handler as tell } from '#disputes/outcomes/jobs/tell-provider-a/handler.ts';
import { messagesFor } from '#jobs/due-routing.ts';
import { handler as sweep } from '#jobs/sweep/handler.ts';
import { clockAt, fakeQueues, sqsEvent } from '#test/messaging/support.ts';
import { untilKilled, useMortality } from '#test/payments/transactions/killed-process.ts';
import { useTable } from '#test/support/table.ts';
import { answer, changes, networks, outcomeAt, seedAlert, statusUpdatesOf, useNetworks } from './fixture.ts';

/**
 * Outcomes in a world that goes wrong: update, router, worker and sweep run as they are, against the table and the network;
 * stream, queue and clock are played. Everything follows from a seed.
 */
useTable();
const queues = fakeQueues();
useNetworks();
useMortality();
afterEach(() => setClock());

const [second, minute, hour] = [1000, 60_000, 3_600_000];
/** Longer than a lease. */
const visibility = 90 * second;

/** The faults, as a chance from 0 to 1 each time; all of them end with the fifth hour. */
type Trouble = { double: number; lose: number; late: number; kill: number; fail: number };
type Step = { after: number; update: Record<string, unknown> };
type Message = { body: { alertId: number; at?: string }; visibleAt: number };

/** A linear congruential generator: Numerical Recipes' constants. */
const chances = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const faults = [
  { lost: true },
  { status: 503 },
  { status: 500, recoverable: false },
  { status: 429, headers: { 'retry-after': '180' } },
  { status: 200, recoverable: true },
  { status: 401 },
] as const;

let days = 0;

/** Lives through an alert's days; answers how often the merchant's updates were accepted, and which. */
const live = async (steps: readonly Step[], seed: number, trouble: Trouble) => {
  days += 5;
  const begun = Date.parse('2026-05-02T03:00:00.000Z') + days * 24 * hour;
  const random = chances(seed);
  const happens = (chance: number) => now < begun + 5 * hour && random() < chance;
  const bag: Message[] = [];
  let now = begun;
  const moveTo = (time: number) => {
    now = Math.max(now, time);
    clockAt(new Date(now).toISOString());
  };
  moveTo(now);
  networks().clearAll();
  const alert = await seedAlert(new Date(now).toISOString());
  changes.length = 0;

  const collect = () => {
    const taken = queues.sent.splice(0);
    for (const { queue, body, delay = 0 } of taken) {
      if (queue !== 'outcome-a' || happens(trouble.lose)) continue;
      for (let copy = 0; copy < (happens(trouble.double) ? 2 : 1); copy += 1) {
        const late = happens(trouble.late) ? random() * hour : random() * second;
        bag.push({ body: body as Message['body'], visibleAt: now + delay * 1000 + late });
      }
    }
  };
  /** The router's part, on everything written since: in order, and now and then twice. */
  const route = () => {
    for (const { before, after } of changes.splice(0)) {
      for (let copy = 0; copy < (happens(trouble.double) ? 2 : 1); copy += 1) {
        for (const message of messagesFor({ before, after }, new Date(now).toISOString())) {
          const { queue, body, at } = message;
          const { delaySeconds: delay } = at === undefined ? {} : delayUntil(at, new Date(now).toISOString());
          if (queue === 'outcome-a')
            queues.sent.push({ queue, body: { ...body }, group: undefined, ...(delay && { delay }) });
        }
      }
    }
    collect();
  };
  const work = async (messages: readonly Message[]) => {
    if (happens(trouble.fail)) {
      networks().hurt('provider_a', { ...faults[Math.floor(random() * faults.length)], times: 1 });
    }
    let failed: readonly number[] = messages.map((_, index) => index);
    const run = async () => {
      const { batchItemFailures } = await tell(sqsEvent(messages.map(({ body }) => body)));
      failed = batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier.replace('message-', '')));
    };
    const died = happens(trouble.kill)
      ? await untilKilled(1 + Math.floor(random() * 6), random() < 0.5 ? 'before' : 'after', run)
      : await run().then(() => false);
    networks().hurt('provider_a', { status: 200, cases: [] });
    const back = died ? messages : messages.filter((_, index) => failed.includes(index));
    for (const { body } of back) bag.push({ body, visibleAt: now + visibility });
    route();
  };
  const runUntil = async (time: number) => {
    route();
    for (;;) {
      bag.sort((left, right) => left.visibleAt - right.visibleAt);
      const [first] = bag;
      if (!first || first.visibleAt > time) break;
      const batch = bag.filter(({ visibleAt }) => visibleAt <= first.visibleAt + second).slice(0, 25);
      bag.splice(0, batch.length);
      moveTo(batch.at(-1)?.visibleAt ?? now);
      await work(batch);
    }
    moveTo(time);
  };
  const sweepAt = async (slot: number) => {
    await runUntil(slot);
    let messages: unknown[] = [{ slot: new Date(slot).toISOString().replace('.000Z', 'Z') }];
    while (messages.length > 0) {
      await sweep(sqsEvent(messages));
      messages = queues.take('sweep');
    }
    collect();
  };

  const accepted: Record<string, unknown>[] = [];
  for (const [index, { after, update: sent }] of steps.entries()) {
    const update = { ...sent, comments: `step ${index}` };
    await runUntil(now + after * minute);
    const isTaken = await answer(alert.alertId, update, new Date(now).toISOString());
    if (isTaken) accepted.push(update);
  }
  for (let slot = begun + 9 * hour; slot <= begun + 81 * hour; slot += 12 * hour) await sweepAt(slot);
  await runUntil(begun + 83 * hour);
  const { outcomes } = await alertNow(alert.alertId);
  const rows = await Promise.all(Array.from({ length: outcomes }, (_, index) => outcomeAt(alert.alertId, index + 1)));
  const told = networks()
    .listTold('provider_a')
    .filter(({ caseId }) => caseId === alert.providerAlert.caseId);
  return { accepted, rows, told, statuses: await statusUpdatesOf(alert.alertId), waiting: bag.length };
};

const alertNow = async (alertId: number) => (await getItem(keys.alert(alertId)))?.['alert'] as { outcomes: number };

const inProgress = { status: 'WIP', reason_code: '999.002' };
const finals = [
  { status: 'RESOLVED', reason_code: '100.001' },
  { status: 'DECLINED', reason_code: '902.002' },
];
const aStep = (update: fc.Arbitrary<Record<string, unknown>>) =>
  fc.record({ after: fc.constantFrom(0, 0, 0.5, 3, 20, 70), update });
const someSteps = fc
  .tuple(
    fc.array(aStep(fc.constant(inProgress)), { maxLength: 3 }),
    fc.array(aStep(fc.constantFrom(...finals)), { minLength: 0, maxLength: 2 }),
  )
  .map(([open, closing]) => [...open, ...closing]);

/** The first is accepted without an answer; a second attempt fails surely, and a final answer arrives. */
const takenUnheard: [Step[], number] = [
  [
    { after: 0, update: inProgress },
    { after: 70, update: finals[0] ?? {} },
  ],
  441_984_071,
];

const inTransit = ['IN_PROGRESS', 'SHIPPER_CONTACTED'];

describe('outcomes', () => {
  it('reach the network in order, one final one at most, whatever is killed, doubled, lost or late', async () => {
    await fc.assert(
      fc.asyncProperty(someSteps, fc.nat(), async (steps, seed) => {
        const trouble = { double: 0.3, lose: 0.1, late: 0.2, kill: 0.3, fail: 0.4 };
        const { accepted, rows, told, statuses, waiting } = await live(steps, seed, trouble);
        // Every accepted update has its row, in order.
        expect(rows.map(({ update }) => update)).toEqual(accepted);
        // At most one final outcome is ever taken, and nothing after it.
        const taken = told.filter(({ accepted: isTaken }) => isTaken).map(({ outcome }) => outcome);
        const firstFinal = taken.findIndex((outcome) => !inTransit.includes(outcome));
        if (firstFinal >= 0) expect(new Set(taken.slice(firstFinal)).size).toBe(1);
        // Every accepted final update is settled, and the table says what the network has.
        const last = rows.at(-1);
        if (last?.isFinal) {
          expect(['ACCEPTED', 'REFUSED', 'EXPIRED', 'MANUAL']).toContain(last.state);
          expect(firstFinal >= 0).toBe(last.state === 'ACCEPTED');
        }
        expect(rows.map(({ state }) => state)).not.toContain('PENDING');
        // The table records whatever the network has.
        const had = told.flatMap(({ accepted: isTaken, body }) =>
          isTaken ? [(body as { comments: string }).comments] : [],
        );
        const unsaid = rows.filter(({ state, update }) => state !== 'ACCEPTED' && had.includes(update.comments ?? ''));
        expect(unsaid).toEqual([]);
        // Each change of status is reported once, with the provider's date or the reason why there is none.
        const changed = accepted.filter(({ status }, index) => status !== accepted[index - 1]?.['status']);
        expect(statuses.map(({ status }) => status)).toEqual(changed.map(({ status }) => status));
        for (const { outcome_updated_on: date, comments = '' } of statuses) {
          expect(date === '', comments).toBe(/^step \d \(/.test(comments));
        }
        // Nothing is left that would be done for ever.
        expect(waiting).toBe(0);
        for (const { id } of rows.filter(({ state }) => state === 'ACCEPTED' || state === 'SUPERSEDED')) {
          expect(await getItem(keys.outcome(id))).not.toHaveProperty('duePk');
        }
      }),
      { numRuns: 13, examples: [takenUnheard] },
    );
  });

  it('are all taken where nothing goes wrong, each once', async () => {
    const calm = { double: 0, lose: 0, late: 0, kill: 0, fail: 0 };
    const steps = [
      { after: 1, update: inProgress },
      { after: 1, update: inProgress },
      { after: 1, update: finals[0] ?? {} },
    ];
    const { rows, told } = await live(steps, 1, calm);
    expect(rows.map(({ state, attemptCount }) => [state, attemptCount])).toEqual(Array(3).fill(['ACCEPTED', 1]));
    expect(told.map(({ outcome }) => outcome)).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'STOPPED']);
  });

  it('are found by the sweep if all their messages were lost', async () => {
    const lossy = { double: 0, lose: 1, late: 0, kill: 0, fail: 0 };
    const { rows } = await live([{ after: 0, update: finals[0] ?? {} }], 1, lossy);
    expect(rows).toMatchObject([{ state: 'ACCEPTED' }]);
  });
});
