import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { removePasskey } from '../../passkeys/passkey-user-store.ts';
import { removePasskeyOperation } from './operation.ts';

export const handler = auditedEndpoint(removePasskeyOperation, async ({ body: { id }, caller }) => {
  await removePasskey(id, caller);
  return { status: 'ok' as const };
});
