import { defineOperation } from '#core/platform/operation/operation.ts';
import { SingleTxBody } from '../../schemas.ts';
import { charging } from '../../start/start-declarations.ts';

export const singleTxOperation = defineOperation('transactions/singletx', {
  ...charging,
  errors: [...charging.errors, 'authentication_not_found', 'authentication_mismatch'],
  summary: 'Pay, or authorise, with a card',
  description:
    'PAYMENT charges, PREAUTH only authorises until flagcapture. A decline is 200 with status EXC; PEND goes on by itself or ' +
    'by what `next_action` says, and ends with a postback. The same `tid` with the same body returns the same transaction.',
  path: '/api/v1/index.php/{id}/singletx',
  body: SingleTxBody,
});
