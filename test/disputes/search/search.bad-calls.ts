import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ otherTenant }: Fixture): BadCalls => ({
  body: { text: 'nobody@example.com' },
  wrong: [
    { body: { text: '' }, names: 'text' },
    { body: { text: 'n'.repeat(201) }, names: 'text' },
    { body: { size: 21 }, names: 'size' },
    { body: { mid: 'x' }, names: 'mid' },
    { as: 'admin', body: { mid: undefined }, names: 'mid' },
  ],
  refused: { merchant_not_found: { body: { mid: otherTenant.mid } } },
});
