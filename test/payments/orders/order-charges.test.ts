import { expect, it } from 'vitest';
import { chargeViews } from '#payments/orders/charges/order-charges.ts';
import { isClean, isFullyRefunded } from '#payments/orders/order.ts';
import { order } from './samples.ts';

const refund = (amount: string, charge?: string) => ({
  ...{ amount, currency: 'USD', at: '2026-05-01T00:00:00.000Z' },
  ...(charge !== undefined && { charge }),
});
const processor = { connection: 'stripe-1', reference: 'ch_1' };
const two = [
  { amount: '300.00', reference: 'ch_1' },
  { amount: '61.56', reference: 'ch_2' },
];
const twoCards = [two[0] ?? {}, { ...two[1], card_firstsix: '555555', card_lastfour: '4444' }];

it.each<[string, object[], ReturnType<typeof refund>, number[]]>([
  ['an only charge without a reference, of the processor’s', [{ amount: '50.00' }], refund('50.00', 'ch_1'), [1]],
  ['an only charge without a reference, of another', [{ amount: '50.00' }], refund('50.00', 'ch_9'), [0]],
  ['an only charge, of none', [{ amount: '50.00', reference: 'ch_1' }], refund('50.00'), [1]],
  ['two charges, of none', two, refund('50.00'), [1, 1]],
  ['two cards, of none', twoCards, refund('50.00'), [0, 0]],
  ['two cards, of the second', twoCards, refund('50.00', 'ch_2'), [0, 1]],
  ['two charges, of the second', two, refund('50.00', 'ch_2'), [0, 1]],
  [
    'two charges without references, of the processor’s',
    [{ amount: '1' }, { amount: '2' }],
    refund('1', 'ch_1'),
    [0, 0],
  ],
])(
  'a refund is in the view of its charge; one that names none, only where one card paid: %s',
  (_, charges, one, counts) => {
    const named = order({ processor, charges, refunds: null }).content;
    const shown = chargeViews(order({}, { content: { ...named, refunds: [one] } }));
    expect(shown.map(({ content }) => content.refunds?.length)).toEqual(counts);
    const own = chargeViews(order({}, { content: named, ownRefunds: { A1: one } }));
    expect(own.map(({ ownRefunds }) => Object.keys(ownRefunds).length)).toEqual(counts);
  },
);

it.each<[string, object, string, boolean]>([
  ['a gift card paid the rest', { charges: [{ amount: '50.00' }] }, '50.00', true],
  ['a gift card paid the rest', { charges: [{ amount: '50.00' }] }, '49.99', false],
  ['it was edited down', { charges: [{ amount: '400.00' }] }, '361.56', false],
  ['it names no charges', {}, '361.56', true],
])('an order is refunded whole, and not clean, once all charges are refunded: %s %j %s', (_, fields, back, isWhole) => {
  const one = order({ refunds: [refund(back)], ...fields });
  expect([isFullyRefunded(one), isClean(one)]).toEqual([isWhole, !isWhole]);
});
