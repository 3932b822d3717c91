import type { Fixture } from '#test/flows/bad-calls.ts';
import type { BadCalls } from '#test/support/bad-calls.ts';

export const badCalls = ({ chargebackId, openChargebackId, uploadedTextId }: Fixture): BadCalls => ({
  params: { id: openChargebackId },
  body: { file_id: 'file_0123456789abcdefghjkmnpq', kind: 'receipt', name: 'receipt.png' },
  wrongParams: { id: ['n'.repeat(65)] },
  wrongBody: { file_id: ['../other'], kind: ['photo'], name: ['', 'a\nb'] },
  refused: {
    chargeback_not_found: { as: 'otherTenant' },
    chargeback_over: { params: { id: chargebackId } },
    upload_not_found: {},
    file_not_accepted: { body: { file_id: uploadedTextId } },
    changed_meanwhile: 'race',
  },
  alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'cb_of_nobody' } }],
});
