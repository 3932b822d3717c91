import * as v from 'valibot';
import { NameReply, StatusAcceptedField } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { pricedBySite, siteErrors } from '../../declarations.ts';
import { CurrencyNumber, option, siteFields } from '../../schemas.ts';

export const RawFeesBody = v.object({
  ...siteFields,
  currency: v.pipe(CurrencyNumber, v.description('ISO 4217, three letters.')),
});

export const RawFees = v.object({
  status: StatusAcceptedField,
  paymentmethods: v.pipe(
    v.array(
      v.object({
        ...option,
        fxrate: v.pipe(v.string(), v.description('What to send as `fxrate_posted`.')),
        fee: v.pipe(
          v.nullable(
            v.object({
              percentage: v.pipe(v.string(), v.description('Per cent of the amount.')),
              fixed: v.pipe(v.string(), v.description('A fixed part, in the site’s currency.')),
            }),
          ),
          v.description('The fee.'),
        ),
        operation: v.pipe(v.picklist(['singletx', 'convertnpay']), v.description('The call that takes these fields.')),
        fields: v.pipe(
          v.array(
            v.object({
              name: NameReply,
              required: v.pipe(v.boolean(), v.description('Whether the field must be sent.')),
            }),
          ),
          v.description('The fields to send.'),
        ),
      }),
    ),
    v.description('Payment methods with their fees.'),
  ),
});

export const rawFeesOperation = defineOperation({
  ...pricedBySite,
  name: 'raw-fees',
  summary: 'List payment methods, their fees and the fields of a transaction',
  description: 'With the exchange rate from the currency of the cart, and whether to call singletx or convertnpay.',
  path: '/soap/rawfeeapi.php',
  body: RawFeesBody,
  reply: RawFees,
  errors: [...siteErrors, 'rate_missing'],
  grants: { table: ['BatchGetItem'] },
});
