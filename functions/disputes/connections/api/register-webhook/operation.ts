import * as v from 'valibot';
import { IdReply, MsgReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ConnectionPath } from '../../schemas.ts';

export const registerWebhookOperation = defineOperation('connections/register-webhook', {
  summary: "Register a connection's webhook at its processor",
  description:
    'Has the processor send its events about disputes and failed refunds to the webhook of this connection, and keeps what they are signed ' +
    'with among its credentials. Stripe, PayPal, Checkout.com and Shopify have an API for that. Repeating it replaces the earlier registration.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/connections/{id}/register-webhook',
  roles: ['manager'],
  auth: 'bearer',
  permission: 'settings',
  params: ConnectionPath,
  reply: v.object({
    id: IdReply,
    url: text('The address that the processor was given.'),
    registered: flag('Whether the processor has registered it.'),
    problem: describeField(
      v.nullable(v.picklist(['credentials', 'unavailable', 'not_offered'])),
      '`credentials`: the key is wrong or lacks a right; `unavailable`: the processor did not answer, or refused the address; ' +
        '`not_offered`: it has no API for that.',
    ),
    msg: MsgReply,
  }),
  errors: ['merchant_not_found', 'connection_not_found', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'], secrets: ['encryption'] },
  audit: true,
});
