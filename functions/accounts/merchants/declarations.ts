import { MerchantSitePath, SettingsSaved, SidPath } from './schemas.ts';

export const settings = {
  method: 'POST',
  auth: 'bearer',
  params: MerchantSitePath,
  reply: SettingsSaved,
  description:
    "The first settings operation fixes the site's type permanently; later calls for another type are refused. " +
    'If the site already has settings, the fields that are sent replace the old ones and the others stay.',
  errors: ['site_not_found', 'site_type_fixed', 'changed_meanwhile'],
} as const;
export const rotation = {
  method: 'POST',
  auth: 'bearer',
  params: SidPath,
  description:
    'The previous one stays valid for 24 hours. Of two rotations at the same time, one is refused, so that neither ' +
    'invalidates a secret that is in use.',
  errors: ['site_not_found', 'changed_meanwhile'],
} as const;
