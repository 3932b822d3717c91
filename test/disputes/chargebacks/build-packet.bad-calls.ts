import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ openChargebackId }: Fixture): BadCalls => ({
  params: { id: openChargebackId },
  body: { format: 'pdf' },
  wrongParams: { id: ['n'.repeat(65)] },
  wrongBody: { format: ['docx'] },
  refused: {
    chargeback_not_found: { as: 'otherTenant' },
  },
  alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'cb_of_nobody' } }],
});
