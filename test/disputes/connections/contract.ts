import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iso, milliseconds, nowIso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import type {
  ChargeCandidate,
  ChargeListResult,
  ChargeRefundRequest,
  Check,
  ConnectedProcessor,
  DisputedCharge,
} from '#payments/processors/ports/connected-processor.ts';
import type { ConnectionKind } from '#payments/processors/ports/processors.ts';

/**
 * The contract of every connection to a merchant's own processor, on which automatic handling relies. An adapter's test gives a
 * harness that brings a strict stand-in of it into each situation. The sandbox, whose charges are always the same, has a test of
 * its own.
 */

/** A charge that the merchant took there. */
type ChargeWish = {
  minor: number;
  currency?: string;
  /** The last four digits decide what is found. */
  number?: string;
  at?: number;
  /** Captured, and settled: whatever the processor wants before it refunds parts. Default: true. */
  isSettled?: boolean;
  isCaptured?: boolean;
};

type Harness = {
  connected: ConnectedProcessor;
  /** Another with keys of the same account that lack rights, or with wrong ones. */
  connectedWith(keys: 'wrong' | 'read_only'): ConnectedProcessor;
  charge(wish: ChargeWish): string;
  /** Makes a refund there that Forewarn did not request. */
  refundByHand(reference: string, minor: number): void;
  chargeBack(reference: string): void;
  /** Counts the refunds, whoever requested them. */
  refunds(): number;
  /** Has the answers to the next requests that give money back lost, though they are done; or the requests never arrive. */
  lose(how: 'lost' | 'never'): void;
  /** Has the next questions fail. */
  breakQuestions(status: number | 'never'): void;
  subscribed?(wish: ChargeWish): { reference: string; isEnded(): boolean };
};

export type Subject = {
  start(): Promise<Harness>;
  stop(): PromiseLike<void>;
  /** Rights that a read-only key lacks, in the processor's own words. */
  missing: readonly string[];
  /** A number whose refunds fail. */
  refundsFail: string;
  /** True if parts can be refunded before settlement, or only the whole. */
  beforeSettlement: 'whole' | 'parts';
  /** Null: the processor never states the authorisation code. */
  authCode?: null;
};

const card = '4111111111111111';
export const aDispute = (change: Partial<DisputedCharge> = {}): DisputedCharge => ({
  ...{ arn: '', authCode: '', first6: '411111', last4: '1111', descriptor: 'SHOP*ONLINE' },
  money: { minor: 4520n, currency: 'USD' },
  day: nowIso(),
  ...change,
});

export const aRefund = (
  reference: string,
  minor: bigint,
  change: Partial<ChargeRefundRequest> = {},
): ChargeRefundRequest => ({
  ...{ reference, money: { minor, currency: 'USD' }, key: `alert-${randomText(20)}`, begunAt: nowIso() },
  ...{ reason: 'dispute', alertId: 1001 },
  ...change,
});

export const describeConnectedProcessor = (kind: ConnectionKind, subject: Subject): void => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await subject.start();
  });
  afterAll(async () => {
    setClock();
    await subject.stop();
  });
  const move = (by: number) => {
    const then = nowMilliseconds() + by;
    setClock(() => then);
  };
  const charge = (wish: Partial<ChargeWish> = {}) => harness.charge({ minor: 4520, number: card, ...wish });
  const foundBy = async (disputed: DisputedCharge): Promise<readonly ChargeCandidate[]> => {
    const found = await harness.connected.find(disputed);
    if ('problem' in found) throw new Error(JSON.stringify(found));
    return found.candidates;
  };
  const look = async (reference: string): Promise<ChargeCandidate> => {
    const found = await harness.connected.look(reference);
    if (found === null || 'problem' in found) throw new Error(JSON.stringify(found));
    return found;
  };
  const refundsSince = (before: number): number => harness.refunds() - before;

  describe(`${kind}: finding`, () => {
    it('says which kind it is', () => expect(harness.connected.kind).toBe(kind));

    it('finds a charge by card, amount and day, and returns its known facts', async () => {
      const reference = charge();
      const found = (await foundBy(aDispute())).find((one) => one.reference === reference);
      expect(found).toMatchObject({
        ...{ reference, money: { minor: 4520n, currency: 'USD' }, last4: '1111', captured: 4520n, refunded: 0n },
        ...{ isChargedBack: false, isUnclear: false, date: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
        type: expect.stringMatching(/^\w+$/),
        authCode: subject.authCode === null ? null : expect.stringMatching(/^\w{6}$/),
      });
      expect(await look(reference)).toEqual(found);
    });

    it('finds two that are alike, and a fresh one as well', async () => {
      const [one, other] = [charge({ minor: 3377 }), charge({ minor: 3377 })];
      const found = await foundBy(aDispute({ money: { minor: 3377n, currency: 'USD' } }));
      expect(found.map(({ reference }) => reference).sort()).toEqual([one, other].sort());
    });

    it('finds none of another card, and none of another day', async () => {
      const another = charge({ minor: 3388, number: '5555555555554444' });
      const old = charge({ minor: 3388, at: nowMilliseconds() - 9 * milliseconds.day });
      const found = await foundBy(aDispute({ money: { minor: 3388n, currency: 'USD' } }));
      expect(found.filter(({ reference }) => [another, old].includes(reference))).toEqual([]);
      const then = iso(nowMilliseconds() - 9 * milliseconds.day);
      const before = await foundBy(aDispute({ money: { minor: 3388n, currency: 'USD' }, day: then }));
      expect(before.map(({ reference }) => reference)).toContain(old);
    });

    it('says of what does not exist that it is not there', async () => {
      for (const reference of ['ch_nobody', '999', 'zzzz', '', '../../v1/balance', "1' OR 1=1"]) {
        expect(await harness.connected.look(reference)).toBeNull();
      }
    });

    it('tells an authorisation from what was captured', async () => {
      const reference = charge({ minor: 3399, isCaptured: false });
      expect(await look(reference)).toMatchObject({ captured: 0n, refunded: 0n });
      const outcome = await harness.connected.refund(aRefund(reference, 3399n));
      expect(outcome).toMatchObject({ outcome: 'EXC', reference: null });
    });

    it('reports a chargeback, and refunds made elsewhere', async () => {
      const [part, whole, lost] = [charge({ minor: 3310 }), charge({ minor: 3311 }), charge({ minor: 3312 })];
      harness.refundByHand(part, 1000);
      harness.refundByHand(whole, 3311);
      harness.chargeBack(lost);
      expect(await look(part)).toMatchObject({ captured: 3310n, refunded: 1000n });
      expect(await look(whole)).toMatchObject({ captured: 3311n, refunded: 3311n });
      expect(await look(lost)).toMatchObject({ isChargedBack: true, chargedBackAt: expect.stringMatching(/^20.*Z$/) });
    });
  });

  describe(`${kind}: listing`, () => {
    const all = async (from: string, to: string): Promise<ChargeCandidate[]> => {
      const charges: ChargeCandidate[] = [];
      let cursor: string | null = null;
      do {
        const page: ChargeListResult | undefined = await harness.connected.list?.({ from, to }, cursor);
        if (!page || page === 'not_offered' || 'problem' in page) throw new Error(JSON.stringify(page));
        charges.push(...page.charges);
        cursor = page.next;
      } while (cursor !== null);
      return charges;
    };

    it('lists each charge of a span once, page by page, and none before or after it', async () => {
      if (!harness.connected.list) return;
      const at = nowMilliseconds() - 40 * milliseconds.day;
      const made = Array.from({ length: 130 }, (_, n) => charge({ minor: 1000 + n, at: at + n * milliseconds.minute }));
      const [before, after] = [charge({ at: at - milliseconds.day }), charge({ at: at + milliseconds.day })];
      const listed = await all(iso(at - milliseconds.hour), iso(at + 3 * milliseconds.hour));
      const references = listed.map(({ reference }) => reference);
      expect(references.toSorted()).toEqual(made.toSorted());
      expect(references).not.toContain(before);
      expect(references).not.toContain(after);
      expect(listed.find(({ reference }) => reference === made[5])).toMatchObject({ money: { minor: 1005n } });
    });

    it('reports wrong keys, and a processor that does not answer', async () => {
      if (!harness.connected.list) return;
      const span = { from: iso(nowMilliseconds() - milliseconds.day), to: nowIso() };
      expect(await harness.connectedWith('wrong').list?.(span, null)).toMatchObject({ problem: 'credentials' });
      harness.breakQuestions(503);
      expect(await harness.connected.list?.(span, null)).toMatchObject({ problem: 'unavailable' });
    });
  });

  describe(`${kind}: refunding`, () => {
    it('gives back the whole, and shows that it did', async () => {
      const reference = charge();
      const before = harness.refunds();
      const outcome = await harness.connected.refund(aRefund(reference, 4520n));
      expect(outcome).toMatchObject({ outcome: 'OK', reference: expect.any(String) });
      expect(refundsSince(before)).toBe(1);
      expect(await look(reference)).toMatchObject({ refunded: 4520n });
    });

    it('gives back the whole before it has settled', async () => {
      const reference = charge({ isSettled: false });
      expect(await harness.connected.refund(aRefund(reference, 4520n))).toMatchObject({ outcome: 'OK' });
      expect(await look(reference)).toMatchObject({ captured: 4520n, refunded: 4520n });
    });

    it(`before it has settled, gives back ${subject.beforeSettlement}`, async () => {
      const outcome = await harness.connected.refund(aRefund(charge({ isSettled: false }), 1000n));
      const isPart = subject.beforeSettlement === 'parts';
      expect(outcome).toMatchObject(isPart ? { outcome: 'OK' } : { outcome: 'EXC', reference: null });
    });

    it('gives back parts up to the whole and no more', async () => {
      const reference = charge({ minor: 3000 });
      const before = harness.refunds();
      expect(await harness.connected.refund(aRefund(reference, 1000n))).toMatchObject({ outcome: 'OK' });
      expect(await look(reference)).toMatchObject({ captured: 3000n, refunded: 1000n });
      expect(await harness.connected.refund(aRefund(reference, 2001n))).toMatchObject({ outcome: 'EXC' });
      expect(await harness.connected.refund(aRefund(reference, 2000n))).toMatchObject({ outcome: 'OK' });
      expect(await harness.connected.refund(aRefund(reference, 1n))).toMatchObject({ outcome: 'EXC' });
      expect(refundsSince(before)).toBe(2);
    });

    it('does one key once and answers the same again', async () => {
      const before = harness.refunds();
      const request = aRefund(charge(), 1500n);
      const first = await harness.connected.refund(request);
      expect(await harness.connected.refund(request)).toEqual(first);
      expect(await harness.connected.refundState(request)).toEqual(first);
      expect(refundsSince(before)).toBe(1);
    });

    it('of a charge that does not exist is refused', async () => {
      for (const reference of ['ch_nobody', '999', 'sbc_20260502_99']) {
        expect(await harness.connected.refund(aRefund(reference, 100n))).toMatchObject({
          outcome: 'EXC',
          reference: null,
        });
      }
    });

    it('may fail', async () => {
      const request = aRefund(charge({ number: subject.refundsFail }), 4520n);
      expect(await harness.connected.refund(request)).toMatchObject({ outcome: 'EXC', code: 'refund_failed' });
    });
  });

  describe(`${kind}: answers that do not come`, () => {
    const settledKinds = [true, false] as const;
    it.each(settledKinds)('a refund whose answer is lost is found, and done once (settled: %s)', async (isSettled) => {
      const before = harness.refunds();
      const request = aRefund(charge({ isSettled }), 4520n);
      harness.lose('lost');
      expect(await harness.connected.refund(request)).toMatchObject({ outcome: 'UNKNOWN' });
      expect(await harness.connected.refundState(request)).toMatchObject({ outcome: 'OK' });
      expect(await harness.connected.refund(request)).toMatchObject({ outcome: 'OK' });
      expect(refundsSince(before)).toBe(1);
    });

    it('a refund that never arrived is reported absent after a while, and can be repeated', async () => {
      const request = aRefund(charge(), 4520n);
      harness.lose('never');
      expect(await harness.connected.refund(request)).toMatchObject({ outcome: 'UNKNOWN' });
      expect(await harness.connected.refundState(request)).toMatchObject({ outcome: 'UNKNOWN' });
      move(6 * milliseconds.minute);
      expect(await harness.connected.refundState(request)).toEqual({ outcome: 'NOT_FOUND' });
      expect(await harness.connected.refund(request)).toMatchObject({ outcome: 'OK' });
    });

    it.each([401, 403, 429, 500, 'never'] as const)('what cannot be asked (%s) says nothing', async (status) => {
      const reference = charge();
      const before = harness.refunds();
      harness.breakQuestions(status);
      expect(await harness.connected.find(aDispute())).toMatchObject({ problem: expect.any(String) });
      harness.breakQuestions(status);
      expect(await harness.connected.look(reference)).toMatchObject({ problem: expect.any(String) });
      harness.breakQuestions(status);
      const request = aRefund(reference, 4520n);
      expect(await harness.connected.refundState(request)).toMatchObject({ outcome: 'UNKNOWN' });
      expect(refundsSince(before)).toBe(0);
    });
  });

  describe(`${kind}: keys`, () => {
    it('that are right work', async () => expect(await harness.connected.check()).toEqual({ isWorking: true }));

    it('are reported as wrong, or as lacking a permission', async () => {
      const [wrong, reader] = [harness.connectedWith('wrong'), harness.connectedWith('read_only')];
      const refused: Check = await wrong.check();
      expect(refused).toMatchObject({
        isWorking: false,
        problem: 'credentials',
        missing: [],
        detail: expect.stringMatching(/ know /),
      });
      expect(await reader.check()).toMatchObject({
        isWorking: false,
        problem: 'credentials',
        missing: subject.missing,
      });
      expect(await wrong.find(aDispute())).toMatchObject({ problem: 'credentials' });
      const outcome = await reader.refund(aRefund(charge(), 4520n));
      expect(outcome).toMatchObject({ outcome: 'EXC', code: 'processor_credentials', reference: null });
      const shown = inspect([refused, outcome, wrong, reader], { depth: null, showHidden: true });
      expect(shown).not.toMatch(/sk_test_|rk_test_|6457Thfj|7dd7253c|EKfake/);
    });

    it('that change nothing when they are tried', async () => {
      const before = harness.refunds();
      await harness.connected.check();
      expect(refundsSince(before)).toBe(0);
    });
  });

  describe(`${kind}: subscriptions`, () => {
    it('are canceled by one of their charges, also twice, where the processor supports it', async () => {
      const { subscribed, connected } = harness;
      const { cancelSubscription } = connected;
      expect(cancelSubscription !== undefined).toBe(subscribed !== undefined);
      if (!subscribed || !cancelSubscription) return;
      const { reference, isEnded } = subscribed({ minor: 990, number: card });
      expect(isEnded()).toBe(false);
      expect(await cancelSubscription(reference, 'end-1')).toMatchObject({ outcome: 'OK' });
      expect(isEnded()).toBe(true);
      expect(await cancelSubscription(reference, 'end-2')).toMatchObject({ outcome: 'OK' });
      expect(await cancelSubscription(charge(), 'end-3')).toMatchObject({
        outcome: 'EXC',
        code: 'not_found_at_processor',
      });
    });
  });
};
