import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { connectAuthorizeNet } from '#payments/processors/authorize-net/authorize-net-connected-client.ts';
import type { ChargeCandidate, ChargePage } from '#payments/processors/ports/connected-processor.ts';
import {
  type FakeAuthorizeNet,
  refundsFailAtAuthorizeNet,
  startFakeAuthorizeNet,
} from '#test/support/fake-authorize-net.ts';
import { aDispute, aRefund, describeConnectedProcessor } from './contract.ts';

let authorizeNet: FakeAuthorizeNet;
const at = (transaction_key: string) =>
  connectAuthorizeNet({ api_login_id: authorizeNet.apiLoginId, transaction_key, base_url: authorizeNet.url });

describeConnectedProcessor('authorize_net', {
  start: async () => {
    authorizeNet = await startFakeAuthorizeNet();
    return {
      connected: at(authorizeNet.transactionKey),
      connectedWith: (keys) => at(keys === 'wrong' ? '346HZ32z3fP4hTG9' : authorizeNet.readOnlyKey),
      charge: ({ minor, number = '', at: made, isSettled = true, isCaptured = true }) =>
        authorizeNet.charge({
          ...{ minor, number, isSettled: isSettled && isCaptured },
          ...(made && { at: made }),
          ...(!isCaptured && { type: 'authOnlyTransaction', status: 'authorizedPendingCapture' }),
        }).id,
      refundByHand: (reference, minor) => authorizeNet.refundByHand(reference, minor),
      chargeBack: (reference) => authorizeNet.chargeBack(reference),
      refunds: () => authorizeNet.countRefunds(),
      lose: (how) => authorizeNet.fail(how, /createTransaction/, 1),
      // Each question asks for the account's currency, among others.
      breakQuestions: (status) => authorizeNet.fail(status, /getMerchantDetails/),
      subscribed: (wish) => {
        authorizeNet.subscriptions.set('9001', 'active');
        const { id } = authorizeNet.charge({ minor: wish.minor, subscription: '9001' });
        return { reference: id, isEnded: () => authorizeNet.subscriptions.get('9001') !== 'active' };
      },
    };
  },
  stop: () => authorizeNet[Symbol.asyncDispose](),
  missing: ['void and refund'],
  refundsFail: refundsFailAtAuthorizeNet,
  beforeSettlement: 'whole',
});

describe('authorize_net: what only Authorize.Net does', () => {
  beforeAll(async () => {
    authorizeNet = await startFakeAuthorizeNet();
  });
  afterAll(() => authorizeNet[Symbol.asyncDispose]());
  const connected = () => at(authorizeNet.transactionKey);
  const sent = () => authorizeNet.requests.filter(({ body }) => body.includes('createTransaction'));
  const dollars = (minor: bigint) => ({ minor, currency: 'USD' });

  it('finds the refund of a charge that was settled long ago', async () => {
    const day = nowMilliseconds() - 100 * milliseconds.day;
    const { id } = authorizeNet.charge({ minor: 3000, at: day });
    authorizeNet.refundByHand(id, 1000, { at: day + 70 * milliseconds.day });
    expect(await connected().look(id)).toMatchObject({ captured: 3000n, refunded: 1000n });
  });

  it('reads only batches that have charges of the days or refunds', async () => {
    const day = nowMilliseconds() - 200 * milliseconds.day;
    for (const days of [20, 21, 22]) authorizeNet.charge({ minor: 100, at: day + days * milliseconds.day });
    const { id } = authorizeNet.charge({ minor: 4321, at: day, number: '4222222222222222' });
    const before = authorizeNet.requests.length;
    await connected().find(aDispute({ money: dollars(4321n), last4: '2222', day: new Date(day).toISOString() }));
    const batches = authorizeNet.requests
      .slice(before)
      .filter(({ body }) => body.includes('getTransactionListRequest'));
    expect(batches.length).toBeLessThanOrEqual(2);
    expect(await connected().look(id)).toMatchObject({ reference: id });
  });

  it('reads a list page by page', async () => {
    const made = nowMilliseconds() - 300 * milliseconds.day;
    const { id } = authorizeNet.charge({ minor: 777, at: made });
    for (let n = 1; n <= 1000; n += 1) authorizeNet.charge({ minor: 100, number: '5555555555554444', at: made + n });
    const found = await connected().find(aDispute({ money: dollars(777n), day: new Date(made).toISOString() }));
    expect(found).toMatchObject({ candidates: [{ reference: id }], isWhole: true });
  });

  /** Lists have times without fractions of a second. */
  const secondAt = (at: number): number => at - (at % milliseconds.second);

  const pageOf = async (from: number, to: number, cursor: string | null = null): Promise<ChargePage> => {
    const page = await connected().list?.({ from: iso(from), to: iso(to) }, cursor);
    if (!page || page === 'not_offered' || 'problem' in page) throw new Error(JSON.stringify(page));
    return page;
  };
  const listed = async (from: number, to: number): Promise<ChargeCandidate[]> => {
    const charges: ChargeCandidate[] = [];
    let cursor: string | null = null;
    do {
      const page: ChargePage = await pageOf(from, to, cursor);
      charges.push(...page.charges);
      cursor = page.next;
    } while (cursor !== null);
    return charges;
  };

  it('lists what was settled, with chargebacks, and neither refunds nor what is not settled', async () => {
    const day = secondAt(nowMilliseconds() - 400 * milliseconds.day);
    const charge = authorizeNet.charge({ minor: 3000, at: day, invoiceNumber: 'ORD-9' });
    const lost = authorizeNet.charge({ minor: 4000, at: day + milliseconds.minute });
    authorizeNet.chargeBack(lost.id);
    authorizeNet.charge({ minor: 5000, at: day, isSettled: false });
    authorizeNet.refundByHand(charge.id, 1000, { at: day + milliseconds.minute });
    const usual = { brand: 'VISA', last4: '1111', refunded: 0n, isUnclear: true, isSettled: true };
    expect(await listed(day, day + milliseconds.hour)).toMatchObject([
      { reference: charge.id, secondReference: 'ORD-9', money: dollars(3000n), captured: 3000n, isChargedBack: false },
      { reference: lost.id, captured: 4000n, isChargedBack: true, ...usual },
    ]);
  });

  it('asks for the batches of at most 31 days at once', async () => {
    const day = nowMilliseconds() - 500 * milliseconds.day;
    const before = authorizeNet.requests.length;
    expect(await pageOf(day, day + 7 * milliseconds.day)).toEqual({ charges: [], next: null });
    const asked = authorizeNet.requests.slice(before).filter(({ body }) => body.includes('getSettledBatchList'));
    expect(asked).toHaveLength(2);
  });

  it('lists a charge on the border of two spans in the later one only', async () => {
    const day = secondAt(nowMilliseconds() - 600 * milliseconds.day);
    const { id } = authorizeNet.charge({ minor: 3000, at: day });
    expect(await listed(day - milliseconds.day, day)).toEqual([]);
    expect(await listed(day, day + milliseconds.day)).toMatchObject([{ reference: id }]);
  });

  it('reports a cursor whose batch is no longer listed', async () => {
    const day = nowMilliseconds() - 400 * milliseconds.day;
    const span = { from: iso(day - milliseconds.day), to: iso(day + milliseconds.day) };
    expect(await connected().list?.(span, '1/1')).toMatchObject({ problem: 'unavailable' });
  });

  it('says when it was not shown all', async () => {
    for (let n = 0; n < 41; n += 1) authorizeNet.charge({ minor: 888 });
    expect(await connected().find(aDispute({ money: dollars(888n) }))).toMatchObject({ isWhole: false });
  });

  it('does not know what is left of a charge if a refund to its card names no charge', async () => {
    const { id } = authorizeNet.charge({ minor: 5000, number: '4333333333333333' });
    authorizeNet.refundByHand('', 2000, { number: '4333333333333333' });
    expect(await connected().look(id)).toMatchObject({ refunded: 0n, isUnclear: true });
    expect(await connected().refund(aRefund(id, 5000n))).toMatchObject({ outcome: 'EXC', reference: null });
  });

  it('refunds parts after settlement, and voids the whole before', async () => {
    const { id } = authorizeNet.charge({ minor: 3000, isSettled: false });
    expect(await connected().refund(aRefund(id, 1000n))).toMatchObject({ outcome: 'EXC', code: 'refund_failed' });
    authorizeNet.settle(id);
    expect(await connected().refund(aRefund(id, 1000n))).toMatchObject({ outcome: 'OK' });
    const other = authorizeNet.charge({ minor: 3000, isSettled: false });
    expect(await connected().refund(aRefund(other.id, 3000n))).toEqual({ outcome: 'OK', reference: other.id });
    expect(await connected().look(other.id)).toMatchObject({ captured: 3000n, refunded: 3000n });
  });

  it('leaves a refund unknown if Authorize.Net knows it already, or is not sure', async () => {
    const { id } = authorizeNet.charge({ minor: 3000 });
    const request = aRefund(id, 1000n);
    await connected().refund(request);
    const [made] = [...authorizeNet.transactions.values()].filter(({ of }) => of === id);
    // As if the report did not show it yet.
    if (made) Object.assign(made, { number: '4999999999999999' });
    expect(await connected().refund(request)).toMatchObject({ outcome: 'UNKNOWN', detail: 'authorize.net 11' });
    expect(await connected().refundState(request)).toMatchObject({ outcome: 'UNKNOWN' });
  });

  it('reports a refund that failed after it was accepted', async () => {
    const { id } = authorizeNet.charge({ minor: 3000 });
    const request = aRefund(id, 3000n);
    await connected().refund(request);
    for (const one of authorizeNet.transactions.values()) if (one.of === id) one.status = 'settlementError';
    expect(await connected().refundState(request)).toMatchObject({ outcome: 'EXC', code: 'refund_failed' });
    for (const one of authorizeNet.transactions.values()) if (one.of === id) one.status = 'underReview';
    expect(await connected().refundState(request)).toMatchObject({ outcome: 'PEND' });
  });

  it('does not take a test for a refund', async () => {
    const { id } = authorizeNet.charge({ minor: 3000 });
    authorizeNet.setTestMode(true);
    expect(await connected().refund(aRefund(id, 3000n))).toMatchObject({ outcome: 'EXC', reference: null });
    expect(await connected().check()).toMatchObject({ isWorking: false, detail: 'The account is in test mode.' });
    authorizeNet.setTestMode(false);
  });

  it('refuses another currency without sending it, and counts the account’s own', async () => {
    authorizeNet.setCurrency('CAD');
    const { id } = authorizeNet.charge({ minor: 3000 });
    const before = sent().length;
    expect(await connected().refund(aRefund(id, 3000n))).toMatchObject({ outcome: 'EXC', code: 'amount_invalid' });
    expect(sent().length).toBe(before);
    const money = { minor: 3000n, currency: 'CAD' };
    expect(await connected().refund(aRefund(id, 3000n, { money }))).toMatchObject({ outcome: 'OK' });
    expect(await connected().find(aDispute())).toEqual({ candidates: [], isWhole: true });
    authorizeNet.setCurrency('USD');
  });

  it('reports an answer that is not one as trouble', async () => {
    const { id } = authorizeNet.charge({ minor: 3000 });
    authorizeNet.fail(200, /getTransactionDetails/);
    expect(await connected().look(id)).toMatchObject({ problem: 'unavailable' });
    authorizeNet.fail(200, /createTransaction/);
    expect(await connected().refund(aRefund(id, 3000n))).toMatchObject({ outcome: 'UNKNOWN' });
  });
});
