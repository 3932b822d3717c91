import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hmacSha256 } from '#core/kernel/crypto.ts';
import { isSignedBody } from '#core/kernel/provider-signature.ts';
import { alertActionOf, assignOwner, createAlert, holdReason, withdraw } from '#disputes/alerts/alert.ts';
import { alertFacets } from '#disputes/alerts/alert-facets.ts';
import { deadlinePlan, markDeadlinePassed, markDeadlineWarned } from '#disputes/alerts/deadline/deadline.ts';
import { alertFingerprintsOf, duplicateOf } from '#disputes/alerts/intake/fingerprints.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { makeArn } from '#test/support/arns.ts';
import { anAlert, aProviderAlert, aSite, settings, start } from './samples.ts';

describe('the action', () => {
  it.each([
    ['FRAUD', null, 'REFUND'],
    ['DISPUTE', null, 'REFUND'],
    ['DISPUTE', 'CANCEL', 'CANCEL'],
    ['DISPUTE', 'REVIEW', 'REVIEW'],
    ['FRAUD', 'REVIEW', 'REFUND'],
    ['CANCEL', 'REFUND', 'CANCEL'],
    ['FRAUD_NOTICE', 'REFUND', 'REVIEW'],
    ['DISPUTE_NOTICE', 'REFUND', 'REVIEW'],
  ] as const)('of %s at a site whose default is %s is %s', (type, default_dispute_action, action) => {
    const site = aSite({ alert: settings({ default_dispute_action }) });
    expect(alertActionOf(aProviderAlert({ type }), site)).toBe(action);
  });

  it("of a network's decision is what was done", () => {
    expect(alertActionOf(aProviderAlert({ type: 'DISPUTE_RDR', decision: 'ACCEPTED' }), aSite())).toBe('RESOLVED');
    expect(alertActionOf(aProviderAlert({ type: 'DISPUTE_RDR', decision: 'DECLINED' }), aSite())).toBe('DECLINED');
  });
});

describe('a new alert', () => {
  it.each([
    ['provider_a', 'FRAUD', 'OPEN', '2026-05-03T10:00:00.000Z'],
    ['provider_a', 'DISPUTE', 'OPEN', '2026-05-03T10:00:00.000Z'],
    ['provider_b', 'FRAUD', 'OPEN', '2026-05-05T10:00:00.000Z'],
    ['provider_b', 'DISPUTE', 'OPEN', '2026-05-05T10:00:00.000Z'],
    ['provider_b', 'CANCEL', 'OPEN', '2026-05-05T10:00:00.000Z'],
    ['provider_a', 'FRAUD_NOTICE', 'INFORM', null],
    ['provider_b', 'DISPUTE_NOTICE', 'INFORM', null],
  ] as const)('of %s and of type %s is %s and due at %s', (provider, type, status, deadlineAt) =>
    expect(anAlert({ provider, type })).toMatchObject({ status, deadlineAt }),
  );

  it.each([
    ['the network’s own time', { providerDate: '2026-05-02T00:00:01.000Z' }, '2026-05-03T00:00:01.000Z'],
    [
      'the receipt, if the network states only its day',
      { providerDate: '2026-05-02T00:00:00.000Z' },
      '2026-05-03T10:00:00.000Z',
    ],
    [
      'the end of an earlier day that the network states without a time',
      { providerDate: '2026-05-01T00:00:00.000Z' },
      '2026-05-03T00:00:00.000Z',
    ],
    [
      'its age on the day that the network states',
      { providerDate: '2026-05-02T00:00:00.000Z', age: '4' },
      '2026-05-03T06:00:00.000Z',
    ],
    [
      'the end of a day that its age does not fit',
      { providerDate: '2026-05-01T00:00:00.000Z', age: '1' },
      '2026-05-03T00:00:00.000Z',
    ],
    ['the receipt, if its day is to come', { providerDate: '2026-05-03T00:00:00.000Z' }, '2026-05-03T10:00:00.000Z'],
    [
      'a network’s time of more than a day ago',
      { providerDate: '2026-05-01T04:00:00.000Z' },
      '2026-05-02T04:00:00.000Z',
    ],
    ['its age in hours', { age: '10' }, '2026-05-03T00:00:00.000Z'],
    [
      'its own time rather than its age',
      { providerDate: '2026-05-02T08:00:00.000Z', age: '10' },
      '2026-05-03T08:00:00.000Z',
    ],
    ['the receipt, if its time is to come', { providerDate: '2026-05-02T11:00:00.000Z' }, '2026-05-03T10:00:00.000Z'],
    ['the receipt, if its age is no number', { age: 'new' }, '2026-05-03T10:00:00.000Z'],
  ])('is due a day after %s', (_, change, deadlineAt) =>
    expect(anAlert({ provider: 'provider_a', ...change })).toMatchObject({ deadlineAt }),
  );

  it('is never due later than its network wants the answer', () => {
    const site = aSite({ alert: settings({ deadline_hours: { FRAUD: 96, DISPUTE: 96, CANCEL: 96 } }) });
    expect(anAlert({ provider: 'provider_b', type: 'DISPUTE' }, site).deadlineAt).toBe('2026-05-05T10:00:00.000Z');
  });

  it('is due by the hours of its site', () => {
    const site = aSite({ alert: settings({ deadline_hours: { FRAUD: 1, DISPUTE: 2, CANCEL: 3 } }) });
    expect(anAlert({ type: 'CANCEL' }, site).deadlineAt).toBe('2026-05-02T13:00:00.000Z');
  });

  it('of a network that decided already is closed', () => {
    const decided = { type: 'DISPUTE_RDR', provider: 'rdr' } as const;
    expect(anAlert({ ...decided, decision: 'ACCEPTED' })).toMatchObject({ status: 'RESOLVED', deadlineAt: null });
    expect(anAlert({ ...decided, decision: 'DECLINED' })).toMatchObject({ status: 'DECLINED', deadlineAt: null });
  });

  it('without an owner has no deadline until it is assigned, and then the one that it had always had', () => {
    const alert = createAlert(1, aProviderAlert(), start, { unmatchedBecause: 'tie' });
    expect(alert).toMatchObject({ owner: null, deadlineAt: null, unmatchedBecause: 'tie' });
    const later = '2026-05-04T09:00:00.000Z';
    expect(assignOwner(alert, aSite(), '', later)).toMatchObject({
      owner: { sid: 12, mid: 1, rid: 5, matchedDescriptor: '' },
      assignedAt: later,
      deadlineAt: '2026-05-03T10:00:00.000Z',
      version: 2,
    });
  });
});

describe('an alert holds its payment', () => {
  it('while it is open', () => expect(holdReason(anAlert())).toBe('dispute'));

  it('unless it is a test', () => {
    expect(holdReason(anAlert({ test: true }))).toBeNull();
    expect(holdReason(anAlert({ type: 'DISPUTE_RDR', decision: 'ACCEPTED', test: true }))).toBeNull();
  });

  it('permanently if the network has refunded it, and not if the network has declined', () => {
    expect(holdReason(anAlert({ type: 'DISPUTE_RDR', decision: 'ACCEPTED' }))).toBe('network');
    expect(holdReason(anAlert({ type: 'DISPUTE_RDR', decision: 'DECLINED' }))).toBeNull();
  });

  it('no longer once it is answered or withdrawn', () => {
    expect(holdReason({ ...anAlert(), status: 'RESOLVED' })).toBeNull();
    expect(holdReason(withdraw(anAlert(), start))).toBeNull();
  });
});

describe('a case that is taken back', () => {
  it('closes an open alert', () => expect(withdraw(anAlert(), start)).toMatchObject({ status: 'REVOKED' }));

  it.each(['RESOLVED', 'DECLINED'] as const)('leaves an alert that the merchant answered %s', (status) => {
    expect(withdraw({ ...anAlert(), status }, start)).toMatchObject({ status, withdrawnAt: start });
  });

  it("undoes a network's refund", () => {
    const decided = anAlert({ type: 'DISPUTE_RDR', decision: 'ACCEPTED' });
    expect(withdraw(decided, start)).toMatchObject({ status: 'RDR_DELETE' });
  });
});

describe('duplicates', () => {
  const arn = '24692161070000622606414';
  const first = (hasArn: boolean) => ({ alertId: 7, hasArn });
  const fingerprints = (change = {}) => alertFingerprintsOf(aProviderAlert(change));
  const held = (change: Record<string, string>, hasArn: boolean) => {
    const { arn: byArn, card } = fingerprints(change);
    return new Map([byArn, card].flatMap((name) => (name === null ? [] : [[name, first(hasArn)] as const])));
  };

  it('have the same ARN, whatever else differs', () => {
    expect(duplicateOf(fingerprints({ amount: '1.00', authCode: 'x' }), held({ arn }, true))).toBe(7);
  });

  const charged = { card: '411111xxxxxx1111', amount: '361.56 USD' };
  it.each([
    ['are found by an ARN with another card', { card: '423234xxxxxx3773' }, 7],
    ['are found by an ARN with another amount', { amount: '1.00' }, 7],
    ['are not found by an ARN with another card and amount', { card: '423234xxxxxx3773', amount: '1.00' }, null],
    ['are found by an ARN with other last digits and another amount', { card: '411111xxxxxx9999', amount: '1.00' }, 7],
    ['are found by an ARN with another card in another currency', { card: '423234xxxxxx3773', currency: 'EUR' }, 7],
    ['are found by an ARN with another amount if the card is unknown', { card: '', amount: '1.00' }, 7],
  ])('%s', (_name, change, expected) => {
    const firsts = new Map([[`ARN#${arn}`, { ...first(true), charged }]]);
    expect(duplicateOf(fingerprints({ arn, ...change }), firsts)).toBe(expected);
  });

  it.each([
    ['two that differ', '24692161070000622606419', '74692161070000622606419', null],
    ['one and the same', '24692161070000622606419', '24692161070000622606419', 7],
    ['one of them, and none', '24692161070000622606419', '', 7],
    ['one of them, and a filler', '24692161070000622606419', '0'.repeat(23), 7],
    ['one of them, and a right one', '24692161070000622606419', arn, null],
  ])(
    'are found by card, code and amount where ARNs with wrong check digits are %s: %s, %s',
    (_, one, other, expected) => {
      const { card, stated } = fingerprints({ arn: one });
      const firsts = new Map([[card ?? '', { ...first(false), arn: stated }]]);
      expect(duplicateOf(fingerprints({ arn: other }), firsts)).toBe(expected);
    },
  );

  it('are no duplicates with different ARNs, however alike', () => {
    expect(duplicateOf(fingerprints({ arn: makeArn(1) }), held({ arn }, true))).toBeNull();
  });

  it.each(['0'.repeat(23), '24692161070000622606415'])(
    'are not told apart by the ARN %s, which identifies nothing',
    (none) => {
      expect(fingerprints({ arn: none }).arn).toBeNull();
      expect(duplicateOf(fingerprints({ arn: none }), held({ arn }, true))).toBe(7);
    },
  );

  it.each([
    ['the new one', { arn: '' }, { arn }],
    ['the first', { arn }, { arn: '' }],
    ['both', { arn: '' }, { arn: '' }],
  ])('are known by their fingerprint when %s has no ARN', (_name, fresh, old) => {
    expect(duplicateOf(fingerprints(fresh), held(old, old.arn !== ''))).toBe(7);
  });

  it.each([
    [{ authCode: '387374' }],
    [{ card: '411111xxxxxx1112' }],
    [{ amount: '361.57' }],
    [{ currency: 'EUR' }],
    [{ transactionAt: '2026-05-01T08:15:00.000Z' }],
  ])('differ when %j does', (change) =>
    expect(duplicateOf(fingerprints({ arn: '', ...change }), held({ arn: '' }, false))).toBeNull(),
  );

  it('are the same transaction at any time of the day', () => {
    const later = { arn: '', transactionAt: '2026-04-30T23:15:00.000Z' };
    expect(duplicateOf(fingerprints(later), held({ arn: '' }, false))).toBe(7);
  });

  it.each(['', '000000', '999999', 'XXXXXX', 'N/A', 'none'])(
    'are not guessed with the authorisation code “%s”',
    (authCode) => expect(fingerprints({ arn: '', authCode })).toMatchObject({ arn: null, card: null }),
  );

  it.each([
    ['012345', '12345'],
    ['00AB12', ' ab12'],
  ])('have the code %s, or %s without its leading zeros', (one, other) => {
    expect(duplicateOf(fingerprints({ arn: '', authCode: other }), held({ arn: '', authCode: one }, false))).toBe(7);
  });

  it.each(['FRAUD_NOTICE', 'DISPUTE_NOTICE'] as const)('have nothing to do with a %s', (type) =>
    expect(fingerprints({ type })).toMatchObject({ arn: null, card: null }),
  );

  it('are never of a test alert, for a real one', () => {
    expect(duplicateOf(fingerprints(), held({ test: 'true' }, true))).toBeNull();
  });
});

describe('a deadline', () => {
  const alert = anAlert({ provider: 'provider_b', type: 'DISPUTE' });
  const deadline = Date.parse('2026-05-05T10:00:00.000Z');
  const hours = (count: number) => count * 3_600_000;

  it('is first watched for its warning, six hours before', () => {
    expect(deadlinePlan(alert, Date.parse(start), false)).toEqual({
      warn: false,
      pass: false,
      next: { phase: 'warn', at: '2026-05-05T04:00:00.000Z' },
    });
  });

  it('is warned of once', () => {
    const due = deadlinePlan(alert, deadline - hours(6), true);
    expect(due).toEqual({ warn: true, pass: false, next: { phase: 'pass', at: '2026-05-05T10:00:00.000Z' } });
    expect(deadlinePlan(markDeadlineWarned(alert, start), deadline - hours(6), true)).toMatchObject({ warn: false });
  });

  it('passes once, without a late warning', () => {
    expect(deadlinePlan(alert, deadline, true)).toEqual({ warn: false, pass: true, next: null });
    expect(deadlinePlan(markDeadlinePassed(alert), deadline, true)).toEqual({ warn: false, pass: false, next: null });
  });

  it('is taken as reached by a schedule that fires within the minute before, by nothing else', () => {
    expect(deadlinePlan(markDeadlineWarned(alert, start), deadline - 59_000, true)).toMatchObject({ pass: true });
    expect(deadlinePlan(markDeadlineWarned(alert, start), deadline - 59_000, false)).toMatchObject({ pass: false });
    expect(deadlinePlan(markDeadlineWarned(alert, start), deadline - 61_000, true)).toMatchObject({ pass: false });
  });

  it('is not warned of when it comes within six hours of the alert', () => {
    const site = aSite({ alert: settings({ deadline_hours: { FRAUD: 6, DISPUTE: 6, CANCEL: 6 } }) });
    expect(deadlinePlan(anAlert({}, site), Date.parse(start), false)).toMatchObject({ next: { phase: 'pass' } });
  });

  it('is no longer due once there is an outcome', () => {
    expect(deadlinePlan({ ...alert, status: 'DECLINED' }, deadline, true)).toEqual({
      warn: false,
      pass: false,
      next: null,
    });
  });

  it('is, at any time and however often asked, done at most once and never scheduled in the past', () => {
    const times = fc.array(fc.tuple(fc.integer({ min: -10, max: 80 * 3600 }), fc.boolean()), { minLength: 1 });
    fc.assert(
      fc.property(times, (asked) => {
        let held = alert;
        const done = { warn: 0, pass: 0 };
        for (const [seconds, isFiring] of asked.sort(([left], [right]) => left - right)) {
          const now = Date.parse(start) + seconds * 1000;
          const plan = deadlinePlan(held, now, isFiring);
          if (plan.warn) [held, done.warn] = [markDeadlineWarned(held, start), done.warn + 1];
          if (plan.pass) [held, done.pass] = [markDeadlinePassed(held), done.pass + 1];
          if (plan.next) expect(Date.parse(plan.next.at)).toBeGreaterThan(now);
        }
        expect(done.warn).toBeLessThanOrEqual(1);
        expect(done.pass).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("a provider's signature", () => {
  const now = 1_777_777_777_000;
  const body = '{"alertId":"é"}';
  const header = (seconds: number, key = 'right') => `t=${seconds},v1=${hmacSha256(key, `${seconds}.${body}`)}`;
  const check = (text: string | undefined, sent = body) => isSignedBody(text, sent, ['right', 'older'], now);

  it('is right by any valid key within five minutes', () => {
    expect(check(header(now / 1000))).toBe(true);
    expect(check(header(now / 1000, 'older'))).toBe(true);
    expect(check(header(now / 1000 - 300))).toBe(true);
    expect(check(header(now / 1000 + 300))).toBe(true);
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['of another key', header(now / 1000, 'wrong')],
    ['too old', header(now / 1000 - 301)],
    ['too far ahead', header(now / 1000 + 301)],
    ['without a time', header(now / 1000).slice(header(now / 1000).indexOf('v1='))],
    ['without a signature', `t=${now / 1000}`],
    ['of another time', header(now / 1000).replace('t=1', 't=2')],
    ['cut short', header(now / 1000).slice(0, -1)],
    ['no number', 't=1e9,v1=00'],
  ])('is wrong when it is %s', (_name, text) => expect(check(text)).toBe(false));

  it('is wrong for any other body', () => expect(check(header(now / 1000), `${body} `)).toBe(false));
});

describe('the facets of a list', () => {
  it('are all unless a filter is given', () => expect(alertFacets(undefined, undefined)).toBeUndefined());

  it('are only those that can be', () => {
    expect(alertFacets(['RESOLVED'], ['DISPUTE_RDR', 'FRAUD_NOTICE', 'FRAUD'])).toEqual([
      'RESOLVED|DISPUTE_RDR',
      'RESOLVED|FRAUD',
    ]);
    expect(alertFacets(['INFORM'], ['FRAUD'])).toEqual([]);
  });

  it('have every new alert', () => {
    for (const type of alertTypes) {
      const { status } = anAlert({ type, decision: type === 'DISPUTE_RDR' ? 'DECLINED' : null });
      expect(alertFacets([status], [type])).toHaveLength(1);
      expect(alertFacets([withdraw(anAlert({ type }), start).status], [type])).toHaveLength(1);
    }
  });
});
