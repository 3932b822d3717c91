import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { namingAmounts } from '#core/kernel/schema/naming.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AmountText, CardType } from '#payments/payments/request-schemas.ts';
import { FeesDto, PricedSidPath, PricingCurrency } from '../../schemas.ts';

const percentageWords = 'must be a percentage from 0 to 100 with at most 4 decimals';

const Percentage = v.pipe(
  v.union([v.string(), v.number()], percentageWords),
  v.transform(String),
  v.regex(/^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/, percentageWords),
);

export const NewFees = v.object({
  fees: v.pipe(
    v.array(
      namingAmounts(
        v.object(
          {
            paymethod: describeField(CardType, 'To be sent as `card_type`.'),
            percentage: describeField(v.optional(Percentage, '0'), 'Per cent of the amount.'),
            fixed: describeField(v.optional(AmountText, '0'), 'A fixed part, in the site’s currency.'),
            currency: describeField(
              v.optional(v.nullable(PricingCurrency), null),
              'Payments in which it is for; null: in any that has no fee of its own, without a fixed part.',
            ),
          },
          'must be an object with paymethod, percentage, fixed and currency',
        ),
        ['fixed', 'currency'],
      ),
      'must be a list',
    ),
    v.maxLength(200, 'must have at most 200 entries'),
    v.description('Fees by payment method.'),
  ),
});

export const setFeesOperation = defineOperation('pricing/set-fees', {
  method: 'POST',
  summary: 'Set the processing fees of a payment site',
  description:
    'A percentage and a fixed amount per payment method and currency, in place of all that were set before. They are added ' +
    'where a call asks for it.',
  path: '/api/v3/site/{sid}/fees',
  auth: 'admin',
  params: PricedSidPath,
  body: NewFees,
  reply: FeesDto,
  errors: ['site_not_found', 'site_not_for_payments'],
  grants: { table: ['BatchGetItem', 'PutItem'] },
  audit: true,
  auditValues: { changed: { 'fees.*.percentage': 'value', 'fees.*.fixed': 'value' } },
});
