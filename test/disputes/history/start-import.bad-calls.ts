import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ site: { mid }, otherTenant, connectionId }: Fixture): BadCalls => ({
  params: { mid, id: connectionId },
  body: {},
  wrongParams: { mid: ['x'], id: ['n'.repeat(41)] },
  wrongBody: { from: ['yesterday', '2020-01-01'], to: [7], what: [[]] },
  wrong: [{ body: { what: ['orders'] }, names: 'what.0' }],
  refused: {
    merchant_not_found: { params: { mid: otherTenant.mid } },
    connection_not_found: { params: { id: 'cn_of_nobody' } },
    import_unfinished: {},
  },
});
