import { defineOperation } from '../../core/operation.ts';
import { page } from '../declarations.ts';

export const docsScript = defineOperation({
  ...page,
  name: 'docs-script',
  summary: 'The script of that page',
  description: 'It draws the page from the document.',
  path: '/docs/redoc.js',
  replyType: 'text/javascript; charset=utf-8',
  assets: { 'redoc.js': 'node_modules/redoc/bundles/redoc.standalone.js' },
});
