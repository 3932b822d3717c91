import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ site: { mid }, connectionId }: Fixture): BadCalls => ({
  params: { mid, id: connectionId },
  wrongParams: { mid: ['x'], id: ['n'.repeat(41)] },
  refused: {
    merchant_not_found: { as: 'otherTenant' },
    connection_not_found: { params: { id: 'cn_of_nobody' } },
    changed_meanwhile: 'race',
  },
  alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { mid: 999_999 } }],
});
