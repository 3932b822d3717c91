import * as v from 'valibot';
import { IdReply, MsgReply } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ConnectionPath } from '../../schemas.ts';

export const registerWebhookOperation = defineOperation({
  area: 'connections',
  name: 'register-webhook',
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
    url: v.pipe(v.string(), v.description('The address that the processor was given.')),
    registered: v.pipe(v.boolean(), v.description('Whether the processor has registered it.')),
    problem: v.pipe(
      v.nullable(v.picklist(['credentials', 'unavailable', 'not_offered'])),
      v.description(
        '`credentials`: the key is wrong or lacks a right; `unavailable`: the processor did not answer, or refused the address; ' +
          '`not_offered`: it has no API for that.',
      ),
    ),
    msg: MsgReply,
  }),
  errors: ['merchant_not_found', 'connection_not_found', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'], secrets: ['encryption'] },
  audit: true,
});
