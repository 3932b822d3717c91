import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ otherTenant }: Fixture): BadCalls => ({
  body: { text: 'nobody@example.com' },
  wrongBody: { text: ['', 'n'.repeat(201)], size: [21], mid: ['x'] },
  wrong: [{ as: 'admin', body: { mid: undefined }, names: 'mid' }],
  refused: { merchant_not_found: { body: { mid: otherTenant.mid } } },
});
