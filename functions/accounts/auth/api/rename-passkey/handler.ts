import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toPasskeyDto } from '../../passkeys/passkey.ts';
import { renamePasskey } from '../../passkeys/passkey-user-store.ts';
import { renamePasskeyOperation } from './operation.ts';

export const handler = auditedEndpoint(renamePasskeyOperation, async ({ body: { id, name }, caller }) => ({
  status: 'ok' as const,
  passkey: toPasskeyDto(await renamePasskey(id, name, caller)),
}));
