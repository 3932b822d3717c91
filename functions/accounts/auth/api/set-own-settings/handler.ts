import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { setOwnSettings } from '../../users/own-settings-store.ts';
import { setOwnSettingsOperation } from './operation.ts';

export const handler = auditedEndpoint(setOwnSettingsOperation, async ({ body, caller }, _, comparison) => {
  const { before, ...after } = await setOwnSettings(body, caller);
  comparison.compare(before, after);
  return { status: 'ok' as const, ...after };
});
