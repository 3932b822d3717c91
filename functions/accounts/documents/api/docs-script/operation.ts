import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { documentPage } from '../../declarations.ts';
import { guides } from '../../guides.ts';

const dist = 'node_modules/swagger-ui-dist';

export const docsScriptOperation = defineOperation({
  ...documentPage,
  name: 'docs-script',
  summary: 'A file of that page',
  description: 'The scripts and styles that draw the page from the document, and the guides as Markdown.',
  path: '/docs/{file}',
  params: v.object({
    file: v.pipe(
      v.string(),
      v.maxLength(40, 'must have at most 40 characters'),
      v.regex(/^[a-z.-]+$/, 'must be the name of a file'),
      v.description('As the page names it.'),
    ),
  }),
  reply: v.union([v.string(), v.instance(Uint8Array)]),
  replyType: 'text/plain; charset=utf-8',
  otherReplyTypes: ['text/javascript', 'text/css'],
  errors: ['page_not_found'],
  assets: {
    'swagger-ui.js': `${dist}/swagger-ui-bundle.js`,
    'swagger-ui.css': `${dist}/swagger-ui.css`,
    'docs.js': 'functions/accounts/documents/browser/docs.js',
    'docs.css': 'functions/accounts/documents/browser/docs.css',
    ...Object.fromEntries(guides.map(({ file }) => [file, `docs/guides/${file}`])),
  },
});
