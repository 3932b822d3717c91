import { endpoint } from '#core/platform/http/http.ts';
import { setOwnSettings } from '../../users/own-settings-store.ts';
import { setOwnSettingsOperation } from './operation.ts';

export const handler = endpoint(setOwnSettingsOperation, async ({ body, caller }) => ({
  status: 'ok' as const,
  ...(await setOwnSettings(body, caller)),
}));
