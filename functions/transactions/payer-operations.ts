import * as v from 'valibot';
import { defineOperation } from '../core/operation.ts';
import { Id, Text } from '../core/schema.ts';

/** The page of a payment for whoever pays it. */

const Token = v.pipe(v.string('is missing from the link'), v.maxLength(64, 'is not one of ours'));

const page = {
  area: 'transactions',
  path: '/return/{id}',
  auth: 'public',
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
  errorShape: 'page',
  errors: ['page_not_found'],
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
  memoryMegabytes: 512,
} as const;

export const payerPage = defineOperation({
  ...page,
  name: 'payer-page',
  summary: 'Show a payer what came of their payment, or what is still to be done',
  description:
    'Where hosted pages and issuers send a payer back to, by a link that singletx made. A payment that waits for a code takes ' +
    'it here, for shops that have no page of their own for that.',
  method: 'GET',
  params: v.object({
    id: Id,
    token: Token,
    redirectResult: v.optional(v.pipe(v.string(), v.maxLength(8000, 'is too long'))),
  }),
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'Query'], secrets: ['encryption'] },
});

export const payerPageAnswer = defineOperation({
  ...page,
  name: 'payer-page-answer',
  summary: "Take a payer's code",
  description: 'The form of the page of a payment that waits for a code. Each code that is tried counts.',
  method: 'POST',
  params: v.object({ id: Id, token: Token }),
  body: v.object({ code: Text(20) }),
  formats: ['form'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], secrets: ['encryption'] },
});

export const payerOperations = [payerPage, payerPageAnswer] as const;
