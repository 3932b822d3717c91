import { seal } from '#core/kernel/crypto.ts';
import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { alertAddresses, divertsAlerts } from '../../settings/diverting-settings.ts';
import { noAlertSettings, withAlertSettings } from '../../settings/settings.ts';
import { type Site, sealContext } from '../../site/site.ts';
import { changeSite } from '../../site/site-store.ts';
import { setAlertSettingsOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setAlertSettingsOperation,
  async ({ params, body, caller }, diversion, comparison) => {
    const ring = await keyRing('encryption');
    let before: Site | undefined;
    const { sid, alert } = await changeSite(params, caller, (site) => {
      before = site;
      return withAlertSettings(site, body, (text, field) => ({
        sealed: seal(ring, field ? sealContext.chat(site.sid, field) : sealContext.token(site.sid), text),
        validUntil: null,
      }));
    });
    comparison.compare(before?.alert ?? noAlertSettings, alert ?? {});
    diversion.isReal = divertsAlerts(body);
    diversion.replaceAddresses(alertAddresses(before?.alert), alertAddresses(alert));
    return { status: 'ok' as const, sid, type: 'alert' as const };
  },
);
