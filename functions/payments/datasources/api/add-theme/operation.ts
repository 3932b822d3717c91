import { defineOperation } from '#core/platform/operation/operation.ts';
import { addition } from '../../declarations.ts';

export const addThemeOperation = defineOperation('datasources/add-theme', {
  ...addition,
  summary: 'Add a theme',
  path: '/api/v3/datasource/theme/add',
  audit: true,
  auditValues: { sent: { name: 'value' } },
});
