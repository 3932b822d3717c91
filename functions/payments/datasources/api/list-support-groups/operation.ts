import { defineOperation } from '#core/platform/operation/operation.ts';
import { entries } from '../../declarations.ts';

export const listSupportGroupsOperation = defineOperation('datasources/list-support-groups', {
  ...entries,
  summary: 'Support groups',
  description: 'Their ids go into `support_group` of a site.',
  path: '/api/v3/datasource/supportgroup',
});
