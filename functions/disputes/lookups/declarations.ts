import * as v from 'valibot';

/** The parts that the pages of the sandbox's bank share. */
export const bank = {
  tag: 'orders',
  path: '/sandbox/bank',
  auth: 'public',
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
  errorShape: 'page',
  errors: [],
  onlyWhere: 'allowSandbox',
} as const;

/** The parts that providers' look-ups share. */
export const lookupByProvider = {
  tag: 'orders',
  description:
    'Signed: `x-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. Answered within 1.8 s: with the one order that ' +
    'fits, as much of it as the channel may see, or that none fits, or several. The same request within 24 hours is not counted again.',
  method: 'POST',
  auth: 'provider',
  errors: ['signature_invalid'],
  grants: { table: ['BatchGetItem', 'Query'], send: ['lookups'] },
  memoryMegabytes: 512,
} as const;
