import { defineOperation } from '../../core/operation.ts';
import { addition } from '../declarations.ts';

export const addTheme = defineOperation({
  ...addition,
  name: 'add-theme',
  summary: 'Add a theme',
  path: '/api/v3/datasource/theme/add',
  audit: true,
});
