import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ otherTenant }: Fixture): BadCalls => ({
  body: { from: '2026-05-01', to: '2026-05-31' },
  wrongBody: { from: ['2026-02-30'], to: ['2026-04-30', '2028-05-01'], group: ['year'] },
  wrong: [{ as: 'admin', body: {}, names: 'mid' }],
  refused: {
    merchant_not_found: { body: { mid: otherTenant.mid } },
    site_not_found: { body: { sid: otherTenant.sid } },
  },
});
