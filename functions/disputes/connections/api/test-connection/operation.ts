import * as v from 'valibot';
import { IdReply, MsgReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ConnectionPath } from '../../schemas.ts';

export const ConnectionTest = v.object({
  id: IdReply,
  works: flag('Whether it works.'),
  problem: describeField(
    v.nullable(v.picklist(['credentials', 'unavailable'])),
    '`credentials`: the key is wrong or lacks a right; `unavailable`: the processor did not answer; try again later.',
  ),
  missing: describeField(v.array(v.string()), "Rights that the key lacks, in the processor's own words."),
  msg: MsgReply,
});

export const testConnectionOperation = defineOperation('connections/test-connection', {
  summary: 'Test a connection',
  description:
    'Checks what finding and refunding need, without changing anything, and says in words what is wrong. The right ' +
    'to refund is tried with a charge that does not exist.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/connections/{id}/test',
  auth: 'bearer',
  permission: 'settings:read',
  params: ConnectionPath,
  reply: ConnectionTest,
  errors: ['merchant_not_found', 'connection_not_found'],
  grants: { table: ['BatchGetItem'], secrets: ['encryption'] },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});
