import type { setOwnSettingsOperation as SetOwnSettingsOperation } from '#accounts/auth/api/set-own-settings/operation.ts';
import { remote } from '../app/client.ts';

export const setOwnSettings = remote<typeof SetOwnSettingsOperation>({
  path: '/api/v3/users',
  roles: ['analyst', 'developer', 'manager'],
});
