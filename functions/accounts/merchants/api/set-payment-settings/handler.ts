import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { checkReferences } from '#core/platform/entries/entry-store.ts';
import { withPaymentSettings } from '../../settings/settings.ts';
import { changeSite } from '../../site/site-store.ts';
import { setPaymentSettingsOperation } from './operation.ts';

export const handler = auditedEndpoint(setPaymentSettingsOperation, async ({ params, body, caller }) => {
  await checkReferences([{ field: 'ftid', source: 'fraudtemplate', id: body.ftid }]);
  const { sid } = await changeSite(params, caller, (site) => withPaymentSettings(site, body));
  return { status: 'ok' as const, sid, type: 'payment' as const };
});
