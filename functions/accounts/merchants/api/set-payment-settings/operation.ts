import { defineOperation } from '#core/platform/operation/operation.ts';
import { settings } from '../../declarations.ts';
import { PaymentSettingsBody } from '../../schemas.ts';

export const setPaymentSettingsOperation = defineOperation({
  ...settings,
  name: 'set-payment-settings',
  permission: 'settings:data',
  siteKeys: 'named',
  summary: 'Make a site a payment site, or change its settings',
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/payment',
  roles: ['manager'],
  body: PaymentSettingsBody,
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
  diverts: 'data',
});
