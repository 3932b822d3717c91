import { describe, expect, it } from 'vitest';
import { nowIso } from '#core/kernel/clock.ts';
import { connectBraintree } from '#payments/processors/braintree/braintree-connected-client.ts';
import { type FakeBraintree, startFakeBraintree } from '#test/support/fake-braintree.ts';

/** Transactions of Braintree with an unreadable time. */

const number = '4111111111111111';
const connectedAt = ({ publicKey: public_key, privateKey: private_key, url: base_url }: FakeBraintree) =>
  connectBraintree({ public_key, private_key, base_url, environment: 'test' });
const disputed = () => ({
  ...{ arn: '', authCode: '', first6: '411111', last4: '1111', descriptor: 'SHOP' },
  money: { minor: 1999n, currency: 'USD' },
  day: nowIso(),
});

describe('a charge at Braintree without a time that can be read', () => {
  it('is left out of a search, which then does not count as whole', async () => {
    await using fake = await startFakeBraintree();
    const connected = connectedAt(fake);
    const { id } = fake.charge({ minor: 1999, number });
    const { id: undated } = fake.charge({ minor: 1999, number, toldAt: 'soon' });
    expect(await connected.find(disputed())).toMatchObject({ candidates: [{ reference: id }], isWhole: false });
    expect(await connected.look(undated)).toMatchObject({ problem: 'unavailable' });
  });

  it('is still refunded when the refund names it', async () => {
    await using fake = await startFakeBraintree();
    const { id } = fake.charge({ minor: 1999, number, toldAt: 'soon', status: 'SETTLED' });
    const order = { reference: id, key: 'fw-alert-1-1', begunAt: nowIso(), reason: 'fraud', alertId: 1 } as const;
    const money = { minor: 1999n, currency: 'USD' };
    expect(await connectedAt(fake).refund({ ...order, money })).toMatchObject({ outcome: 'OK' });
  });
});

it('no refund is made if one of the same amount without a readable date exists', async () => {
  await using fake = await startFakeBraintree();
  const connected = connectedAt(fake);
  const { id, refunds } = fake.charge({ minor: 1999, number, status: 'SETTLED' });
  fake.refundByHand(id, 500);
  for (const refund of refunds) refund.toldAt = 'soon';
  const order = { reference: id, key: 'fw-alert-2-1', begunAt: nowIso(), reason: 'fraud', alertId: 2 } as const;
  const same = { ...order, money: { minor: 500n, currency: 'USD' } };
  expect(await connected.refund(same)).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
  expect(await connected.refundState(same)).toMatchObject({ outcome: 'UNKNOWN' });
  expect(fake.performed.refund).toBe(0);
  expect(await connected.refund({ ...order, money: { minor: 700n, currency: 'USD' } })).toMatchObject({
    outcome: 'OK',
  });
});
