import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = (): BadCalls => ({
  as: 'admin',
  body: {},
  wrongBody: { month: ['2026-05'] },
  wrong: [
    { body: { provider: 'provider_z', month: '2026-05' }, names: 'provider' },
    { body: { provider: 'provider_a', month: '2026-13' }, names: 'month' },
    { body: { provider: 'provider_a', month: '2026-05', page: -1 }, names: 'page' },
  ],
  refused: {
    statement_not_found: { body: { provider: 'provider_a', month: '2020-01' } },
  },
});
