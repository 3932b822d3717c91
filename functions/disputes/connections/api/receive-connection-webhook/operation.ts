import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { webhookKeys } from '#payments/processors/registered/credential-words.ts';
import { ConnectionPath } from '../../schemas.ts';

export const receiveConnectionWebhookOperation = defineOperation('connections/receive-connection-webhook', {
  tag: 'processors',
  summary: "Receive a webhook from a merchant's own processor",
  description:
    'The address to give to the processor of a connection. Checked by what the processor signs with: ' +
    `${webhookKeys}. ` +
    'The processor is then asked about what it announces. ' +
    'Answers `[accepted]`, even to events that do not matter here.',
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
