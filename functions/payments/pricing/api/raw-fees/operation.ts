import * as v from 'valibot';
import { NameReply, StatusAcceptedField } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { pricedBySite, siteErrors } from '../../declarations.ts';
import { CurrencyNumber, option, siteFields } from '../../schemas.ts';

export const RawFeesBody = v.object({
  ...siteFields,
  currency: describeField(CurrencyNumber, 'ISO 4217, three letters.'),
});

export const RawFees = v.object({
  status: StatusAcceptedField,
  paymentmethods: describeField(
    v.array(
      v.object({
        ...option,
        fxrate: text('What to send as `fxrate_posted`.'),
        fee: describeField(
          v.nullable(
            v.object({
              percentage: text('Per cent of the amount.'),
              fixed: text('A fixed part, in the site’s currency.'),
            }),
          ),
          'The fee.',
        ),
        operation: describeField(v.picklist(['singletx', 'convertnpay']), 'The call that takes these fields.'),
        fields: describeField(
          v.array(
            v.object({
              name: NameReply,
              required: flag('Whether the field must be sent.'),
            }),
          ),
          'The fields to send.',
        ),
      }),
    ),
    'Payment methods with their fees.',
  ),
});

export const rawFeesOperation = defineOperation('pricing/raw-fees', {
  ...pricedBySite,
  summary: 'List payment methods, their fees and the fields of a transaction',
  description: 'With the exchange rate from the currency of the cart, and whether to call singletx or convertnpay.',
  path: '/soap/rawfeeapi.php',
  body: RawFeesBody,
  reply: RawFees,
  errors: [...siteErrors, 'rate_missing'],
  grants: { table: ['BatchGetItem'] },
});
