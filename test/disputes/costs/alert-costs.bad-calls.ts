import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ otherTenant }: Fixture): BadCalls => ({
  body: { from: '2026-05-01', to: '2026-05-31' },
  wrong: [
    { body: { from: '2026-02-30' }, names: 'from' },
    { body: { to: '2026-04-30' }, names: 'to' },
    { body: { to: '2028-05-01' }, names: 'to' },
    { body: { group: 'year' }, names: 'group' },
    { as: 'admin', body: {}, names: 'mid' },
  ],
  refused: {
    merchant_not_found: { body: { mid: otherTenant.mid } },
    site_not_found: { body: { sid: otherTenant.sid } },
  },
});
