import { expect, it } from 'vitest';
import { countUnrefunded, reasonText } from '#lib/dashboard/screens/dry-run-reasons.ts';

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
