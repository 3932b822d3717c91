import { auditedEndpoint } from '../../core/audit-store.ts';
import { checkReferences } from '../../core/entry-store.ts';
import { withPaymentSettings } from '../settings.ts';
import { changeSite } from '../site-store.ts';
import { setPaymentSettings } from './operation.ts';

export const handler = auditedEndpoint(setPaymentSettings, async ({ params, body, caller }) => {
  await checkReferences([{ field: 'ftid', source: 'fraudtemplate', id: body.ftid }]);
  const { sid } = await changeSite(params, caller, (site) => withPaymentSettings(site, body));
  return { status: 'ok' as const, sid, type: 'payment' as const };
});
