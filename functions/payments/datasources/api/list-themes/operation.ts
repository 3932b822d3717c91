import { defineOperation } from '#core/platform/operation/operation.ts';
import { entries } from '../../declarations.ts';

export const listThemesOperation = defineOperation('datasources/list-themes', {
  ...entries,
  summary: 'Themes',
  description: 'Their ids go into `themeid` of a merchant.',
  path: '/api/v3/datasource/theme',
});
