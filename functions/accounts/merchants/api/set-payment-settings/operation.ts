import { defineOperation } from '#core/platform/operation/operation.ts';
import { settings } from '../../declarations.ts';
import { PaymentSettingsBody } from '../../schemas.ts';

export const setPaymentSettingsOperation = defineOperation('merchants/set-payment-settings', {
  ...settings,
  permission: 'settings:data',
  siteKeys: 'named',
  summary: 'Make a site a payment site, or change its settings',
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/payment',
  roles: ['manager'],
  body: PaymentSettingsBody,
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
  diverts: 'data',
  auditValues: {
    changed: {
      ...{ skip_ccv: 'value', allow_rebilling: 'value', shipping_n_tracking: 'value', proceedeveniffail: 'value' },
      ...{ bin_currency: 'value', margin_percentage: 'value', allow_refund: 'value', allow_refund_time: 'value' },
      ...{
        first_transaction_alert: 'value',
        stop_send_email: 'value',
        notify_email: 'domain',
        cbreportemail: 'domain',
      },
      ...{ signature: 'value', ftid: 'value' },
    },
  },
});
