import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { checkReferences } from '#core/platform/entries/entry-store.ts';
import { divertsPayments, paymentAddresses } from '../../settings/diverting-settings.ts';
import { withPaymentSettings } from '../../settings/settings.ts';
import type { Site } from '../../site/site.ts';
import { changeSite } from '../../site/site-store.ts';
import { setPaymentSettingsOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setPaymentSettingsOperation,
  async ({ params, body, caller }, diversion, comparison) => {
    await checkReferences([{ field: 'ftid', source: 'fraudtemplate', id: body.ftid }]);
    let before: Site | undefined;
    const { sid, payment } = await changeSite(params, caller, (site) => {
      before = site;
      return withPaymentSettings(site, body);
    });
    comparison.compare(before?.payment ?? {}, payment ?? {});
    diversion.isReal = divertsPayments(body);
    diversion.replaceAddresses(paymentAddresses(before?.payment), paymentAddresses(payment));
    return { status: 'ok' as const, sid, type: 'payment' as const };
  },
);
