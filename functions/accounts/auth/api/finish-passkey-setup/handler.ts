import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { addPasskey } from '../../passkeys/own-passkey-store.ts';
import { toPasskeyDto } from '../../passkeys/passkey.ts';
import type { RegistrationResponseJSON } from '../../passkeys/passkey-proof.ts';
import { finishPasskeySetupOperation } from './operation.ts';

export const handler = auditedEndpoint(finishPasskeySetupOperation, async ({ body, caller }) => {
  const sent = { ...body, credential: body.credential as RegistrationResponseJSON };
  const { passkey, recoveryCodes } = await addPasskey(sent, caller);
  const recovery_codes = recoveryCodes && [...recoveryCodes];
  return { status: 'ok' as const, passkey: toPasskeyDto(passkey), recovery_codes };
});
