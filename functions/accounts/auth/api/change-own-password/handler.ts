import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { changeOwnPassword } from '../../users/own-password-flow.ts';
import { changeOwnPasswordOperation } from './operation.ts';

export const handler = auditedEndpoint(changeOwnPasswordOperation, async ({ body, caller }) => {
  await changeOwnPassword(caller.subject, body.current_password, body.password);
  return { status: 'ok' as const };
});
