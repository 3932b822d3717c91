import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = (): BadCalls => ({ wrong: [] });
