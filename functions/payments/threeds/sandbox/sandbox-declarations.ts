import * as v from 'valibot';
import { AnyText } from '#core/kernel/schema/text.ts';

/** The common part of the pages of the sandbox's issuers. */
export const ofIssuer = {
  auth: 'public',
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
  errorShape: 'page',
  errors: ['page_not_found'],
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
} as const;

/** A challenge request, as EMVCo's issuers get it. */
export const Creq = v.pipe(
  AnyText,
  v.maxLength(8192, 'is too long'),
  v.description('The challenge request of EMV 3DS.'),
);
