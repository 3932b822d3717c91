import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ chargebackId, openChargebackId }: Fixture): BadCalls => ({
  params: { id: openChargebackId },
  body: { type: 'image/png', bytes: 100 },
  wrongParams: { id: ['n'.repeat(65)] },
  wrongBody: { type: ['text/html'], bytes: [0, 1.5] },
  refused: {
    chargeback_not_found: { as: 'otherTenant' },
    chargeback_over: { params: { id: chargebackId } },
  },
  alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'cb_of_nobody' } }],
});
