import * as v from 'valibot';
import {
  DateFromField,
  DateToField,
  IdReply,
  MerchantIdField,
  MerchantIdReply,
  SiteIdField,
  SiteIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { auditResults } from '#core/platform/audit/audit.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { UsernameField } from '../../field-schemas.ts';

const PlainValue = v.union([v.string(), v.number(), v.boolean()]);
const AuditValueReply = (words: string) => describeField(v.nullable(v.union([PlainValue, v.array(PlainValue)])), words);

export const AuditEntryDto = v.object({
  id: IdReply,
  at: text('When it was called (ISO 8601, UTC).'),
  operation: text('As `area/name` of this document; `command/…`: on the command line.'),
  by: text('The username.'),
  scope: describeField(v.picklist(['admin', 'merchant', 'none']), 'What the token is for.'),
  source_ip: text('The address that the call came from.'),
  request_id: text('The `x-request-id` of the call.'),
  mid: v.nullable(MerchantIdReply),
  sid: v.nullable(SiteIdReply),
  username: nullableText('The user that the call was about, if it was about one.'),
  ids: describeField(v.record(v.string(), v.number()), 'The numbers in the path and the body, and those given out.'),
  fields: describeField(v.array(v.string()), 'The names of the fields that were sent.'),
  changes: describeField(
    v.array(
      v.object({
        field: text('The path of the field, such as `deadline_hours.FRAUD`.'),
        before: AuditValueReply('The value before; null: none.'),
        after: AuditValueReply('The value after; null: none.'),
      }),
    ),
    'What changed, in a fixed order. Only fields without secrets and personal data are listed; of addresses only the host or domain. ' +
      'Calls that were refused, and those before this field was introduced, have none.',
  ),
  result: describeField(
    v.picklist(auditResults),
    'UNKNOWN: it was begun, but cut off before its result could be recorded.',
  ),
  code: nullableText('The error code of a call that was refused; null if it was not.'),
});

export const listAuditOperation = defineOperation('auth/list-audit', {
  tag: 'audit',
  summary: 'List who changed or opened what',
  description:
    'Settings, secrets, users, credentials, rules and lists, for 400 days. A merchant sees what its own users did; with `sid`, what ' +
    'they and operators did to that site.',
  method: 'POST',
  path: '/api/v3/audit/list',
  auth: 'bearer',
  permission: 'audit:read',
  roles: ['manager'],
  body: v.object({
    mid: v.optional(MerchantIdField),
    sid: v.optional(SiteIdField),
    username: v.optional(UsernameField),
    date_from: v.optional(DateFromField),
    date_to: v.optional(DateToField),
    ...pageFields,
  }),
  reply: pageReply(AuditEntryDto),
  errors: ['merchant_not_found', 'site_not_found', 'user_not_found'],
  grants: { table: ['GetItem', 'UpdateItem'], indexes: ['list1', 'list2', 'list3', 'list4'] },
});
