import { beforeEach, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { findOrderOfAlert } from '#disputes/lookups/lookup/alert-order-store.ts';
import type { DisputedTransaction } from '#disputes/matching/match-evidence.ts';
import { now } from '#test/payments/orders/samples.ts';
import { openShop, type Shop, store } from '#test/payments/orders/shop.ts';
import { useOperations } from '#test/support/operations.ts';

useOperations();

const usual: DisputedTransaction = {
  card: '424242xxxxxx4242',
  arn: '24692161070000622606414',
  authCode: '',
  amount: '361.56',
  currency: 'USD',
  transactionAt: '2026-04-30T08:15:00.000Z',
};

let shop: Shop;
beforeEach(async () => {
  setClock(() => Date.parse(now));
  shop = await openShop();
});

it.each<[string, Partial<DisputedTransaction>, 'one' | 'many' | 'none']>([
  ['by the acquirer’s number', {}, 'one'],
  ['by it, whatever the amount', { amount: '20.00' }, 'one'],
  ['by code and amount', { arn: '', authCode: '387373' }, 'one'],
  [
    'not by a code with a part of the amount, which may be another purchase',
    { arn: '', authCode: '387373', amount: '20.00' },
    'none',
  ],
  [
    'by a code where a part of the amount is disputed',
    { arn: '', authCode: '387373', disputeAmount: '20.00', disputeCurrency: 'USD' },
    'one',
  ],
  ['not by a code with a larger amount', { arn: '', authCode: '387373', amount: '720.00' }, 'none'],
  ['not by amount and day', { arn: '' }, 'none'],
  ['not if its number is another', { arn: '11111111111111111111117', authCode: '387373' }, 'none'],
  ['by its number without a card', { card: '' }, 'one'],
  ['not without card and number', { card: '', arn: '', authCode: '387373' }, 'none'],
  ['not on another card', { card: '424242xxxxxx1111' }, 'none'],
])('an alert’s order is found %s', async (_, change, found) => {
  const id = await store(shop, { processor: { connection: 'stripe-1', reference: 'ch_1' } });
  const match = await findOrderOfAlert(shop.mid, { ...usual, ...change });
  expect(match.found).toBe(found);
  if (match.found === 'one') {
    expect(match.order).toMatchObject({
      orderId: id,
      content: { processor: { connection: 'stripe-1', reference: 'ch_1' } },
    });
  }
  expect((await findOrderOfAlert(shop.mid + 1000, { ...usual, ...change })).found).toBe('none');
});

it('an alert that fits two orders has none of them', async () => {
  await store(shop);
  await store(shop, { reference: 'A-2' });
  expect((await findOrderOfAlert(shop.mid, usual)).found).toBe('many');
});

it('an alert’s order is found by a charge to a second card, with the reference of that charge', async () => {
  const second = {
    amount: '61.56',
    card_firstsix: '411111',
    card_lastfour: '1111',
    auth_code: '387399',
    reference: 'ch_2',
  };
  const processor = { connection: 'stripe-1', reference: 'ch_1' };
  const id = await store(shop, { charges: [{ amount: '300.00', reference: 'ch_1' }, second], processor });
  const asked = { ...usual, card: '411111xxxxxx1111', arn: '', authCode: '387399', amount: '61.56' };
  expect(await findOrderOfAlert(shop.mid, asked)).toMatchObject({
    found: 'one',
    order: { orderId: id, content: { amount: '361.56', processor } },
    charged: { content: { card_lastfour: '1111', processor: { connection: 'stripe-1', reference: 'ch_2' } } },
  });
  expect((await findOrderOfAlert(shop.mid, { ...asked, amount: '300.00' })).found).toBe('none');
});
