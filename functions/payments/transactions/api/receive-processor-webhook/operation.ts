import * as v from 'valibot';
import { SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { webhookSenders } from '#payments/processors/ports/processors.ts';
import { headerSigners, webhookBodies } from '#payments/processors/registered/credential-words.ts';

export const WebhookPath = v.object({
  processor: describeField(v.picklist(webhookSenders, `must be one of ${webhookSenders.join(', ')}`), 'The processor.'),
  sid: SiteIdField,
});

export const receiveProcessorWebhookOperation = defineOperation('transactions/receive-processor-webhook', {
  tag: 'processors',
  summary: 'Receive a webhook from a processor',
  description:
    "The address to give to the processor for the site's account. Checked by the signature that the processor puts there; " +
    'the processor is then asked about what it announces. Answers `[accepted]`, even to events that do not matter here.',
  method: 'POST',
  path: '/api/v3/processors/{processor}/{sid}/webhook',
  auth: 'provider',
  params: WebhookPath,
  signedBy: headerSigners,
  rawBody: webhookBodies,
  reply: v.string(),
  replyType: 'text/plain; charset=utf-8',
  errors: ['signature_invalid'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'Query'],
    secrets: ['encryption'],
    send: ['settlement', 'chargebacks'],
  },
});
