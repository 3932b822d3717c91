import * as v from 'valibot';
import { count, describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { Day, Id, pageFields } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { keyRequestResults } from '../../api-keys/key-request.ts';

const KeyRequestDto = v.object({
  at: text('When the request arrived (ISO 8601, UTC).'),
  request_id: text('The `x-request-id` of the reply.'),
  method: text('The HTTP method.'),
  path: text('The path with the names of its variables, such as `/api/v3/orders/{id}/details`, and without its query.'),
  status: count('The HTTP status of the reply.'),
  milliseconds: count('How long the reply took.'),
});

export const listKeyRequestsOperation = defineOperation('auth/list-key-requests', {
  tag: 'api-keys',
  summary: 'List the requests of an API key',
  description:
    'The requests that a program made with a key on one day, newest first. They are kept for 30 days and appear within about a minute. The log ' +
    'is for debugging and may miss requests; it has no body, header, query or address. Requests after the key was revoked or has expired are not in it. ' +
    'With `result`, a page may be short or empty although `next_cursor` names a next one.',
  method: 'POST',
  path: '/api/v3/api-keys',
  auth: 'bearer',
  permission: 'person',
  roles: ['manager'],
  body: v.object({
    id: describeField(Id, 'The key’s number.'),
    day: describeField(v.optional(Day), 'The day in UTC, YYYY-MM-DD; default: today.'),
    result: describeField(
      v.optional(v.picklist(keyRequestResults, `must be ${keyRequestResults.join(' or ')}`)),
      'Only requests that were refused (4xx) or that failed (5xx).',
    ),
    ...{ size: pageFields.size, cursor: pageFields.cursor },
  }),
  reply: v.object({
    day: text('The day that is listed.'),
    list: describeField(v.array(KeyRequestDto), 'One page, newest first.'),
    next_cursor: nullableText('Send it back as `cursor` for the next page; null on the last.'),
  }),
  errors: ['api_key_not_found'],
  grants: { table: ['GetItem', 'Query'] },
});
