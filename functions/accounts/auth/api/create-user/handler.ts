import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { createPerson as create } from '../../users/people-flow.ts';
import { createPersonOperation } from './operation.ts';

export const handler = auditedEndpoint(createPersonOperation, async ({ body, caller, baseUrl }, diversion) => {
  const { user, ...link } = await create(body, caller, baseUrl);
  diversion.mid = user.mid;
  return { status: 'ok' as const, username: user.username, ...link };
});
