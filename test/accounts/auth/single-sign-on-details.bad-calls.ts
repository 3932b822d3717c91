import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ mid }: SignInFixture): BadCalls => ({
  params: { mid },
  wrongParams: { mid: ['x'] },
  refused: { merchant_not_found: { as: 'otherTenant' } },
});
