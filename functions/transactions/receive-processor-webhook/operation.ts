import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { Id } from '../../core/schema.ts';
import { webhookSenders } from '../../processors/processors.ts';

export const WebhookPath = v.object({
  processor: v.picklist(webhookSenders, `must be one of ${webhookSenders.join(', ')}`),
  sid: Id,
});

export const receiveProcessorWebhook = defineOperation({
  area: 'transactions',
  tag: 'processors',
  name: 'receive-processor-webhook',
  summary: 'Receive a webhook from a processor',
  description:
    "The address to give to the processor for the site's account. Checked by the signature that the processor puts there; " +
    'the processor is then asked about what it announces. Answers `[accepted]`, even to events that do not matter here.',
  method: 'POST',
  path: '/api/v3/processors/{processor}/{sid}/webhook',
  auth: 'provider',
  params: WebhookPath,
  signedBy: ['stripe', 'nmi'],
  rawBody: {
    'application/json':
      'An event of Stripe or NMI, signed in a header; or notifications of Adyen, each signed in its `hmacSignature`.',
    'application/x-www-form-urlencoded': 'A notification of Braintree: `bt_payload`, signed in `bt_signature`.',
  },
  reply: v.string(),
  replyType: 'text/plain; charset=utf-8',
  errors: ['signature_invalid'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'Query'],
    secrets: ['encryption'],
    send: ['settlement', 'chargebacks'],
  },
});
