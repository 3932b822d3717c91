import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { bySite, siteErrors } from '../../declarations.ts';
import { CurrencyNumber, option, siteFields } from '../../schemas.ts';

export const RawFeesBody = v.object({ ...siteFields, currency: CurrencyNumber });

export const RawFees = v.object({
  status: v.literal('OK'),
  paymentmethods: v.array(
    v.object({
      ...option,
      fxrate: v.pipe(v.string(), v.description('What to send as `fxrate_posted`.')),
      fee: v.nullable(v.object({ percentage: v.string(), fixed: v.string() })),
      operation: v.picklist(['singletx', 'convertnpay']),
      fields: v.array(v.object({ name: v.string(), required: v.boolean() })),
    }),
  ),
});

export const rawFees = defineOperation({
  ...bySite,
  name: 'raw-fees',
  summary: 'List payment methods, their fees and the fields of a transaction',
  description: 'With the exchange rate from the currency of the cart, and whether to call singletx or convertnpay.',
  path: '/soap/rawfeeapi.php',
  body: RawFeesBody,
  reply: RawFees,
  errors: [...siteErrors, 'rate_missing'],
  grants: { table: ['BatchGetItem'] },
});
