import { auditedEndpoint } from '../../core/audit-store.ts';
import { seal } from '../../core/crypto.ts';
import { keyRing } from '../../core/secrets.ts';
import { withThreeDsSettings } from '../settings.ts';
import { sealContext } from '../site.ts';
import { changeSite } from '../site-store.ts';
import { setThreeDsSettings } from './operation.ts';

export const handler = auditedEndpoint(setThreeDsSettings, async ({ params, body, caller }) => {
  const ring = await keyRing('encryption');
  const { sid } = await changeSite(params, caller, (site) =>
    withThreeDsSettings(site, body, (text, field = '') => ({
      sealed: seal(ring, sealContext.threeDs(site.sid, field), text),
      validUntil: null,
    })),
  );
  return { status: 'ok' as const, sid, type: '3ds' as const };
});
