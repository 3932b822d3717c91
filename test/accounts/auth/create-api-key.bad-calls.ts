import type { SignInFixture } from '#test/flows/bad-sign-in.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ mid }: SignInFixture): BadCalls => ({
  body: { mid, name: 'Order system', permissions: ['alerts:read'] },
  wrongBody: { name: [''], permissions: [[]], sites: [[]], valid_days: [0, 1.5] },
  wrong: [
    { body: { permissions: ['person'] }, names: 'permissions.0' },
    { body: { ip_ranges: ['203.0.113.0/33'] }, names: 'ip_ranges.0' },
    { body: { ip_ranges: ['127.1'] }, names: 'ip_ranges.0' },
  ],
  refused: {
    merchant_not_found: { body: { mid: 999_999 } },
    site_not_found: { body: { sites: [999_999] } },
  },
});
