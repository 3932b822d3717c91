import type { createApiKeyOperation as CreateApiKeyOperation } from '#accounts/auth/api/create-api-key/operation.ts';
import type { Request } from '#core/platform/operation/operation.ts';
import { translate } from '../language/translate.ts';

export type Permission = Request<typeof CreateApiKeyOperation>['body']['permissions'][number];

/** The compiler compares this with the service’s own list. */
export const permissionLabels: Readonly<Record<Permission, string>> = {
  'alerts:read': translate('Read alerts'),
  'alerts:answer': translate('Answer alerts'),
  refunds: translate('Refund payments and alerts'),
  'payments:read': translate('Read payments'),
  payments: translate('Search cards, change fraud lists'),
  'orders:read': translate('Read orders'),
  orders: translate('Send and change orders'),
  'chargebacks:read': translate('Read chargebacks'),
  chargebacks: translate('Answer chargebacks, claim credits'),
  'reports:read': translate('Read reports and costs'),
  'audit:read': translate('Read the audit log'),
  'settings:read': translate('Read settings and rules'),
  settings: translate('Change other settings, enroll descriptors'),
  'settings:money': translate('Change where money goes'),
  'settings:data': translate('Change where data goes'),
  'settings:secrets': translate('Create sites, rotate secrets'),
};
