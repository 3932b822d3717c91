import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ mid }: SignInFixture): BadCalls => ({
  body: { mid },
  wrongBody: { size: [501] },
  refused: { merchant_not_found: { body: { mid: 999_999 } } },
});
