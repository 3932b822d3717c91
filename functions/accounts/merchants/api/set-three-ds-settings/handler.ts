import { seal } from '#core/kernel/crypto.ts';
import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { divertsAuthentications } from '../../settings/diverting-settings.ts';
import { withThreeDsSettings } from '../../settings/settings.ts';
import { type Site, sealContext } from '../../site/site.ts';
import { changeSite } from '../../site/site-store.ts';
import { setThreeDsSettingsOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setThreeDsSettingsOperation,
  async ({ params, body, caller }, diversion, comparison) => {
    const ring = await keyRing('encryption');
    let before: Site | undefined;
    const { sid, threeDs } = await changeSite(params, caller, (site) => {
      before = site;
      return withThreeDsSettings(site, body, (text, field = '') => ({
        sealed: seal(ring, sealContext.threeDs(site.sid, field), text),
        validUntil: null,
      }));
    });
    comparison.compare(before?.threeDs ?? {}, threeDs ?? {});
    diversion.isReal = divertsAuthentications(body);
    return { status: 'ok' as const, sid, type: '3ds' as const };
  },
);
