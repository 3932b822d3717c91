import { describeField } from '#core/kernel/schema/field-words.ts';
import { Nested } from '#core/kernel/schema/schema.ts';
import { LenientAmount } from '#disputes/providers/lenient.ts';
import { ProviderCurrencyCode, withAmounts } from '#disputes/providers/provider-fields.ts';

/** An amount with its currency. */
export const Cost = withAmounts(
  Nested(
    {
      amount: describeField(LenientAmount, 'The amount.'),
      currency: describeField(ProviderCurrencyCode, 'ISO 4217, three letters.'),
    },
    'must be an object with amount and currency',
  ),
  ['amount', 'currency'],
);

export const ChargebackCost = describeField(Cost, 'What one chargeback is assumed to cost beside its amount.');
