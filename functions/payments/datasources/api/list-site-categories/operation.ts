import { defineOperation } from '#core/platform/operation/operation.ts';
import { entries } from '../../declarations.ts';

export const listSiteCategoriesOperation = defineOperation('datasources/list-site-categories', {
  ...entries,
  summary: 'Site categories',
  description: 'Their ids go into `cat_id` of a site.',
  path: '/api/v3/datasource/sitecategory',
});
