import { defineOperation } from '#core/platform/operation/operation.ts';
import { ConvertNPayBody } from '../../schemas.ts';
import { charging } from '../../start/start-declarations.ts';

export const convertNPayOperation = defineOperation('transactions/convertnpay', {
  ...charging,
  summary: "Pay in the site's currency for what is priced in another",
  description:
    "The total is converted to the currency of the site's descriptor at the service's own rate, the margin included; both " +
    'amounts and the rate are kept, and a refund uses the same rate.',
  path: '/api/v1/index.php/{id}/convertnpay',
  body: ConvertNPayBody,
  errors: [...charging.errors, 'rate_missing'],
});
