import { defineOperation } from '#core/platform/operation/operation.ts';
import { StatusQuery, TransactionStatus } from '../../schemas.ts';

export const getStatusOperation = defineOperation('transactions/getstatus', {
  summary: 'Read the status of a transaction',
  description:
    'As it is known, with what was captured and refunded of its payment and by which transactions; requery asks the processor. An unknown number is answered like a wrong hash.',
  method: 'GET',
  path: '/api/v1/index.php/{id}/getstatus',
  auth: 'site',
  signable: true,
  params: StatusQuery,
  reply: TransactionStatus,
  errorShape: 'transaction',
  errors: ['hash_wrong'],
  grants: { table: ['BatchGetItem'], indexes: ['list2'], secrets: ['encryption'] },
});
