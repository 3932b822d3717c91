import { defineOperation } from '#core/platform/operation/operation.ts';
import { addition } from '../../declarations.ts';

export const addSupportGroupOperation = defineOperation('datasources/add-support-group', {
  ...addition,
  summary: 'Add a support group',
  path: '/api/v3/datasource/supportgroup/add',
  audit: true,
  auditValues: { sent: { name: 'value' } },
});
