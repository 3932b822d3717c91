import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { setOwnSettings } from '../../users/own-settings-store.ts';
import { setOwnSettingsOperation } from './operation.ts';

export const handler = auditedEndpoint(setOwnSettingsOperation, async ({ body, caller }) => ({
  status: 'ok' as const,
  ...(await setOwnSettings(body, caller)),
}));
