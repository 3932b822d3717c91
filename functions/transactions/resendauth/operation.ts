import { defineOperation } from '../../core/operation.ts';
import { bySite, deciding } from '../follow-up-declarations.ts';
import { StatusQuery } from '../schemas.ts';

export const resendAuth = defineOperation({
  ...bySite,
  ...deciding,
  name: 'resendauth',
  summary: 'Have the code sent to the payer once more',
  description:
    'For a payment whose `next_action` asks for a code. A number that is in no use is answered like a wrong hash.',
  method: 'GET',
  path: '/api/v1/index.php/{id}/resendauth',
  params: StatusQuery,
  errors: ['hash_wrong', 'transaction_state_wrong'],
});
