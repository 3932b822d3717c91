import { defineOperation } from '#core/platform/operation/operation.ts';
import { documentPage } from '../../declarations.ts';

export const docsPageOperation = defineOperation({
  ...documentPage,
  name: 'docs-page',
  summary: 'This document as a page to read',
  description: 'For people; it loads this document and its script from beside it, and nothing from elsewhere.',
  path: '/docs',
  replyType: 'text/html; charset=utf-8',
});
