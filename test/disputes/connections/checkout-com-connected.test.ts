import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import {
  checkoutComCandidateOf,
  readCheckoutComActions,
  readCheckoutComPayment,
} from '#payments/processors/checkout-com/checkout-com-charges.ts';
import { connectCheckoutCom } from '#payments/processors/checkout-com/checkout-com-connected-client.ts';
import { checkoutComDisputesOf } from '#payments/processors/checkout-com/checkout-com-disputes-client.ts';
import { checkoutComWebhookOf } from '#payments/processors/checkout-com/checkout-com-webhook-client.ts';
import type { ChargePage } from '#payments/processors/ports/connected-processor.ts';
import {
  type FakeCheckoutCom,
  refundsFailAtCheckoutCom,
  startFakeCheckoutCom,
} from '#test/support/fake-checkout-com.ts';
import { accountWith } from './account-with.ts';
import { aDispute, aRefund, describeConnectedProcessor } from './contract.ts';

let checkout: FakeCheckoutCom;
const withSecret = (secret_key: string) => ({
  ...{ secret_key, prefix: '12345678', webhook_key: checkout.webhookKey, base_url: checkout.url },
});

describeConnectedProcessor('checkout_com', {
  start: async () => {
    checkout = await startFakeCheckoutCom();
    const at = (key: string) => connectCheckoutCom(withSecret(key));
    return {
      connected: at(checkout.secretKey),
      connectedWith: (keys) => at(keys === 'wrong' ? 'sk_sbox_anotherkeythatnobodyhas234' : checkout.readOnlyKey),
      charge: ({ minor, number = '', at: made, isCaptured = true }) =>
        checkout.payment({ minor, number, ...(made && { at: made }), ...(!isCaptured && { status: 'Authorized' }) }).id,
      refundByHand: (reference, minor) => checkout.refundByHand(reference, minor),
      chargeBack: (reference) => void checkout.dispute(reference),
      refunds: () => checkout.refunds.size,
      lose: (how) => checkout.fail(how, /\/refunds$/),
      breakQuestions: (status) => checkout.fail(status, /GET|search/, status === 'never' ? 2 : 1),
    };
  },
  stop: () => checkout[Symbol.asyncDispose](),
  missing: ['gateway:payment-refunds'],
  refundsFail: refundsFailAtCheckoutCom,
  beforeSettlement: 'parts',
});

describe('checkout_com: what only Checkout.com does', () => {
  beforeAll(async () => {
    checkout = await startFakeCheckoutCom();
  });
  afterAll(() => checkout[Symbol.asyncDispose]());
  const connected = () => connectCheckoutCom(withSecret(checkout.secretKey));
  const account = accountWith(() => withSecret(checkout.secretKey));

  it('reports a refund as pending until Checkout.com has decided it', async () => {
    const { id } = checkout.payment({ minor: 3000 });
    const request = aRefund(id, 3000n);
    checkout.setSlow(true);
    expect(await connected().refund(request)).toMatchObject({ outcome: 'PEND' });
    expect(await connected().refundState(request)).toMatchObject({ outcome: 'PEND' });
    expect(await connected().look(id)).toMatchObject({ refunded: 0n, isUnclear: true });
    expect(await connected().refund(aRefund(id, 1000n))).toMatchObject({ outcome: 'EXC', reference: null });
    checkout.setSlow(false);
    expect(await connected().refundState(request)).toMatchObject({ outcome: 'OK' });
    expect(checkout.refunds.size).toBe(1);
  });

  it('states the ARN and the code of a payment with one capture, and none where several differ', () => {
    const payment = readCheckoutComPayment({
      ...{ id: 'pay_1', requested_on: '2026-05-01T10:00:00Z', amount: 5500, currency: 'EUR', status: 'Captured' },
    });
    const numbersOf = (arns: readonly string[], codes: readonly string[]) => {
      const made = { id: 'act_1', processed_on: '2026-05-01T10:00:00Z', approved: true };
      const actions = readCheckoutComActions([
        ...arns.map((acquirer_reference_number) => ({
          ...{ ...made, type: 'Capture', auth_code: '', processing: { acquirer_reference_number } },
        })),
        ...codes.map((auth_code) => ({ ...made, type: 'Authorization', auth_code })),
      ]);
      const { arn, authCode } = (payment && actions && checkoutComCandidateOf(payment, actions)) ?? {};
      return { arn, authCode };
    };
    const [one, other] = ['24021219099007452440793', '24021219099007452440801'];
    expect(numbersOf([one], ['643381'])).toEqual({ arn: one, authCode: '643381' });
    expect(numbersOf([one, one, ''], ['643381', '643381'])).toEqual({ arn: one, authCode: '643381' });
    expect(numbersOf([one, other], ['643381', '643382'])).toEqual({ arn: null, authCode: null });
  });

  it.each([
    ['JPY', 3000, 1000n, 1000],
    ['CLP', 300_000, 1000n, 100_000],
    ['KWD', 30_000, 10_000n, 10_000],
  ])('counts %s as Checkout.com does', async (currency, minor, part, sent) => {
    const { id } = checkout.payment({ minor, currency });
    const money = { minor: part, currency };
    expect(await connected().refund(aRefund(id, part, { money }))).toMatchObject({ outcome: 'OK' });
    expect([...checkout.refunds.values()].at(-1)).toMatchObject({ minor: sent });
    expect(await connected().look(id)).toMatchObject({
      captured: part * 3n,
      refunded: part,
    });
  });

  it('refuses a fraction that Checkout.com does not count, and another currency', async () => {
    const [dinars, dollars] = [checkout.payment({ minor: 30_000, currency: 'KWD' }), checkout.payment({ minor: 3000 })];
    const fraction = aRefund(dinars.id, 1001n, { money: { minor: 1001n, currency: 'KWD' } });
    const other = aRefund(dollars.id, 1000n, { money: { minor: 1000n, currency: 'EUR' } });
    expect(await connected().refund(fraction)).toMatchObject({ outcome: 'EXC', code: 'amount_invalid' });
    expect(await connected().refund(other)).toMatchObject({ outcome: 'EXC', code: 'amount_invalid' });
  });

  it('leaves out declined payments, and says when it was not shown all', async () => {
    checkout.payment({ minor: 1111, status: 'Declined' });
    const money = { minor: 1111n, currency: 'USD' };
    expect(await connected().find(aDispute({ money }))).toEqual({ candidates: [], isWhole: true });
    for (let count = 0; count < 41; count += 1) checkout.payment({ minor: 1111 });
    expect(await connected().find(aDispute({ money }))).toMatchObject({ isWhole: false });
  });

  const pageOf = async (from: number, to: number, cursor: string | null = null): Promise<ChargePage> => {
    const page = await connected().list?.({ from: iso(from), to: iso(to) }, cursor);
    if (!page || page === 'not_offered' || 'problem' in page) throw new Error(JSON.stringify(page));
    return page;
  };

  it('lists captured and refunded payments as they are, without declined ones and payouts', async () => {
    const at = nowMilliseconds() - 20 * milliseconds.day;
    const [whole, part] = [checkout.payment({ minor: 2000, at }), checkout.payment({ minor: 3000, at })];
    const [open, voided] = [
      checkout.payment({ minor: 4000, at, status: 'Authorized' }),
      checkout.payment({ minor: 5000, at, status: 'Voided' }),
    ];
    checkout.payment({ minor: 6000, at, status: 'Declined' });
    checkout.payment({ minor: 7000, at, isPayout: true });
    checkout.refundByHand(part.id, 1000);
    const dispute = checkout.dispute(whole.id);
    const { charges, next } = await pageOf(at, at + milliseconds.hour);
    expect(next).toBeNull();
    expect(charges).toMatchObject([
      {
        reference: whole.id,
        captured: 2000n,
        refunded: 0n,
        authCode: '643381',
        isUnclear: false,
        isChargedBack: false,
      },
      { reference: part.id, captured: 3000n, refunded: 1000n, refundedAt: expect.stringMatching(/Z$/) },
      { reference: open.id, captured: 0n },
      { reference: voided.id, captured: 5000n, refunded: 5000n },
    ]);
    const { isChargedBack: _listed, ...known } = charges[1] ?? {};
    expect(await connected().look(part.id)).toMatchObject(known);
    checkout.disputes.delete(dispute.id);
  });

  it('lists a payment on the border of two spans in the later one only', async () => {
    const at = nowMilliseconds() - 21 * milliseconds.day;
    const { id } = checkout.payment({ minor: 2000, at });
    expect((await pageOf(at - milliseconds.hour, at)).charges).toEqual([]);
    expect((await pageOf(at, at + milliseconds.hour)).charges).toMatchObject([{ reference: id }]);
  });

  it('lists a part of a span again in shorter parts if it has more than a page', async () => {
    const at = nowMilliseconds() - 25 * milliseconds.day;
    for (let count = 0; count < 120; count += 1)
      checkout.payment({ minor: 2000, at: at + count * milliseconds.second });
    const first = await pageOf(at, at + milliseconds.day);
    expect(first).toEqual({ charges: [], next: `${iso(at)}/${6 * milliseconds.hour}` });
    expect(await pageOf(at, at + milliseconds.day, first.next)).toMatchObject({
      charges: [],
      next: `${iso(at)}/5400000`,
    });
  });

  it('reports more payments in one second than a page has', async () => {
    const at = nowMilliseconds() - 27 * milliseconds.day;
    for (let count = 0; count < 100; count += 1) checkout.payment({ minor: 2000, at });
    const span = { from: iso(at), to: iso(at + milliseconds.hour) };
    expect(await connected().list?.(span, `${iso(at)}/${milliseconds.second}`)).toMatchObject({ problem: 'too_many' });
  });

  it('leaves a refund unknown while another request with its key is worked on', async () => {
    const { id } = checkout.payment({ minor: 3000 });
    checkout.fail(409, /\/refunds$/);
    expect(await connected().refund(aRefund(id, 3000n))).toMatchObject({ outcome: 'UNKNOWN' });
  });

  it('reports a 403 that names no error as a missing right of the key', async () => {
    const { id } = checkout.payment({ minor: 3000 });
    checkout.fail(403, /\/refunds$/);
    expect(await connected().refund(aRefund(id, 3000n))).toMatchObject({ code: 'processor_credentials' });
  });

  it('reads disputes, page by page, and their details', async () => {
    const { id } = checkout.payment({ minor: 4000 });
    for (let count = 0; count < 251; count += 1) checkout.dispute(id, 'won');
    const open = checkout.dispute(id);
    const port = checkoutComDisputesOf(account);
    const listed = await port?.since?.(iso(nowMilliseconds() - milliseconds.day));
    expect(listed && 'found' in listed && listed.found.length).toBe(252);
    expect(await port?.look(open.id)).toMatchObject({
      found: { payments: [id], status: 'open', isTaken: true, reasonCode: '10.4', network: 'visa' },
    });
    expect(await port?.look('dsp_nobody')).toEqual({ found: null });
  });

  it('takes a webhook only with the right signature', async () => {
    const webhook = checkout.webhook('payment_refund_declined', { id: 'pay_awlo4m4phelezkhsj4egc6d35q' });
    expect(await checkoutComWebhookOf(account, webhook)).toMatchObject([
      { refundFailed: 'pay_awlo4m4phelezkhsj4egc6d35q' },
    ]);
    const forged = { ...webhook, rawBody: webhook.rawBody.replace('pay_a', 'pay_b') };
    expect(await checkoutComWebhookOf(account, forged)).toBeUndefined();
    const unsigned = accountWith(() => ({ ...withSecret(checkout.secretKey), webhook_key: undefined }));
    expect(await checkoutComWebhookOf(unsigned, webhook)).toBeUndefined();
  });
});
