import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeAll, describe, expect, it } from 'vitest';
import { captureHash } from '#payments/payments/order/hashes.ts';
import { captureThroughLedger } from '#payments/transactions/follow-up/capture-flow.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { useOperations } from '#test/support/operations.ts';
import { settle } from '#test/support/settle.ts';
import { countCalls, untilKilled, useMortality } from './killed-process.ts';
import { newShop, pay, preauth, tryPay } from './shop.ts';
import { advance, expectSettled, fakeProcessor, fundsAt, paymentAt, settleEverything, useSandbox } from './support.ts';

useOperations();
useMortality();
useSandbox();

let shop: Tenant;
beforeAll(async () => {
  process.env['SETTLEMENT_QUEUE_URL'] = 'https://sqs.example.com/settlement';
  mockClient(SQSClient).on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  shop = await newShop();
});

const maxCalls = 15;

type Course = {
  /** The earlier state. Returns the number of the payment, if it is known. */
  before: () => Promise<number>;
  work: (txid: number) => Promise<unknown>;
};

const refund = (parentTxid: number, minor: bigint) =>
  refundThroughLedger({
    parentTxid,
    money: { minor, currency: 'USD' },
    dispute: null,
    by: 'test',
    tid: `refund-${parentTxid}`,
  });
const capture = (parentTxid: number, amount: string) => {
  const { sid, rcode } = shop;
  return captureThroughLedger({ sid, parentTxid, amount, proof: captureHash(sid, amount, rcode) });
};
type Funds = Awaited<ReturnType<typeof fundsAt>>;
const changed = ({ available, reserved }: Funds, by: bigint): Funds => ({
  available: available + Number(by),
  reserved,
});

const courses: Record<string, Course> = {
  'a refund': {
    before: async () => (await pay(shop, '10.00')).txid,
    work: (txid) => refund(txid, 400n),
  },
  'a refund whose answer is lost': {
    before: async () => (await pay(shop, '10.68')).txid,
    work: (txid) => refund(txid, 400n),
  },
  'a refund that takes a while': {
    before: async () => (await pay(shop, '10.00')).txid,
    work: (txid) => refund(txid, 461n),
  },
  'a refund that is refused': {
    before: async () => (await pay(shop, '10.65')).txid,
    work: (txid) => refund(txid, 400n),
  },
  'a void': {
    before: async () => (await preauth(shop, '10.00')).txid,
    work: (txid) => refund(txid, 1000n),
  },
  'a capture': {
    before: async () => (await preauth(shop, '10.00')).txid,
    work: (txid) => capture(txid, '10.00'),
  },
  'a capture that is refused': {
    before: async () => (await preauth(shop, '10.69')).txid,
    work: (txid) => capture(txid, '10.69'),
  },
};

describe.each(['before', 'after'] as const)('killed %s a call of the table is done', (how) => {
  it.each(Object.entries(courses))('%s ends, and the books agree with the processor', async (_name, course) => {
    for (let dieAt = 1; dieAt <= maxCalls; dieAt += 1) {
      const before = await fundsAt(shop.sid);
      const txid = await course.before();
      const died = await untilKilled(dieAt, how, () => course.work(txid));
      await settleEverything();
      const { captured, refunded } = await expectSettled(txid);
      expect(await fundsAt(shop.sid)).toEqual(changed(before, captured - refunded));
      if (!died) return;
      // A caller who was cut off asks again, and gets it done once.
      await course.work(txid).catch(() => undefined);
      await settleEverything();
      const again = await expectSettled(txid);
      expect(again.refunded).toBeLessThanOrEqual(461n);
    }
    throw new Error('More calls than any flow may make');
  });

  it.each(['10.00', '10.61', '10.62', '10.66'])('a payment of %s is made once for its tid', async (amount) => {
    for (let dieAt = 1; dieAt <= maxCalls; dieAt += 1) {
      const before = await fundsAt(shop.sid);
      const tid = `basket-${amount}-${how}-${dieAt}`;
      const died = await untilKilled(dieAt, how, () => tryPay(shop, amount, { tid }));
      await settleEverything();
      // A call that was cut off is sent again by whoever got no answer.
      const { body } = await tryPay(shop, amount, { tid });
      const { txid } = body as { txid: number };
      await settleEverything();
      const { captured } = await expectSettled(txid);
      expect(await fundsAt(shop.sid)).toEqual(changed(before, captured));
      if (!died) return;
    }
    throw new Error('More calls than any flow may make');
  });

  it('settling itself starts again where it was cut off', async () => {
    for (let dieAt = 1; dieAt <= maxCalls; dieAt += 1) {
      const { txid, status } = await pay(shop, '10.62');
      expect(status).toBe('PEND');
      advance(61_000);
      const died = await untilKilled(dieAt, how, () => settle({ txid }));
      await settleEverything();
      expect((await expectSettled(txid)).captured).toBe(1062n);
      expect((await paymentAt(txid)).status).toBe('OK');
      if (!died) return;
    }
    throw new Error('More calls than any flow may make');
  });
});

describe('calls of the table, but for what the sandbox does itself', () => {
  const processor = fakeProcessor({
    refund: async () => ({ outcome: 'OK', reference: 're_1' }),
    capture: async () => ({ outcome: 'OK', reference: 'cp_1' }),
    query: async () => ({ outcome: 'OK', reference: 'py_1' }),
  });
  const means = { processorFor: async () => processor };

  it('are four for a refund, three for a capture and three for a settling', async () => {
    const { sid, rcode } = shop;
    const [paid, held, lost] = [await pay(shop, '10.00'), await preauth(shop, '10.00'), await pay(shop, '10.62')];
    const money = { minor: 400n, currency: 'USD' };
    const order = { parentTxid: paid.txid, money, dispute: null, by: 'test', tid: 'counted' };
    expect(await countCalls(() => refundThroughLedger(order, means))).toBe(4);
    const proof = captureHash(sid, '10.00', rcode);
    const capturing = { sid, parentTxid: held.txid, amount: '10.00', proof };
    expect(await countCalls(() => captureThroughLedger(capturing, means))).toBe(3);
    expect(await countCalls(() => settle({ txid: lost.txid, told: true }, means))).toBe(3);
  });
});
