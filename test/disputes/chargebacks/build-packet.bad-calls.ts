import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ openChargebackId }: Fixture): BadCalls => ({
  params: { id: openChargebackId },
  body: { format: 'pdf' },
  wrong: [
    { params: { id: 'n'.repeat(65) }, names: 'id' },
    { body: { format: 'docx' }, names: 'format' },
  ],
  refused: {
    chargeback_not_found: { as: 'otherTenant' },
  },
  alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'cb_of_nobody' } }],
});
