import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { documentPage } from '../../declarations.ts';
import { siteSources } from '../../site/catalog.ts';

export const docsFileOperation = defineOperation('documents/docs-file', {
  ...documentPage,
  summary: 'A page or file of the documentation',
  description:
    'Pages by their name, such as `receive-alerts`, the same as Markdown with `.md`, their scripts and styles, the search index, and `llms.txt`, which describes the API, webhooks and commands to language models.',
  path: '/docs/{file}',
  params: v.object({
    file: v.pipe(
      v.string(),
      v.maxLength(40, 'must have at most 40 characters'),
      v.regex(/^[a-z.-]+$/, 'must be the name of a page or file'),
      v.description('As the pages name it.'),
    ),
  }),
  reply: v.union([v.string(), v.instance(Uint8Array)]),
  replyType: 'text/html; charset=utf-8',
  otherReplyTypes: ['text/javascript', 'text/css', 'text/plain', 'application/json'],
  errors: ['page_not_found'],
  assets: siteSources,
});
