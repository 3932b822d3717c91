import * as v from 'valibot';
import { FromTime, Id, pageFields, pageReply, Text, ToTime } from '#core/kernel/schema/schema.ts';
import { auditResults } from '#core/platform/audit/audit.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

export const AuditEntryDto = v.object({
  id: v.string(),
  at: v.string(),
  operation: v.pipe(v.string(), v.description('As `area/name` of this document; `command/…`: on the command line.')),
  by: v.pipe(v.string(), v.description('The username.')),
  scope: v.picklist(['admin', 'merchant', 'none']),
  source_ip: v.string(),
  request_id: v.string(),
  mid: v.nullable(v.number()),
  sid: v.nullable(v.number()),
  username: v.pipe(v.nullable(v.string()), v.description('The user that the call was about, if it was about one.')),
  ids: v.pipe(
    v.record(v.string(), v.number()),
    v.description('The numbers in the path and the body, and those given out.'),
  ),
  fields: v.pipe(v.array(v.string()), v.description('The names of the fields that were sent; never their values.')),
  result: v.pipe(
    v.picklist(auditResults),
    v.description('UNKNOWN: it was begun, but cut off before its result could be recorded.'),
  ),
  code: v.pipe(v.nullable(v.string()), v.description('Why it was refused.')),
});

export const listAudit = defineOperation({
  area: 'auth',
  name: 'list-audit',
  tag: 'audit',
  summary: 'List who changed or opened what',
  description:
    'Settings, secrets, users, credentials, rules and lists, for 400 days. A merchant sees what its own users did; with `sid`, what ' +
    'they and operators did to that site.',
  method: 'POST',
  path: '/api/v3/audit/list',
  auth: 'bearer',
  roles: ['manager'],
  body: v.object({
    mid: v.optional(Id),
    sid: v.optional(Id),
    username: v.optional(Text(100)),
    date_from: v.optional(FromTime),
    date_to: v.optional(ToTime),
    ...pageFields,
  }),
  reply: pageReply(AuditEntryDto),
  errors: ['merchant_not_found', 'site_not_found', 'user_not_found'],
  grants: { table: ['GetItem', 'UpdateItem'], indexes: ['list1', 'list2', 'list3', 'list4'] },
});
