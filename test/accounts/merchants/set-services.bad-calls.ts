import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ mid }: { mid: number }): BadCalls => ({
  as: 'admin',
  params: { mid },
  body: { payments: true },
  wrongBody: { payments: ['perhaps'] },
  refused: { merchant_not_found: { params: { mid: 999_999 } }, changed_meanwhile: 'race' },
});
