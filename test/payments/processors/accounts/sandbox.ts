import type { StartStandIn } from '../stand-in.ts';

/** The sandbox needs no stand-in. Its disputes are found without webhooks: test/disputes/chargebacks/chargebacks.test.ts. */
export const standIn: StartStandIn = async () => ({
  credentials: null,
  connectionKeys: {},
  // One of those that it has every day.
  charge: () => 'sbc_20260502_01',
});
