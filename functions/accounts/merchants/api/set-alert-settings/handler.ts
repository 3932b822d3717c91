import { seal } from '#core/kernel/crypto.ts';
import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { withAlertSettings } from '../../settings/settings.ts';
import { sealContext } from '../../site/site.ts';
import { changeSite } from '../../site/site-store.ts';
import { setAlertSettingsOperation } from './operation.ts';

export const handler = auditedEndpoint(setAlertSettingsOperation, async ({ params, body, caller }) => {
  const ring = await keyRing('encryption');
  const { sid } = await changeSite(params, caller, (site) =>
    withAlertSettings(site, body, (text, field) => ({
      sealed: seal(ring, field ? sealContext.chat(site.sid, field) : sealContext.token(site.sid), text),
      validUntil: null,
    })),
  );
  return { status: 'ok' as const, sid, type: 'alert' as const };
});
