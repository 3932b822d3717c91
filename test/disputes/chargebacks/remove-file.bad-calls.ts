import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ chargebackId, openChargebackId }: Fixture): BadCalls => ({
  params: { id: openChargebackId },
  body: { file_id: 'file_0123456789abcdefghjkmnpq' },
  wrongParams: { id: ['n'.repeat(65)] },
  wrongBody: { file_id: ['file_1'] },
  refused: {
    chargeback_not_found: { as: 'otherTenant' },
    chargeback_over: { params: { id: chargebackId } },
    changed_meanwhile: 'race',
  },
  alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'cb_of_nobody' } }],
});
