import * as v from 'valibot';
import { defineOperation } from '../core/operation.ts';
import { SidPath } from '../merchants/schemas.ts';
import { PageAnswer, PagePath, ProcessorsBody, ProcessorsSaved, ProcessorsShown, WebhookPath } from './schemas.ts';

const area = 'processors';

export const setSiteProcessors = defineOperation({
  area,
  name: 'set-site-processors',
  summary: "Set a payment site's processors",
  description:
    'Replaces all routes; a payment takes the first that takes its scheme, currency and amount, and moves on to the next only ' +
    'where the processor itself could not do it. Absent `schemes` or `currencies`: all. Credentials of stripe: `secret_key`, ' +
    '`webhook_secret`; of adyen: `api_key`, `merchant_account`, `hmac_key`, and `live_url_prefix` or `environment: test`; of nmi: ' +
    '`security_key`, `webhook_key`, and perhaps `environment: test`; of braintree: `merchant_id`, `public_key`, `private_key`, ' +
    '`merchant_accounts` (`{"USD": "…"}`: which one is charged in each currency), and perhaps `environment: test`. They ' +
    'are kept encrypted and never shown again. A route with the `id` of an account may leave them out, or bring new ones for it. ' +
    'Payments of an account that nothing is routed to any more are still refunded there.',
  method: 'POST',
  path: '/api/v3/site/{sid}/processors',
  auth: 'bearer',
  params: SidPath,
  body: ProcessorsBody,
  reply: ProcessorsSaved,
  errors: ['site_not_found', 'site_not_for_payments', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'], secrets: ['encryption'] },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
});

export const siteProcessorsDetails = defineOperation({
  area,
  name: 'site-processors-details',
  summary: "Read a payment site's processors",
  description: 'The routes in order, and the accounts that are kept for refunds. Of credentials only whose they are.',
  method: 'POST',
  path: '/api/v3/site/{sid}/processors/details',
  auth: 'bearer',
  params: SidPath,
  reply: ProcessorsShown,
  errors: ['site_not_found', 'site_not_for_payments'],
  grants: { table: ['BatchGetItem'] },
  variables: ['ALLOW_SANDBOX'],
});

export const receiveProcessorWebhook = defineOperation({
  area,
  name: 'receive-processor-webhook',
  summary: "Take a processor's webhook",
  description:
    "The address to give to the processor for the site's account. Checked by the signature that the processor puts there; " +
    'what it is about is then asked of the processor anew. Answers `[accepted]`, also for what it is not concerned with.',
  method: 'POST',
  path: '/api/v3/processors/{processor}/{sid}/webhook',
  auth: 'provider',
  params: WebhookPath,
  reply: v.string(),
  replyType: 'text/plain; charset=utf-8',
  errors: ['signature_invalid'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'Query'],
    secrets: ['encryption'],
    send: ['settlement'],
  },
});

const page = {
  area,
  path: '/sandbox/pay/{id}',
  auth: 'public',
  params: PagePath,
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
  errorShape: 'page',
  errors: ['page_not_found'],
} as const;

export const sandboxPage = defineOperation({
  ...page,
  name: 'sandbox-page',
  summary: 'Show the page on which a payer confirms a sandbox payment',
  description: 'Where the redirect of a payment whose amount ends in 63 leads. For an hour; it moves no money.',
  method: 'GET',
  grants: { table: ['GetItem'] },
});

export const sandboxPageAnswer = defineOperation({
  ...page,
  name: 'sandbox-page-answer',
  summary: "Take the payer's answer to a sandbox payment",
  description: 'The first answer counts; the payment then goes on. Sending it again shows what came of it.',
  method: 'POST',
  body: PageAnswer,
  formats: ['form'],
  grants: { table: ['GetItem', 'PutItem'], send: ['settlement'] },
});

export const processorOperations = [
  setSiteProcessors,
  siteProcessorsDetails,
  receiveProcessorWebhook,
  sandboxPage,
  sandboxPageAnswer,
] as const;
