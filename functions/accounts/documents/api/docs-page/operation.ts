import { defineOperation } from '#core/platform/operation/operation.ts';
import { documentPage } from '../../declarations.ts';

export const docsPageOperation = defineOperation('documents/docs-page', {
  ...documentPage,
  summary: 'The documentation',
  description: 'The front page of the documentation, for people. It loads only what this service serves beside it.',
  path: '/docs',
  replyType: 'text/html; charset=utf-8',
});
