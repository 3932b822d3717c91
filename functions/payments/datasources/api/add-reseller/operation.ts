import { defineOperation } from '#core/platform/operation/operation.ts';
import { addition } from '../../declarations.ts';

export const addResellerOperation = defineOperation({
  ...addition,
  name: 'add-reseller',
  summary: 'Add a reseller',
  path: '/api/v3/datasource/reseller/add',
  audit: true,
  auditValues: { sent: { name: 'value' } },
});
