import * as v from 'valibot';
import { Nested } from '#core/kernel/schema/schema.ts';
import { LenientAmount } from '#disputes/providers/lenient.ts';
import { ProviderCurrencyCode, withAmounts } from '#disputes/providers/provider-fields.ts';

/** An amount with its currency. */
export const Cost = withAmounts(
  Nested(
    {
      amount: v.pipe(LenientAmount, v.description('The amount.')),
      currency: v.pipe(ProviderCurrencyCode, v.description('ISO 4217, three letters.')),
    },
    'must be an object with amount and currency',
  ),
  ['amount', 'currency'],
);

export const ChargebackCost = v.pipe(Cost, v.description('What one chargeback is assumed to cost beside its amount.'));
