import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ site: { mid } }: Fixture): BadCalls => ({
  as: 'admin',
  params: { mid },
  body: { payments: true },
  wrongParams: { mid: ['none'] },
  wrongBody: { payments: ['perhaps'] },
  refused: { merchant_not_found: { params: { mid: 999_999 } }, changed_meanwhile: 'race' },
});
