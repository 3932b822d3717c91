import { defineOperation } from '#core/platform/operation/operation.ts';
import { TidQuery, TransactionStatus } from '../../schemas.ts';

export const getByTidOperation = defineOperation('transactions/getbytid', {
  summary: 'Read the status of a transaction by your own reference',
  description:
    'As getstatus, for a shop that got no answer and knows no `txid`: by the `tid` that was sent, of a payment or of a refund. `hash` is ' +
    'the md5 of sid and rcode, joined.',
  method: 'GET',
  path: '/api/v1/index.php/{id}/getbytid',
  auth: 'site',
  signable: true,
  params: TidQuery,
  reply: TransactionStatus,
  errorShape: 'transaction',
  errors: ['hash_wrong', 'transaction_not_found'],
  grants: { table: ['BatchGetItem'], indexes: ['list2'], secrets: ['encryption'] },
});
