import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { setPassword as set, userOfLink } from '../../users/password-link-store.ts';
import { setPasswordOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setPasswordOperation,
  async ({ body: { token, password } }) => {
    const { username } = await set(token, password);
    return { status: 'ok' as const, username };
  },
  { admit: ({ body: { token } }) => userOfLink(token) },
);
