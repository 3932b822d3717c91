import type { Account } from '#payments/processors/ports/account.ts';

/** A merchant's connection with these keys, as adapters are given it. */
export const accountWith = (keys: () => object): Account => ({
  owner: { mid: 1 },
  scope: 'C1',
  open: () => Object(keys()),
});
