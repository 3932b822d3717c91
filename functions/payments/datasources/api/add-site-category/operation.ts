import { defineOperation } from '#core/platform/operation/operation.ts';
import { addition } from '../../declarations.ts';

export const addSiteCategoryOperation = defineOperation('datasources/add-site-category', {
  ...addition,
  summary: 'Add a site category',
  path: '/api/v3/datasource/sitecategory/add',
  audit: true,
  auditValues: { sent: { name: 'value' } },
});
