import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { ConnectionPath } from '../schemas.ts';

export const receiveConnectionWebhook = defineOperation({
  area: 'connections',
  tag: 'processors',
  name: 'receive-connection-webhook',
  summary: "Take a webhook of a merchant's own processor",
  description:
    'The address to give to the processor of a connection. Checked by what the processor signs with: `webhook_secret` of stripe, ' +
    '`webhook_key` of nmi, the key pair of braintree, `hmac_key` of adyen. What it is about is then asked of the processor anew. ' +
    'Answers `[accepted]`, also for what it is not concerned with.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/connections/{id}/webhook',
  auth: 'provider',
  params: ConnectionPath,
  reply: v.string(),
  replyType: 'text/plain; charset=utf-8',
  errors: ['signature_invalid'],
  grants: {
    table: ['GetItem', 'PutItem'],
    secrets: ['encryption'],
    send: ['chargebacks'],
  },
});
