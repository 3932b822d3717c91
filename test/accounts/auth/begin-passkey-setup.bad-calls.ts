import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = (): BadCalls => ({
  wrong: [],
  // The stack of these calls has an IP address.
  refused: { passkey_host_unsuitable: {} },
});
