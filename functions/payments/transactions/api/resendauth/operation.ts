import { defineOperation } from '#core/platform/operation/operation.ts';
import { deciding, followUpBySite } from '../../follow-up/follow-up-declarations.ts';
import { StatusQuery } from '../../schemas.ts';

export const resendAuthOperation = defineOperation('transactions/resendauth', {
  ...followUpBySite,
  ...deciding,
  signable: true,
  summary: 'Send the code to the payer again',
  description: 'For a payment whose `next_action` asks for a code. An unknown number is answered like a wrong hash.',
  method: 'GET',
  path: '/api/v1/index.php/{id}/resendauth',
  params: StatusQuery,
  errors: ['hash_wrong', 'transaction_state_wrong'],
});
