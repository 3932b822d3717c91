import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createOutcome,
  isUntold,
  type NetworkOutcome,
  outcomeIdOf,
  outcomeSweptFrom,
  readOutcomeId,
  toldProvider,
  toProviderOutcomeDto,
  visitAt,
} from '#disputes/alerts/answer/network-outcome.ts';
import { fromOutcomeItem, toOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import {
  expireOutcome,
  isTooLate,
  isVisitDue,
  leftToPerson,
  mark,
  nextTry,
  outcomeAfterAttempt,
  outcomeWithLease,
  recordVisit,
  replay,
  supersede,
  takesMark,
  takesReplay,
} from '#disputes/outcomes/outcome-changes.ts';
import { findEffects } from '#disputes/outcomes/outcome-effects.ts';
import { planLine } from '#disputes/outcomes/outcome-line.ts';
import { anAlert } from '#test/disputes/alerts/samples.ts';
import {
  anAttempt,
  anOutcome,
  answeredAlert,
  answeredAt,
  inProgress,
  minutesAfter,
  receivedAt,
  resolved,
} from './samples.ts';

const tried = (outcome: NetworkOutcome, result: 'failed' | 'unknown' | 'refused' | 'accepted', at: string, pause = 0) =>
  outcomeAfterAttempt(outcome, anAttempt(result, at), pause, at);

describe('an outcome', () => {
  it.each([
    ['provider_a', 'FRAUD', 'provider_a'],
    ['provider_a', 'DISPUTE', 'provider_a'],
    ['provider_a', 'FRAUD_NOTICE', null],
    ['provider_b', 'CANCEL', 'provider_b'],
    ['provider_b', 'DISPUTE_NOTICE', null],
    ['rdr', 'DISPUTE_RDR', null],
    ['service_dummy', 'DISPUTE', null],
  ] as const)('of a %s alert of type %s is owed to %s', (provider, type, expected) => {
    expect(toldProvider(anAlert({ provider, type, test: provider === 'service_dummy' }))).toBe(expected);
  });

  it('is sent to no provider if the alert has no owner', () => {
    expect(toldProvider({ ...anAlert(), owner: null })).toBeNull();
  });

  it('is final with RESOLVED and DECLINED alone', () => {
    const isFinal = (status: 'RESOLVED' | 'DECLINED' | 'WIP' | 'OTHER') =>
      anOutcome(1, { status, reason_code: '100.001' }).isFinal;
    expect([isFinal('RESOLVED'), isFinal('DECLINED'), isFinal('WIP'), isFinal('OTHER')]).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });

  it('is tried until 72 hours after the alert came, and for an hour when the answer came later', () => {
    expect(anOutcome(1).expiresAt).toBe(minutesAfter(72 * 60, receivedAt));
    const old = { receivedAt: minutesAfter(-100 * 60) };
    expect(anOutcome(1, resolved, {}, old).expiresAt).toBe(minutesAfter(60));
  });

  it('is late two hours before the deadline; when the answer came later, after a few tries', () => {
    expect(anOutcome(1).lateAt).toBe(minutesAfter(22 * 60, '2026-05-02T10:00:00.000Z'));
    expect(anOutcome(1, resolved, {}, { deadlineAt: minutesAfter(30) }).lateAt).toBe(minutesAfter(15));
    expect(anOutcome(1, inProgress).lateAt).toBeNull();
    expect(anOutcome(1, resolved, {}, { deadlineAt: null }).lateAt).toBeNull();
  });

  it('has no status update due if the merchant wants none', () => {
    expect(createOutcome(answeredAlert(1), resolved, false, answeredAt)?.statusDueAt).toBeNull();
    expect(anOutcome(1).statusDueAt).toBe(minutesAfter(60));
  });

  it('has an identifier that contains the alert and the version', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('provider_a' as const, 'provider_b' as const),
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: 1, max: 999_999 }),
        (provider, alertId, number) => {
          expect(readOutcomeId(outcomeIdOf(provider, alertId, number))).toEqual({ provider, alertId, number });
        },
      ),
    );
    for (const id of ['', 'out_c_1_1', 'out_a_0_1', 'out_a_1_0', 'out_a_1', 'ntf_1', 'out_a_1_1 '])
      expect(readOutcomeId(id), id).toBeUndefined();
  });

  it('is read back as it was written', () => {
    for (const outcome of [
      anOutcome(1),
      tried(anOutcome(2), 'unknown', answeredAt),
      outcomeWithLease(anOutcome(1), 'x', 'y'),
    ])
      expect(fromOutcomeItem(toOutcomeItem(outcome))).toEqual(outcome);
  });

  it('that an older row has is in doubt if one of its attempts is', () => {
    const lost = tried(anOutcome(1), 'unknown', answeredAt);
    for (const outcome of [tried(lost, 'failed', minutesAfter(1)), tried(anOutcome(1), 'failed', answeredAt)]) {
      const { hasUnknownAttempt: _, ...old } = toOutcomeItem(outcome);
      expect(fromOutcomeItem(old)).toEqual(outcome);
    }
  });

  it('is visited when the first of its tries, its status update and its alarm is due; swept for before the alarm', () => {
    expect(visitAt(anOutcome(1))).toBe(answeredAt);
    const manual = leftToPerson(anOutcome(1), answeredAt);
    expect(visitAt(manual)).toBe('2026-05-03T08:00:00.000Z');
    expect(outcomeSweptFrom(manual)).toBe('2026-05-03T00:00:00.000Z');
    const accepted = tried(anOutcome(1), 'accepted', answeredAt);
    expect([visitAt(accepted), outcomeSweptFrom(accepted)]).toEqual([null, null]);
    expect(toOutcomeItem(accepted)).not.toHaveProperty('duePk');
  });
});

describe('the tries', () => {
  it('come at once, after 1, 5, 15 and 30 minutes, then on each full hour until the end', () => {
    let outcome = anOutcome(1);
    const times: number[] = [];
    while (outcome.nextAttemptAt !== null) {
      times.push((Date.parse(outcome.nextAttemptAt) - Date.parse(answeredAt)) / 60_000);
      outcome = tried(outcome, 'failed', outcome.nextAttemptAt);
    }
    const hours = Array.from({ length: 71 }, (_, hour) => (hour + 1) * 60);
    expect(times).toEqual([0, 1, 5, 15, 30, ...hours]);
    expect(outcome.state).toBe('EXPIRED');
  });

  it('leave out those that an outage has let pass', () => {
    expect(tried(anOutcome(1), 'failed', minutesAfter(17)).nextAttemptAt).toBe(minutesAfter(30));
  });

  it('do not come twice when a message came a moment early', () => {
    const waiting = { ...anOutcome(1), nextAttemptAt: minutesAfter(1) };
    expect(tried(waiting, 'failed', minutesAfter(0.99)).nextAttemptAt).toBe(minutesAfter(5));
  });

  it('come as late as the provider asks, within reason', () => {
    expect(tried(anOutcome(1), 'failed', answeredAt, 600).nextAttemptAt).toBe(minutesAfter(10));
    expect(tried(anOutcome(1), 'failed', answeredAt, 30).nextAttemptAt).toBe(minutesAfter(1));
    expect(tried(anOutcome(1), 'failed', answeredAt, 99_999_999).nextAttemptAt).toBe(minutesAfter(12 * 60));
  });

  it('are kept, the newest twenty, and counted all', () => {
    let outcome = anOutcome(1);
    for (let n = 0; n < 30; n += 1) outcome = tried(outcome, 'failed', outcome.nextAttemptAt ?? answeredAt);
    expect([outcome.attempts.length, outcome.attemptCount]).toEqual([20, 30]);
  });

  it('end with what is taken or refused', () => {
    const taken = tried(anOutcome(1), 'accepted', answeredAt);
    expect(taken).toMatchObject({ state: 'ACCEPTED', acceptedAt: answeredAt, error: null, lateAt: null });
    const refused = tried(anOutcome(1), 'refused', answeredAt);
    expect(refused).toMatchObject({ state: 'REFUSED', nextAttemptAt: null, error: 'It answered 503' });
    expect(refused.lateAt).not.toBeNull();
  });

  it('never begin before the one that was due, for any run of failures', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 * 3600 }), { maxLength: 40 }), (delays) => {
        let outcome = anOutcome(1);
        for (const seconds of delays) {
          if (outcome.nextAttemptAt === null) break;
          const due = outcome.nextAttemptAt;
          const at = new Date(Date.parse(due) + seconds * 1000).toISOString();
          outcome = tried(outcome, 'unknown', at);
          if (outcome.nextAttemptAt !== null) expect(outcome.nextAttemptAt > at).toBe(true);
          else expect(nextTry(outcome, at)).toBeNull();
        }
        expect(outcome.nextAttemptAt === null).toBe(outcome.state !== 'PENDING');
      }),
    );
  });
});

describe('a person', () => {
  const manual = leftToPerson(anOutcome(1), answeredAt);

  it('marks what no connection, a refusal or the time has left to them', () => {
    const states = ['PENDING', 'ACCEPTED', 'REFUSED', 'EXPIRED', 'SUPERSEDED', 'MANUAL'] as const;
    expect(states.filter((state) => takesMark({ ...manual, state }))).toEqual(['REFUSED', 'EXPIRED', 'MANUAL']);
    expect(states.filter((state) => takesReplay({ ...manual, state }))).toEqual([
      ...['PENDING', 'REFUSED', 'EXPIRED', 'MANUAL'],
    ]);
  });

  it('is named with what they found', () => {
    const found = { by: 'root', at: minutesAfter(90), note: 'case 7' };
    expect(mark(manual, 'ACCEPTED', found)).toMatchObject({
      state: 'ACCEPTED',
      acceptedAt: found.at,
      error: null,
      mark: found,
    });
    expect(mark(manual, 'REFUSED', found)).toMatchObject({ state: 'REFUSED', acceptedAt: null, error: 'case 7' });
    expect(findEffects(manual, mark(manual, 'REFUSED', found)).alarms).toEqual([]);
  });

  it('has it sent again, for an hour at least', () => {
    const late = minutesAfter(100 * 60);
    const again = replay(expireOutcome(anOutcome(1), late), late);
    expect(again).toMatchObject({ state: 'PENDING', nextAttemptAt: late, expiresAt: minutesAfter(101 * 60) });
    expect(tried(again, 'failed', late).nextAttemptAt).toBe(minutesAfter(100 * 60 + 1));
  });
});

describe('the line of an alert’s outcomes', () => {
  const connected = { isConnected: true, isWithdrawn: false, isAnswered: true };
  const plan = (line: readonly NetworkOutcome[], at = answeredAt, about = connected) => planLine(line, about, at);
  const waiting = anOutcome(1, inProgress);
  const final = anOutcome(2);

  it('begins with the first', () => {
    expect(plan([waiting, anOutcome(2, inProgress)])).toMatchObject({ changes: [], head: { number: 1 }, again: null });
  });

  it('goes on with the next when that is settled', () => {
    const settled = tried(waiting, 'accepted', answeredAt);
    expect(plan([settled, final]).head).toMatchObject({ number: 2 });
  });

  it('sends nothing before its time', () => {
    expect(plan([tried(waiting, 'failed', answeredAt)], minutesAfter(0.5)).head).toBeNull();
  });

  it('lets a final one overtake what was not sent, or surely not taken', () => {
    for (const before of [waiting, tried(waiting, 'failed', answeredAt), leftToPerson(waiting, answeredAt)]) {
      const { changes, head } = plan([before, final]);
      expect(changes).toMatchObject([{ number: 1, state: 'SUPERSEDED' }]);
      expect(head).toMatchObject({ number: 2 });
    }
  });

  it('lets no other overtake', () => {
    expect(plan([waiting, anOutcome(2, inProgress)]).changes).toEqual([]);
  });

  it('does not overtake what may have been taken, or is being sent', () => {
    const doubtful = tried(waiting, 'unknown', answeredAt);
    expect(plan([doubtful, final])).toEqual({ changes: [], head: null, again: null });
    expect(plan([doubtful, final], minutesAfter(1)).head).toMatchObject({ number: 1 });
    const busy = outcomeWithLease(waiting, 'x', minutesAfter(1));
    expect(plan([busy, final])).toEqual({ changes: [], head: null, again: minutesAfter(1) });
    // Cut off: what it sent may have arrived.
    expect(plan([busy, final], minutesAfter(1)).head).toMatchObject({ number: 1 });
  });

  it('waits for an attempt that may have been sent, whatever later attempts return', () => {
    const lost = tried(waiting, 'unknown', answeredAt);
    const cutOff = outcomeWithLease(outcomeWithLease(waiting, 'x', minutesAfter(1)), 'y', minutesAfter(3));
    const hours = Array.from({ length: 25 }, (_, index) => minutesAfter(60 * (index + 1)));
    const often = hours.reduce((outcome, at) => tried(outcome, 'failed', at), lost);
    const again = replay(
      expireOutcome(outcomeWithLease(waiting, 'x', minutesAfter(1)), minutesAfter(2)),
      minutesAfter(2),
    );
    const [failedOnce, failedToo] = [lost, cutOff].map((outcome) => tried(outcome, 'failed', minutesAfter(2)));
    expect(often.attempts.map(({ result }) => result)).not.toContain('unknown');
    for (const before of [failedOnce, failedToo, often, again]) {
      if (!before) throw new Error('There is none');
      const { changes, head } = plan([before, final], before.nextAttemptAt ?? '');
      expect(changes.map(({ state }) => state)).not.toContain('SUPERSEDED');
      expect(head).toMatchObject({ number: 1 });
    }
  });

  it('leaves it to a person what became of one that may have been taken, with a final one behind it too', () => {
    const doubtful = leftToPerson(tried(waiting, 'unknown', answeredAt), answeredAt);
    expect(plan([doubtful, final])).toMatchObject({ changes: [], head: { number: 2 } });
    const untold = leftToPerson(waiting, answeredAt);
    expect(plan([untold, final]).changes).toMatchObject([{ number: 1, state: 'SUPERSEDED' }]);
    const withdrawn = plan([doubtful, final], answeredAt, { ...connected, isWithdrawn: true });
    expect(withdrawn.changes.map(({ state }) => state)).toEqual(['SUPERSEDED', 'SUPERSEDED']);
  });

  it('leaves all to a person without a connection, but for what a final one overtook', () => {
    const { changes, head } = plan([waiting, final], answeredAt, { ...connected, isConnected: false });
    expect(changes).toMatchObject([{ state: 'SUPERSEDED' }, { state: 'MANUAL' }]);
    expect(head).toBeNull();
  });

  it('ends when the provider has taken the case back', () => {
    const doubtful = tried(waiting, 'unknown', answeredAt);
    const { changes, head } = plan([doubtful, final], answeredAt, { ...connected, isWithdrawn: true });
    expect(changes.map(({ state }) => state)).toEqual(['SUPERSEDED', 'SUPERSEDED']);
    expect(head).toBeNull();
  });

  it('sends no final answer to a case that was taken back and opened again, whatever was said since', () => {
    const reopened = { ...connected, isAnswered: false };
    const untold = [final, tried(final, 'unknown', answeredAt), leftToPerson(final, answeredAt)];
    for (const outdated of untold) {
      const { changes, head } = plan([outdated], minutesAfter(1), reopened);
      expect(changes).toMatchObject([{ number: 2, state: 'SUPERSEDED', nextAttemptAt: null }]);
      expect(head).toBeNull();
      const [anew, unsure] = [anOutcome(3), anOutcome(3, inProgress)];
      for (const [said, about] of [
        [anew, connected],
        [unsure, reopened],
      ] as const) {
        const { changes, head } = plan([outdated, said], answeredAt, about);
        expect(changes).toMatchObject([{ number: 2, state: 'SUPERSEDED' }]);
        expect(head).toEqual(said);
      }
    }
    const taken = tried(final, 'accepted', answeredAt);
    expect(plan([taken, anOutcome(3)])).toMatchObject({ changes: [], head: { number: 3 } });
  });

  it('gives up what could not be sent in time, and sends what comes behind', () => {
    const old = { ...tried(waiting, 'unknown', answeredAt), expiresAt: minutesAfter(10) };
    const { changes, head } = plan([old, final], minutesAfter(26));
    expect(changes).toMatchObject([{ number: 1, state: 'EXPIRED' }]);
    expect(head).toMatchObject({ number: 2 });
  });

  it('sends a status update that is due, though nothing else is', () => {
    const paused = tried(anOutcome(1), 'failed', answeredAt, 7200);
    expect(plan([paused], minutesAfter(59)).changes).toEqual([]);
    expect(plan([paused], minutesAfter(60)).changes).toMatchObject([{ statusDueAt: null, state: 'PENDING' }]);
  });
});

describe('an outcome that another worker is sending', () => {
  const lease = { attemptId: 'one', until: minutesAfter(1) };
  const leased = { ...anOutcome(1), lease };
  const about = { isWithdrawn: false, isAnswered: true, isConnected: true };

  it.each([
    ['its provider takes the case back', { ...about, isWithdrawn: true }, leased],
    ['the provider cannot be called', { ...about, isConnected: false }, leased],
    ['its time is over', about, { ...leased, expiresAt: minutesAfter(-60) }],
  ])('is left alone until its lease ends, even if %s', (_, present, outcome) => {
    expect(planLine([outcome], present, answeredAt)).toEqual({ changes: [], head: null, again: lease.until });
    const [after] = planLine([outcome], present, lease.until).changes;
    expect(after?.state).not.toBe('PENDING');
  });
});

describe('an outcome that its provider has', () => {
  const about = { isWithdrawn: true, isAnswered: true, isConnected: false };

  it('stays as it is, whatever happens to its case', () => {
    const accepted = tried(anOutcome(1), 'accepted', minutesAfter(1));
    expect(planLine([accepted], about, minutesAfter(60 * 24 * 30))).toEqual({ changes: [], head: null, again: null });
  });
});

describe('a visit', () => {
  const never = { statusDueAt: null, lateAt: null };

  it('is due from the time of its status update or of its alarm on', () => {
    expect(isVisitDue({ ...anOutcome(1), ...never }, answeredAt)).toBe(false);
    for (const name of ['statusDueAt', 'lateAt'] as const) {
      expect(isVisitDue({ ...anOutcome(1), ...never, [name]: answeredAt }, answeredAt)).toBe(true);
      expect(isVisitDue({ ...anOutcome(1), ...never, [name]: minutesAfter(1) }, answeredAt)).toBe(false);
    }
  });
});

describe('a try', () => {
  it('may fall on the time at which the outcome expires, and on none later', () => {
    const startedAt = answeredAt;
    expect(nextTry({ startedAt, expiresAt: minutesAfter(1) }, answeredAt)).toBe(minutesAfter(1));
    expect(nextTry({ startedAt, expiresAt: minutesAfter(0.9) }, answeredAt)).toBeNull();
  });

  it('is not made if the provider asks for a pause beyond that time', () => {
    const outcome = { ...anOutcome(1), expiresAt: minutesAfter(30) };
    expect(tried(outcome, 'failed', answeredAt, 30 * 60)).toMatchObject({
      ...{ state: 'PENDING', nextAttemptAt: minutesAfter(30) },
    });
    expect(tried(outcome, 'failed', answeredAt, 31 * 60)).toMatchObject({ state: 'EXPIRED', nextAttemptAt: null });
  });
});

it('keeps the last error of an outcome that expires', () => {
  expect(expireOutcome(tried(anOutcome(1), 'failed', answeredAt), minutesAfter(1)).error).toBe('It answered 503');
  expect(expireOutcome(anOutcome(1), answeredAt).error).toBe('It could not be sent in time');
});

it('begins an attempt up to 15 minutes after an outcome expires', () => {
  const outcome = { expiresAt: answeredAt };
  expect(isTooLate(outcome, minutesAfter(15))).toBe(false);
  expect(isTooLate(outcome, minutesAfter(15.001))).toBe(true);
});

describe('the row of an outcome', () => {
  const isListed = (outcome: NetworkOutcome) => toOutcomeItem(outcome)['summary'] !== undefined;

  it('is listed once it was tried, was settled, or follows another', () => {
    expect(isListed(anOutcome(1))).toBe(false);
    expect(isListed(tried(anOutcome(1), 'failed', answeredAt))).toBe(true);
    expect(isListed(leftToPerson(anOutcome(1), answeredAt))).toBe(true);
    expect(isListed(anOutcome(2))).toBe(true);
  });

  it('has the time of its next visit, and its lease, only if there is one', () => {
    expect(toOutcomeItem(anOutcome(1))).toMatchObject({ visitAt: answeredAt });
    const settled = { ...tried(anOutcome(1), 'accepted', answeredAt), statusDueAt: null, lateAt: null };
    expect(toOutcomeItem(settled)).not.toHaveProperty('visitAt');
    expect(toOutcomeItem(settled)).not.toHaveProperty('lease');
  });

  it('has the earliest of its times', () => {
    const times = { nextAttemptAt: minutesAfter(3), statusDueAt: minutesAfter(1), lateAt: minutesAfter(2) };
    expect(visitAt({ ...anOutcome(1), ...times })).toBe(minutesAfter(1));
    expect(visitAt({ ...anOutcome(1), ...times, statusDueAt: null })).toBe(minutesAfter(2));
    expect(visitAt({ ...anOutcome(1), ...times, nextAttemptAt: null, statusDueAt: null })).toBe(minutesAfter(2));
    expect(visitAt({ ...anOutcome(1), nextAttemptAt: null, statusDueAt: null, lateAt: null })).toBeNull();
  });

  it('shows when it was sent last', () => {
    expect(toProviderOutcomeDto(anOutcome(1)).sent_at).toBeNull();
    expect(toProviderOutcomeDto(tried(anOutcome(1), 'failed', minutesAfter(4))).sent_at).toBe(minutesAfter(4));
  });

  it('is known by its provider only if it was tried, is being tried, or is settled', () => {
    expect(isUntold(anOutcome(1))).toBe(true);
    expect(isUntold({ ...anOutcome(1), lease: { attemptId: 'one', until: minutesAfter(1) } })).toBe(false);
    expect(isUntold(tried(anOutcome(1), 'failed', answeredAt))).toBe(false);
    expect(isUntold(leftToPerson(anOutcome(1), answeredAt))).toBe(false);
  });
});

describe('what follows from a change', () => {
  const before = anOutcome(1);
  const effects = (after: NetworkOutcome, from = before) => findEffects(from, after);

  it('is the status update, with the provider’s date or the reason why there is none, once', () => {
    const taken = tried(before, 'accepted', minutesAfter(2));
    expect(effects(taken)).toEqual({ status: { acceptedAt: minutesAfter(2), why: null }, alarms: [] });
    const said = (after: NetworkOutcome) => effects(after).status?.why;
    expect(said(tried(before, 'refused', answeredAt))).toBe('provider_a has refused this answer: It answered 503');
    expect(said(leftToPerson(before, answeredAt))).toBe('an operator reports this answer to provider_a');
    expect(said(expireOutcome(before, answeredAt))).toMatch(/did not accept this answer in time/);
    expect(said(supersede(before, 'why', answeredAt))).toBe('provider_a was not told: why');
    expect(said(tried(before, 'failed', answeredAt))).toBeUndefined();
    const waited = recordVisit(before, minutesAfter(60));
    expect(said(waited)).toBe('provider_a has not accepted this answer yet');
    expect(effects(tried(waited, 'accepted', minutesAfter(61)), waited).status).toBeNull();
  });

  it('is no status update if none is awaited', () => {
    const unwanted = { ...before, statusDueAt: null };
    expect(effects(tried(unwanted, 'accepted', answeredAt), unwanted).status).toBeNull();
  });

  it('is an alarm for a final one that is refused or given up, and none for one in progress', () => {
    expect(effects(tried(before, 'refused', answeredAt)).alarms).toEqual(['refused']);
    expect(effects(expireOutcome(before, answeredAt)).alarms).toEqual(['expired']);
    const open = anOutcome(1, inProgress);
    const untold = tried(open, 'refused', answeredAt);
    expect(effects(untold, open).alarms).toEqual([]);
    expect([untold.state, untold.error]).toEqual(['SUPERSEDED', 'It takes no interim answer: It answered 503']);
    expect(effects(expireOutcome(open, answeredAt), open).alarms).toEqual([]);
  });

  it('is no alarm about a known refusal, one that a person enters, or a superseded outcome', () => {
    const refused = tried(before, 'refused', answeredAt);
    expect(effects({ ...refused, version: refused.version + 1 }, refused).alarms).toEqual([]);
    const said = { by: 'ann', at: minutesAfter(1), note: '' };
    const manual = leftToPerson(before, answeredAt);
    expect(effects(mark(manual, 'REFUSED', said), manual).alarms).toEqual([]);
    const marked = { ...before, mark: said };
    expect(effects({ ...tried(marked, 'refused', minutesAfter(2)), mark: said }, marked).alarms).toEqual(['refused']);
    const superseded = supersede(before, 'why', answeredAt);
    expect(superseded.lateAt).toBeNull();
    expect(effects(superseded).alarms).toEqual([]);
  });

  it('is an alarm two hours before the deadline, once, unless the provider has it', () => {
    const near = '2026-05-03T08:00:00.000Z';
    const rung = recordVisit(before, near);
    expect(effects(rung).alarms).toEqual(['late']);
    expect(effects(recordVisit(rung, near), rung).alarms).toEqual([]);
    expect(effects(tried(before, 'accepted', near)).alarms).toEqual([]);
    expect(effects(tried(before, 'failed', near)).alarms).toContain('late');
  });
});
