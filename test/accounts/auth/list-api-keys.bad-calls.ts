import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ mid }: SignInFixture): BadCalls => ({
  body: { mid },
  wrong: [{ body: { size: 501 }, names: 'size' }],
  refused: { merchant_not_found: { body: { mid: 999_999 } } },
});
