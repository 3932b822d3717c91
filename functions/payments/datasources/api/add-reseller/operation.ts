import { defineOperation } from '#core/platform/operation/operation.ts';
import { addition } from '../../declarations.ts';

export const addResellerOperation = defineOperation('datasources/add-reseller', {
  ...addition,
  summary: 'Add a reseller',
  path: '/api/v3/datasource/reseller/add',
  audit: true,
  auditValues: { sent: { name: 'value' } },
});
