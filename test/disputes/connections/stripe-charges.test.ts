import { beforeEach, describe, expect, it, vi } from 'vitest';
import { iso, nowMilliseconds } from '#core/kernel/clock.ts';
import type { DisputedCharge } from '#payments/processors/ports/connected-processor.ts';
import { connectStripe } from '#payments/processors/stripe/stripe-connected-client.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { useServer } from '#test/support/use-server.ts';

/** Charges of a shop that takes many, which its index does not have yet. */

const stripe = await useServer(startFakeStripe());
beforeEach(() => stripe.elsewhere.charges.clear());

const visa = '4242424242424242';
const others = (count: number) => {
  for (let n = 0; n < count; n += 1) stripe.elsewhere.add({ minor: 500, number: '4000000000000077' });
};
const disputed = (): DisputedCharge => ({
  ...{ arn: '', authCode: '', first6: '424242', last4: '4242', descriptor: '' },
  money: { minor: 4200n, currency: 'USD' },
  day: iso(nowMilliseconds()),
});
const find = () => connectStripe({ secret_key: stripe.secretKey, base_url: stripe.url }).find(disputed());

describe('charges of the last minutes', () => {
  it('are read page by page', async () => {
    const { id } = stripe.elsewhere.add({ minor: 4200, number: visa });
    others(250);
    expect(await find()).toMatchObject({ candidates: [{ reference: id }], isWhole: true });
  });

  it('are read up to a thousand, and that there are more is said', async () => {
    const logged = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    stripe.elsewhere.add({ minor: 4200, number: visa });
    others(1000);
    expect(await find()).toMatchObject({ candidates: [], isWhole: false });
    expect(logged.mock.calls.join('')).toContain('stripe_charges_cut');
    logged.mockRestore();
  });
});

it('says since when a charge is charged back, and that it is unclear to a key that may not read disputes', async () => {
  const { id, intent, amount, currency } = stripe.elsewhere.add({ minor: 4200, number: visa });
  const connected = connectStripe({ secret_key: stripe.secretKey, base_url: stripe.url });
  const paid = { id: intent, amount, currency, latest_charge: { id } };
  const open = (status: string, day: string) =>
    stripe.disputes.open(paid, { status, created: Date.parse(`${day}T00:00:00Z`) / 1000 });
  open('warning_needs_response', '2026-04-01');
  expect(await connected.look(id)).not.toHaveProperty('chargedBackAt');
  open('needs_response', '2026-04-03');
  open('lost', '2026-04-02');
  expect(await connected.look(id)).toMatchObject({ chargedBackAt: '2026-04-02T00:00:00.000Z' });
  const blind = connectStripe({ secret_key: stripe.restrictedKey('charges_read'), base_url: stripe.url });
  const seen = await blind.look(id);
  expect(seen).toMatchObject({ isChargedBack: false, isUnclear: true });
  expect(seen).not.toHaveProperty('chargedBackAt');
});

it('a charge says when it was refunded last', async () => {
  const { id } = stripe.elsewhere.add({ minor: 4200, number: visa });
  const connected = connectStripe({ secret_key: stripe.secretKey, base_url: stripe.url });
  expect(await connected.look(id)).not.toHaveProperty('refundedAt');
  const begunAt = iso(nowMilliseconds());
  const money = { minor: 4200n, currency: 'USD' };
  await connected.refund({ reference: id, money, key: 'k1', begunAt, reason: 'dispute', alertId: 1 });
  expect(await connected.look(id)).toMatchObject({ refunded: 4200n, refundedAt: expect.stringMatching(/^20/) });
});
