import { expect, it } from 'vitest';
import { countUnrefunded, reasonText, sumNotCompared } from '#lib/dashboard/screens/dry-run-reasons.ts';
import { factWords } from '#lib/dashboard/screens/rule-facts.ts';

it('counts why alerts of a rule for refunds would not be refunded, the most frequent reason first', () => {
  const row = (
    action: 'refund' | 'decline',
    would: 'refund' | 'decline' | 'resolve' | 'leave_to_merchant',
    reason: string | null,
  ) => ({ action, would, reason });
  expect(
    countUnrefunded([
      row('refund', 'refund', null),
      row('refund', 'leave_to_merchant', 'several_matches'),
      row('refund', 'leave_to_merchant', 'no_transaction'),
      row('refund', 'leave_to_merchant', 'no_transaction'),
      row('decline', 'decline', null),
    ]),
  ).toEqual([
    { reason: 'no_transaction', count: 2 },
    { reason: 'several_matches', count: 1 },
  ]);
});

it('has words for a reason, and shows one that it does not know', () => {
  expect(reasonText('no_transaction')).toBe('no payment was found');
  expect(reasonText('something_new')).toBe('something new');
});

it('sums the alerts that lack a fact over all pages, and names the fact in words', () => {
  const pages = [
    { not_compared: [{ fact: 'order_value', alerts: 1 }] },
    {
      not_compared: [
        { fact: 'volume_count(card, 24h)', alerts: 2 },
        { fact: 'order_value', alerts: 3 },
      ],
    },
  ];
  const summed = sumNotCompared(pages);
  expect(summed).toEqual([
    { fact: 'order_value', alerts: 4 },
    { fact: 'volume_count(card, 24h)', alerts: 2 },
  ]);
  expect(summed.map(({ fact }) => factWords(fact))).toEqual([
    expect.not.stringContaining('_'),
    expect.stringMatching(/ \(card, 24h\)$/),
  ]);
  expect(factWords('fact_of_tomorrow')).toBe('fact of tomorrow');
});
