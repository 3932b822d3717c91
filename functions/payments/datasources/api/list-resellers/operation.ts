import { defineOperation } from '#core/platform/operation/operation.ts';
import { entries } from '../../declarations.ts';

export const listResellersOperation = defineOperation('datasources/list-resellers', {
  ...entries,
  summary: 'Resellers',
  description: 'Their ids go into `reseller_id` of a site.',
  path: '/api/v3/datasource/reseller',
});
