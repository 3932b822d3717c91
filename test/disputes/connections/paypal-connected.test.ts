import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iso, milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { connectPayPal } from '#payments/processors/paypal/paypal-connected-client.ts';
import { paypalDisputesOf } from '#payments/processors/paypal/paypal-disputes-client.ts';
import { paypalWebhookOf } from '#payments/processors/paypal/paypal-webhook-client.ts';
import { type FakePayPal, refundsFailAtPayPal, startFakePayPal } from '#test/support/fake-paypal.ts';
import { accountWith } from './account-with.ts';
import { aDispute, aRefund, describeConnectedProcessor } from './contract.ts';

let paypal: FakePayPal;
const withSecret = (client_secret: string) => ({
  ...{ client_id: paypal.clientId, client_secret, webhook_id: paypal.webhookId },
  ...{ environment: 'test' as const, base_url: paypal.url },
});

describeConnectedProcessor('paypal', {
  start: async () => {
    paypal = await startFakePayPal();
    const at = (secret: string) => connectPayPal(withSecret(secret));
    return {
      connected: at(paypal.clientSecret),
      connectedWith: (keys) => at(keys === 'wrong' ? 'EKanotherSecretOfNoApp-0003' : paypal.searchOnlySecret),
      charge: ({ minor, number = '', at: made, isCaptured = true }) =>
        paypal.capture({ minor, number, isAuthorization: !isCaptured, ...(made && { at: made }) }).id,
      refundByHand: (reference, minor) => paypal.refundByHand(reference, minor),
      chargeBack: (reference) => void paypal.dispute(reference),
      refunds: () => paypal.refunds.size,
      lose: (how) => paypal.fail(how, /POST .*\/refund$/),
      breakQuestions: (status) => paypal.fail(status, /GET/),
      subscribed: (wish) => {
        paypal.subscriptions.add('I-BW452GLLEP1G');
        const { id } = paypal.capture({ minor: wish.minor, subscription: 'I-BW452GLLEP1G' });
        return { reference: id, isEnded: () => !paypal.subscriptions.has('I-BW452GLLEP1G') };
      },
    };
  },
  stop: () => paypal[Symbol.asyncDispose](),
  missing: ['Accept payments: refunds'],
  refundsFail: refundsFailAtPayPal,
  beforeSettlement: 'parts',
  authCode: null,
});

describe('paypal: what only PayPal does', () => {
  beforeAll(async () => {
    paypal = await startFakePayPal();
  });
  afterAll(() => paypal[Symbol.asyncDispose]());
  const connected = () => connectPayPal(withSecret(paypal.clientSecret));
  const account = accountWith(() => withSecret(paypal.clientSecret));
  const disputes = () => paypalDisputesOf(account);

  it('does not call a search whole while payments of that day may be missing in the report', async () => {
    const at = nowMilliseconds() - 4 * milliseconds.day;
    const { id } = paypal.capture({ minor: 2211, at });
    const money = { minor: 2211n, currency: 'USD' };
    const settled = await connected().find(aDispute({ money, day: iso(at) }));
    expect(settled).toMatchObject({ isWhole: true, candidates: [{ reference: id, brand: 'VISA', first6: '411111' }] });
    expect(await connected().find(aDispute({ money, day: nowIso() }))).toMatchObject({ isWhole: false });
  });

  it('leaves out payments from a PayPal balance, which have no card', async () => {
    const { id } = paypal.capture({ minor: 2222, isWallet: true });
    const found = await connected().find(aDispute({ money: { minor: 2222n, currency: 'USD' } }));
    expect(found).toMatchObject({ candidates: [] });
    expect(await connected().look(id)).toMatchObject({ last4: '', captured: 2222n });
  });

  it('reads every page of the report', async () => {
    const at = nowMilliseconds() - 40 * milliseconds.day;
    for (let count = 0; count < 501; count += 1) paypal.capture({ minor: 100, at, isWallet: true });
    const { id } = paypal.capture({ minor: 2233, at });
    const found = await connected().find(aDispute({ money: { minor: 2233n, currency: 'USD' }, day: iso(at) }));
    expect(found).toMatchObject({ candidates: [{ reference: id }], isWhole: true });
  });

  it.each([
    ['JPY', 3000, 1000n],
    ['HUF', 300_000, 100_000n],
    ['EUR', 3000, 1000n],
  ])('refunds a part in %s', async (currency, minor, part) => {
    const { id } = paypal.capture({ minor, currency });
    const request = aRefund(id, part, { money: { minor: part, currency } });
    expect(await connected().refund(request)).toMatchObject({ outcome: 'OK' });
    expect(await connected().look(id)).toMatchObject({ captured: BigInt(minor), refunded: part });
  });

  it('refuses an amount of another currency, and one that PayPal cannot write', async () => {
    const [dollars, forints] = [paypal.capture({ minor: 3000 }), paypal.capture({ minor: 300_000, currency: 'HUF' })];
    const before = paypal.refunds.size;
    const other = aRefund(dollars.id, 1000n, { money: { minor: 1000n, currency: 'EUR' } });
    const fraction = aRefund(forints.id, 1050n, { money: { minor: 1050n, currency: 'HUF' } });
    expect(await connected().refund(other)).toMatchObject({ outcome: 'EXC', code: 'amount_invalid' });
    expect(await connected().refund(fraction)).toMatchObject({ outcome: 'EXC', code: 'amount_invalid' });
    expect(paypal.refunds.size).toBe(before);
  });

  it('leaves a refund unknown while PayPal works on an earlier request for it', async () => {
    const { id } = paypal.capture({ minor: 3000 });
    paypal.fail(409, /\/refund$/);
    expect(await connected().refund(aRefund(id, 3000n))).toMatchObject({ outcome: 'UNKNOWN' });
  });

  it('leaves the state of a refund unknown while PayPal does not show the order with the refunds', async () => {
    const { id } = paypal.capture({ minor: 3000 });
    const request = aRefund(id, 3000n);
    expect(await connected().refund(request)).toMatchObject({ outcome: 'OK' });
    const later = { ...request, begunAt: iso(nowMilliseconds() - milliseconds.hour) };
    paypal.fail(404, /checkout\/orders/);
    expect(await connected().refundState(later)).toMatchObject({ outcome: 'UNKNOWN' });
    expect(await connected().refundState(later)).toMatchObject({ outcome: 'OK' });
  });

  it('reports disputes with their outcomes, and asks for each resolved one', async () => {
    const { id } = paypal.capture({ minor: 4000 });
    const open = paypal.dispute(id);
    const won = paypal.dispute(id, { status: 'RESOLVED', outcome: 'RESOLVED_SELLER_FAVOUR' });
    const inquiry = paypal.dispute(id, { stage: 'INQUIRY' });
    const listed = await disputes()?.since?.(iso(nowMilliseconds() - milliseconds.day));
    expect(listed && 'found' in listed && new Map(listed.found.map((one) => [one.reference, one]))).toEqual(
      new Map([
        [open.id, expect.objectContaining({ stage: 'chargeback', status: 'open', isTaken: true })],
        [won.id, expect.objectContaining({ status: 'won', isTaken: false, payments: [id] })],
        [inquiry.id, expect.objectContaining({ stage: 'inquiry', isTaken: false })],
      ]),
    );
    expect(await disputes()?.look(open.id)).toMatchObject({ found: { payments: [id], reasonCode: '10.4' } });
    expect(await disputes()?.look('PP-D-0')).toEqual({ found: null });
  });

  it('takes a webhook only if PayPal says that it signed it', async () => {
    const links = [{ rel: 'up', href: 'https://api-m.paypal.com/v2/payments/captures/0000000000000001C' }];
    const webhook = paypal.webhook('PAYMENT.REFUND.FAILED', { id: '1', status: 'FAILED', links });
    expect(await paypalWebhookOf(account, webhook)).toMatchObject([{ refundFailed: '0000000000000001C' }]);
    const forged = { ...webhook, rawBody: webhook.rawBody.replace('FAILED', 'CANCELLED') };
    expect(await paypalWebhookOf(account, forged)).toBeUndefined();
    const injected = { ...webhook, rawBody: `${webhook.rawBody},"webhook_id":"x"` };
    expect(await paypalWebhookOf(account, injected)).toBeUndefined();
    paypal.fail(500, /verify-webhook-signature/);
    await expect(async () => paypalWebhookOf(account, webhook)).rejects.toThrow('could not be asked');
  });
});
