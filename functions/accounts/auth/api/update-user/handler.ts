import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { updatePerson as update } from '../../users/people-flow.ts';
import { toPersonDto } from '../../users/user-row.ts';
import { updatePersonOperation } from './operation.ts';

export const handler = auditedEndpoint(
  updatePersonOperation,
  async ({ body: { username, ...changes }, caller, baseUrl }, diversion, comparison) => {
    const { before, user, link } = await update(username, changes, caller, baseUrl);
    comparison.compare(before, user);
    diversion.mid = user.mid;
    // A manager who is disabled or loses the role is notified too.
    const isManager = user.role === 'manager' && !user.disabled;
    diversion.replaceAddresses([before.email], isManager ? [user.email] : []);
    return { status: 'ok' as const, user: toPersonDto(user), link };
  },
);
