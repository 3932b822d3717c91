import * as v from 'valibot';
import {
  DateFromField,
  DateToField,
  MerchantIdField,
  NextCursorReply,
  SiteIdField,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableCount } from '#core/kernel/schema/field-words.ts';
import { OneOrMore, pageFields } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { authenticationSummaryFields } from '../../authentication/authentication-dto-schemas.ts';
import { outcomes } from '../../authentication/authentication-result.ts';

const { size, cursor, order } = pageFields;

/** Which authentications to list. `date_from` and `date_to` are about when they were started. */
export const ListAuthentications = v.object({
  mid: v.optional(MerchantIdField),
  sid: v.optional(SiteIdField),
  outcome: describeField(
    v.optional(OneOrMore(outcomes)),
    'The result: authenticated, attempted, informational, not_authenticated, rejected, unavailable, canceled or timed_out.',
  ),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  size,
  cursor,
  order,
});
export type ListAuthentications = v.InferOutput<typeof ListAuthentications>;

export const listAuthenticationsOperation = defineOperation('threeds/list-authentications', {
  summary: 'List authentications of payers',
  description:
    'Newest first, of the last 400 days, filtered by site, outcome and date. An administrator also sends `mid` or `sid`. The proof of ' +
    'an authentication is returned only by get3ds.',
  method: 'POST',
  path: '/api/v3/3ds/authentications/list',
  auth: 'bearer',
  permission: 'payments:read',
  siteKeys: 'named',
  body: ListAuthentications,
  formats: ['json', 'form'],
  reply: v.object({
    list: describeField(
      v.array(v.object(authenticationSummaryFields)),
      'One page, the newest first unless `order` says otherwise.',
    ),
    totalResult: nullableCount('Null where the list goes on: authentications are not counted.'),
    next_cursor: v.nullable(NextCursorReply),
  }),
  errors: ['merchant_not_found', 'site_not_found'],
  grants: { table: ['GetItem'], indexes: ['list1', 'list1f', 'list2', 'list2f'] },
});
