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
  summary: "Take a processor's webhook",
  description:
    "The address to give to the processor for the site's account. Checked by the signature that the processor puts there; " +
    'what it is about is then asked of the processor anew. Answers `[accepted]`, also for what it is not concerned with.',
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
