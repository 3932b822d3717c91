import { defineOperation } from '#core/platform/operation/operation.ts';
import { addition } from '../../declarations.ts';

export const addSupportGroupOperation = defineOperation({
  ...addition,
  name: 'add-support-group',
  summary: 'Add a support group',
  path: '/api/v3/datasource/supportgroup/add',
  audit: true,
  auditValues: { sent: { name: 'value' } },
});
