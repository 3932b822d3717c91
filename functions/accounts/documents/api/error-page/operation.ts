import * as v from 'valibot';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

export const errorPageOperation = defineOperation('documents/error-page', {
  tag: 'documents',
  summary: 'What an error code means, and what to do',
  description: 'The page to which `doc` of an error leads. Every stage has it, whether or not it serves this document.',
  method: 'GET',
  path: '/errors/{code}',
  auth: 'public',
  params: v.object({
    code: v.pipe(
      AnyText,
      v.maxLength(60, 'must have at most 60 characters'),
      v.description('The error code, such as `site_not_found`.'),
    ),
  }),
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
  errorShape: 'page',
  errors: ['page_not_found'],
  grants: {},
});
