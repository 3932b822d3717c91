import * as v from 'valibot';
import { CardFree } from '#core/kernel/schema/text.ts';

/** The page of a payment for its payer. */

export const Token = v.pipe(
  v.string('is missing from the link'),
  v.maxLength(64, 'is not a valid token'),
  CardFree,
  v.description('Proves that the payer was sent to this page.'),
);

export const payerPageDeclaration = {
  path: '/return/{id}',
  auth: 'public',
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
  errorShape: 'page',
  errors: ['page_not_found'],
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
  memoryMegabytes: 512,
} as const;
