import { IntakeReply } from './intake/intake-schemas.ts';

export const intake = {
  description:
    'Signed: `x-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. Answered once the alert is durable; ' +
    'sending a case again gives the same answer and does nothing.',
  method: 'POST',
  auth: 'provider',
  reply: IntakeReply,
  variables: ['OPERATIONS_MAIL', 'PROVIDER_MAPPINGS'],
} as const;
