import { defineOperation } from '#core/platform/operation/operation.ts';
import { fraudOperation } from '../../declarations.ts';
import { FraudListsPath, ListsDto } from '../set-fraud-lists/operation.ts';

export const fraudListsOperation = defineOperation('fraud/fraud-lists', {
  ...fraudOperation,
  permission: 'payments:read',
  summary: 'Show the block, allow and watch lists of a payment site',
  description: 'Cards by their masks, and by the tokens with which they may be sent again.',
  path: '/api/v3/site/{sid}/fraud-lists/details',
  roles: ['analyst', 'manager'],
  params: FraudListsPath,
  reply: ListsDto,
  errors: ['site_not_found', 'site_not_for_payments'],
  grants: { table: ['BatchGetItem'] },
});
