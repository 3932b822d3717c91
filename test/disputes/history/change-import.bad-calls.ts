import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ site: { mid }, connectionId, importId }: Fixture): BadCalls => ({
  params: { mid, id: connectionId, import_id: importId },
  body: { action: 'pause' },
  wrongParams: { mid: ['x'], id: ['n'.repeat(41)], import_id: ['n'.repeat(65)] },
  wrongBody: { action: ['stop'] },
  refused: {
    merchant_not_found: { as: 'otherTenant' },
    import_not_found: { params: { import_id: 'imp_of_nobody' } },
    import_state_wrong: {},
  },
  alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { mid: 999_999 } }],
});
