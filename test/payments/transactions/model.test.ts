import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { refundDispute } from '#disputes/refunds/refund-dispute-flow.ts';
import { captureHash } from '#payments/payments/order/hashes.ts';
import { captureThroughLedger } from '#payments/transactions/follow-up/capture-flow.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import { holdForDispute, releaseDispute } from '#payments/transactions/ledger/ledger-changes.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { useOperations } from '#test/support/operations.ts';
import { untilKilled, useMortality } from './killed-process.ts';
import { expectedVrfy, newShop, readStatus, tryPay } from './shop.ts';
import { changeLedger, expectSettled, fundsAt, paymentAt, settleEverything, useSandbox } from './support.ts';

const byDispute = (alertId: number | null) => (alertId === null ? null : refundDispute({ alertId, by: 'test' }));

useOperations();
useMortality();
useSandbox();

let shop: Tenant;
beforeAll(async () => {
  shop = await newShop();
});

/** The steps of a payment. `dieAt`: at which of its calls the process is killed; 0: never. */
type Step =
  | { do: 'capture' }
  | { do: 'refund'; minor: bigint; alertId: number | null }
  | { do: 'hold' | 'release'; alertId: number };
type Act = Step & { dieAt: number; how: 'before' | 'after' };

const alertId = fc.constantFrom(21, 22);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('capture' as const) }),
  fc.record({
    do: fc.constant('refund' as const),
    // Ends in what the sandbox answers by: plain, late, lost, refused, never arrived.
    minor: fc.constantFrom(100n, 100n, 300n, 161n, 162n, 165n, 166n, 500n, 1000n),
    alertId: fc.oneof(fc.constant(null), fc.constant(null), alertId),
  }),
  fc.record({ do: fc.constantFrom('hold' as const, 'release' as const), alertId }),
);
const anAct: fc.Arbitrary<Act> = fc
  .tuple(
    aStep,
    fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 1, max: 8 })),
    fc.constantFrom('before' as const, 'after' as const),
  )
  .map(([step, dieAt, how]) => ({ ...step, dieAt, how }));
const aLife = fc.record({
  // In addition to plain ones: payments whose first answer is late, lost or never arrived, and whose follow-ups get lost or
  // refused.
  amount: fc.constantFrom('10.00', '10.00', '10.00', '10.61', '10.62', '10.65', '10.66', '10.68', '10.69'),
  action: fc.constantFrom('PAYMENT' as const, 'PREAUTH' as const),
  dieAt: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 1, max: 5 })),
  how: fc.constantFrom('before' as const, 'after' as const),
  /** Those of one batch act at the same time. */
  batches: fc.array(fc.array(anAct, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
});

let lives = 0;

const act = async (txid: number, amount: string, step: Step): Promise<unknown> => {
  switch (step.do) {
    case 'capture': {
      const { sid, rcode } = shop;
      return captureThroughLedger({ sid, parentTxid: txid, amount, proof: captureHash(sid, amount, rcode) });
    }
    case 'refund': {
      const money = {
        minor: step.minor === 1000n ? BigInt(amount.replace('.', '')) : step.minor,
        currency: 'USD',
      };
      return refundThroughLedger({ parentTxid: txid, money, dispute: byDispute(step.alertId), by: 'test' });
    }
    case 'hold':
      return changeLedger(txid, (ledger) => holdForDispute(ledger, step.alertId));
    case 'release':
      return changeLedger(txid, (ledger) => releaseDispute(ledger, step.alertId));
  }
};

it('the books agree with the processor after any concurrent or interrupted operations on payments', async () => {
  const seen = new Set<string>();
  let expected = await fundsAt(shop.sid);
  await fc.assert(
    fc.asyncProperty(aLife, async ({ amount, action, dieAt, how, batches }) => {
      lives += 1;
      const order = { tid: `life-${lives}`, tx_action: action };
      await untilKilled(dieAt, how, () => tryPay(shop, amount, order));
      if (dieAt > 0) await settleEverything();
      // The same tid answers what it made before, or makes it now.
      const first = await tryPay(shop, amount, order);
      const { txid } = first.body as { txid: number };
      for (const batch of batches) {
        // A forbidden operation is refused, and a killed one is silent.
        await Promise.all(batch.map((one) => untilKilled(one.dieAt, one.how, () => act(txid, amount, one))));
      }
      await settleEverything();
      const ledger = await expectSettled(txid);
      const held = Object.values(ledger.disputes).reduce((sum, one) => sum + one.held, 0n);
      const gained = ledger.captured - ledger.refunded;
      expected = {
        available: expected.available + Number(gained - held),
        reserved: expected.reserved + Number(held),
      };
      expect(await fundsAt(shop.sid)).toEqual(expected);
      const again = await tryPay(shop, amount, order);
      expect(again.body).toMatchObject({ txid });
      const result = await readStatus(shop, txid);
      expect(result.vrfy).toBe(expectedVrfy(shop, result));
      for (const { refundTxid } of Object.values(ledger.disputes)) {
        if (refundTxid !== null) expect((await paymentAt(refundTxid)).status).toBe('OK');
      }
      for (const [name, is] of Object.entries({ ...ledger, held }))
        if (typeof is === 'bigint' && is > 0n) seen.add(name);
    }),
    { numRuns: 40, seed: 20_261_121, endOnFailure: true },
  );
  // The lives led into every corner.
  expect([...seen].sort()).toEqual(['authorized', 'captured', 'held', 'refunded', 'voided']);
});

it('a tid that comes many times at once is charged once', async () => {
  const before = await fundsAt(shop.sid);
  const tries = Array.from({ length: 6 }, () => tryPay(shop, '10.00', { tid: 'many-times' }));
  const answers = await Promise.all([...tries, tryPay(shop, '11.00', { tid: 'many-times' })]);
  await settleEverything();
  const paid = answers.flatMap(({ status, body }) => (status === 200 ? [body as { txid: number }] : []));
  const [first] = paid;
  expect(new Set(paid.map(({ txid }) => txid)).size).toBe(1);
  // Whichever of the two bodies came first, the other is refused.
  expect([1, 6]).toContain(paid.length);
  const { captured } = await expectSettled(Number(first?.txid));
  expect(await fundsAt(shop.sid)).toEqual({ ...before, available: before.available + Number(captured) });
});
