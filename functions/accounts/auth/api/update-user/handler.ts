import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { updatePerson as update } from '../../users/people-flow.ts';
import { toPersonDto } from '../../users/user-row.ts';
import { updatePersonOperation } from './operation.ts';

export const handler = auditedEndpoint(
  updatePersonOperation,
  async ({ body: { username, ...changes }, caller, baseUrl }, diversion) => {
    const { user, formerEmail, link } = await update(username, changes, caller, baseUrl);
    diversion.mid = user.mid;
    diversion.replaceAddresses([formerEmail], [user.email]);
    return { status: 'ok' as const, user: toPersonDto(user), link };
  },
);
