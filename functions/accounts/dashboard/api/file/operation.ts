import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AnyText, WellFormed } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

const AppFileParams = v.object({
  id: v.pipe(
    AnyText,
    v.maxLength(100, 'must have at most 100 characters'),
    WellFormed,
    v.description('As the page names it.'),
  ),
});

export const dashboardFileOperation = defineOperation('dashboard/file', {
  summary: 'A file of the dashboard',
  description:
    'Its name changes with its content, so it may be cached for good, apart from the manifest and the worker that shows notifications. Compressed as `accept-encoding` asks.',
  method: 'GET',
  path: '/dashboard/{id}',
  auth: 'public',
  params: AppFileParams,
  reply: describeField(
    v.custom<Uint8Array>((value) => value instanceof Uint8Array),
    'The bytes of the file.',
  ),
  replyType: 'application/octet-stream',
  otherReplyTypes: ['text/javascript', 'text/css', 'application/manifest+json'],
  app: 'dashboard',
  errors: ['page_not_found'],
  grants: {},
});
