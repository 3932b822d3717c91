import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds, nowIso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { linkedEntry } from '#disputes/alerts/history/history.ts';
import { type FindConnected, settleDueRefund, settleRefund } from '#disputes/refunds/connection-refund-flow.ts';
import { type AlertRefund, isRefundFinal, type NewRefund, newAlertRefund } from '#disputes/refunds/refund.ts';
import { beginRefund, readAlertRefund } from '#disputes/refunds/refund-store.ts';
import {
  type ChargeRefundRequest,
  type ConnectedProcessor,
  type RefundState,
  refusedOutcome,
} from '#payments/processors/ports/connected-processor.ts';
import type { ProcessorResult } from '#payments/processors/ports/processor.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import { alertAt, fresh, outcomesAt, seedClaims, seedSite, take } from '#test/disputes/alerts/seed.ts';
import { untilKilled, useMortality } from '#test/payments/transactions/killed-process.ts';
import { advance } from '#test/payments/transactions/support.ts';
import { useOperations } from '#test/support/operations.ts';

useOperations();
useMortality();
afterEach(() => setClock());

let site: Site;
let descriptor: string;
beforeAll(async () => {
  site = await seedSite({ sid: 5000 + fresh(), alert: settings() });
  descriptor = `SHOP ${site.sid}`;
  await seedClaims('provider_a', 'EXACT', descriptor, site);
});
beforeEach(() => setClock(() => Date.parse('2026-05-02T10:00:00Z')));

/** The processor's reaction to one call for a refund, and the delay of its reports. */
type Fate =
  | { does: 'refunds' | 'refuses' | 'loses' | 'throws' | 'refundsAndLoses' | 'refundsPending' }
  | { does: 'refundsLate'; afterSeconds: number };

/** A processor that knows no idempotency keys: whatever arrives is refunded, every time. */
const careless = (fates: readonly Fate[], lagSeconds: number) => {
  const done: { key: string; at: number; visibleAt: number; isPending: boolean }[] = [];
  let calls = 0;
  const arrive = (key: string, seconds = 0, isPending = false): void => {
    const at = nowMilliseconds() + seconds * 1000;
    done.push({ key, at, visibleAt: at + lagSeconds * 1000, isPending });
  };
  const unknown: ProcessorResult = { outcome: 'UNKNOWN', detail: 'It was lost' };
  const refund = async ({ key }: ChargeRefundRequest): Promise<ProcessorResult> => {
    const fate = fates[calls] ?? { does: 'refunds' };
    calls += 1;
    switch (fate.does) {
      case 'refuses':
        return refusedOutcome('refund_failed', 'no');
      case 'loses':
        return unknown;
      case 'throws':
        arrive(key);
        throw new Error('The adapter broke');
      case 'refundsAndLoses':
        arrive(key);
        return unknown;
      case 'refundsLate':
        arrive(key, fate.afterSeconds);
        return unknown;
      case 'refundsPending':
        arrive(key, 0, true);
        return { outcome: 'PEND', reference: `r-${key}`, nextAction: null };
      case 'refunds':
        arrive(key);
        return { outcome: 'OK', reference: `r-${key}` };
    }
  };
  const refundState = async ({ key }: ChargeRefundRequest): Promise<RefundState> => {
    const made = done.find((one) => one.key === key && one.visibleAt <= nowMilliseconds());
    return made ? { outcome: 'OK', reference: `r-${made.key}` } : { outcome: 'NOT_FOUND' };
  };
  const unasked = async (): Promise<never> => {
    throw new Error('The test did not expect this call');
  };
  const connected: ConnectedProcessor = {
    kind: 'nmi',
    find: unasked,
    look: unasked,
    check: unasked,
    refund,
    refundState,
  };
  const findConnected: FindConnected = async () => connected;
  return { done, connected, findConnected, calls: () => calls };
};

const newAlert = async (): Promise<number> => {
  const sent = {
    ...{ alertId: `A${fresh()}`, type: 'CUSTOMER_DISPUTE', merchantDescriptor: descriptor, arn: '', authCode: '' },
    ...{ cardBin: '424242', cardLast4: '4242', amount: { value: '10.00', currencyCode: 'USD' } },
    transactionTimestamp: nowIso(),
  };
  return (await take('provider_a', sent)).alert_id;
};

const wanted = (alertId: number): NewRefund => ({
  ...{ alertId, sid: site.sid, mid: site.mid, connection: 'cn_1', reference: 'ch_1', by: 'anna' },
  charge: {
    payment_gateway_reference: 'ch_1',
    payment_gateway_reference2: 'order-1',
    payment_gateway_tx_type: 'sale',
    payment_gateway_transaction_date: nowIso(),
  },
  ...{ amount: '10.00', currency: 'USD', isSettled: true, reason: 'dispute' },
  answer: { alertId, sid: site.sid, by: 'anna', isPart: false },
});
/** So many alerts are about the one charge. */
const plenty = { captured: 1_000_000_000n, refunded: 0n };
const begin = async (alertId: number) =>
  beginRefund(
    { refund: newAlertRefund(wanted(alertId), undefined, nowIso()), begun: null },
    { elsewhere: undefined, here: null },
    plenty,
    await alertAt(alertId),
    linkedEntry({ connection: 'cn_1', reference: 'ch_1' }, null, 'anna', nowIso()),
  );

const readRefund = async (alertId: number): Promise<AlertRefund> => {
  const row = await readAlertRefund(alertId);
  if (!row) throw new Error('There is no refund');
  return row.refund;
};

/** Lets the workers go on until the result is known. */
const settleAll = async (alertId: number, findConnected: FindConnected): Promise<void> => {
  for (let round = 0; round < 60; round += 1) {
    const { nextCheckAt } = await readRefund(alertId);
    if (nextCheckAt === null) return;
    advance(Math.max(0, Date.parse(nextCheckAt) - nowMilliseconds()));
    await settleDueRefund({ alertId, slot: nextCheckAt }, { findConnected });
  }
  throw new Error('Something is stuck');
};

const aFate: fc.Arbitrary<Fate> = fc.oneof(
  fc.constantFrom<Fate>(
    { does: 'refunds' },
    { does: 'refuses' },
    { does: 'loses' },
    { does: 'throws' },
    { does: 'refundsAndLoses' },
    { does: 'refundsPending' },
  ),
  fc.record({ does: fc.constant('refundsLate' as const), afterSeconds: fc.integer({ min: 1, max: 10 }) }),
);
const aDeath = fc.record({
  at: fc.integer({ min: 1, max: 5 }),
  how: fc.constantFrom('before' as const, 'after' as const),
  workers: fc.integer({ min: 1, max: 3 }),
  seconds: fc.integer({ min: 0, max: 400 }),
});

describe("a refund at a merchant's own processor", () => {
  it('is made once, whatever is lost, doubled, late or killed', async () => {
    const lives = fc.array(aDeath, { maxLength: 4 });
    const fates = fc.array(aFate, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fates, lives, fc.integer({ min: 0, max: 200 }), async (does, deaths, lagSeconds) => {
        setClock(() => Date.parse('2026-05-02T10:00:00Z'));
        const alertId = await newAlert();
        const processor = careless(does, lagSeconds);
        const row = await begin(alertId);
        for (const { at, how, workers, seconds } of deaths) {
          const work = Array.from({ length: workers }, () =>
            untilKilled(at, how, () => settleRefund(row, { findConnected: processor.findConnected })),
          );
          await Promise.all(work);
          advance(seconds * milliseconds.second);
        }
        await settleAll(alertId, processor.findConnected);
        const refund = await readRefund(alertId);
        expect(processor.done.length).toBeLessThanOrEqual(1);
        expect({ state: refund.state, made: processor.done.length }).toEqual(
          refund.state === 'done' ? { state: 'done', made: 1 } : { state: 'failed', made: 0 },
        );
        const alert = await alertAt(alertId);
        expect(alert.status === 'RESOLVED').toBe(refund.state === 'done');
        expect((await outcomesAt(alertId)).filter(({ isFinal: final }) => final)).toHaveLength(processor.done.length);
      }),
      { numRuns: 60 },
    );
  });

  it('answers its alert in the transaction that records it', async () => {
    const alertId = await newAlert();
    const processor = careless([], 0);
    await settleRefund(await begin(alertId), { findConnected: processor.findConnected });
    expect(await readRefund(alertId)).toMatchObject({ state: 'done', nextCheckAt: null, tries: 1 });
    expect(await alertAt(alertId)).toMatchObject({
      status: 'RESOLVED',
      update: { reason_code: '100.001', alert_outcome_amount: '10.00' },
      automatic: {
        transaction: { payment_gateway_reference: 'ch_1' },
        refund: { payment_gateway_reference: `r-fw-alert-${alertId}-1`, payment_gateway_reference2: 'ch_1' },
      },
    });
  });

  it('whose answer is lost leaves the alert in progress until it is known', async () => {
    const alertId = await newAlert();
    const processor = careless([{ does: 'refundsAndLoses' }], 60);
    await settleRefund(await begin(alertId), { findConnected: processor.findConnected });
    expect(await readRefund(alertId)).toMatchObject({ state: 'unknown', error: 'It was lost' });
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP', update: { reason_code: '999.002' } });
    await settleAll(alertId, processor.findConnected);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    expect(processor.calls()).toBe(1);
  });

  it('is left alone while another call asks for it, and once it is done', async () => {
    const alertId = await newAlert();
    const processor = careless([], 0);
    const row = await begin(alertId);
    const inBetween: string[] = [];
    const findConnected: FindConnected = async () => ({
      ...processor.connected,
      refund: async (request) => {
        const leased = (await readAlertRefund(alertId)) ?? row;
        for (const known of [row, leased]) {
          inBetween.push((await settleRefund(known, { findConnected: processor.findConnected })).refund.state);
        }
        return processor.connected.refund(request);
      },
      refundState: () => expect.unreachable('It is not asked about'),
    });
    await settleRefund(row, { findConnected });
    const done = (await readAlertRefund(alertId)) ?? row;
    expect(inBetween).toEqual(['asked', 'asked']);
    expect(await settleRefund(done, { findConnected })).toEqual(done);
    expect(await settleRefund(row, { findConnected })).toEqual(done);
    expect(await readAlertRefund(alertId)).toEqual(done);
    expect([done.refund.state, processor.calls()]).toEqual(['done', 1]);
  });

  it.each([
    ['is asked about', 60],
    ['would be requested again', 600],
  ])('is not given up if its connection cannot be used when it %s', async (_, seconds) => {
    const alertId = await newAlert();
    const processor = careless([{ does: 'refundsAndLoses' }], seconds < 600 ? 0 : 1200);
    await settleRefund(await begin(alertId), { findConnected: processor.findConnected });
    advance(seconds * milliseconds.second);
    if (seconds >= 600) {
      await settleDueRefund({ alertId }, { findConnected: processor.findConnected });
      expect((await readRefund(alertId)).state).toBe('reserved');
    }
    await settleDueRefund({ alertId }, { findConnected: async () => undefined });
    expect((await readRefund(alertId)).state).toBe('unknown');
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP' });
    expect(processor.calls()).toBe(1);
  });

  it('whose adapter fails is logged and checked again', async () => {
    const alertId = await newAlert();
    await settleRefund(await begin(alertId), { findConnected: careless([{ does: 'throws' }], 0).findConnected });
    expect(await readRefund(alertId)).toMatchObject({ state: 'unknown', nextCheckAt: expect.any(String) });
    const lines = vi.mocked(process.stdout.write).mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines).toContainEqual(expect.objectContaining({ event: 'connection_threw', alertId }));
  });

  it('is no longer due once it is done', async () => {
    const alertId = await newAlert();
    const row = await begin(alertId);
    expect(await getItem(keys.refund(alertId))).toHaveProperty('nextCheckAt');
    await settleRefund(row, { findConnected: careless([], 0).findConnected });
    const stored = Object.keys((await getItem(keys.refund(alertId))) ?? {});
    expect(stored.filter((name) => name.startsWith('due') || name === 'nextCheckAt')).toEqual([]);
  });

  it('that never arrived is asked for again, and given up after three times', async () => {
    const alertId = await newAlert();
    const lost = careless([{ does: 'loses' }, { does: 'loses' }, { does: 'loses' }], 0);
    await settleRefund(await begin(alertId), { findConnected: lost.findConnected });
    await settleAll(alertId, lost.findConnected);
    expect(await readRefund(alertId)).toMatchObject({ state: 'failed', tries: 3, error: 'not_found_at_processor' });
    expect(isRefundFinal(await readRefund(alertId))).toBe(true);
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP' });
  });

  it('of a connection that cannot be used fails at once, as nothing was asked', async () => {
    const alertId = await newAlert();
    await settleRefund(await begin(alertId), { findConnected: async () => undefined });
    expect(await readRefund(alertId)).toMatchObject({ state: 'failed', error: 'no_processor' });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
  });
});
