import * as v from 'valibot';
import { MidPath } from '#accounts/merchants/schemas.ts';
import { MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { FromTime, Ok } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import {
  orAbsent,
  ProviderAmountText,
  ProviderCurrencyCode,
  withAmounts,
} from '#disputes/providers/provider-fields.ts';
import { pricedProviders } from '../../price.ts';
import { PriceDto } from '../../schemas.ts';

export const NewAlertPrice = withAmounts(
  v.object({
    provider: describeField(
      v.picklist(pricedProviders, `must be one of ${pricedProviders.join(', ')}`),
      'The alert provider.',
    ),
    tier: describeField(orAbsent(Text(40)), 'The tier by which the provider bills; all if absent.'),
    alert_type: describeField(
      orAbsent(v.picklist(alertTypes, `must be one of ${alertTypes.join(', ')}`)),
      'The type of alert: FRAUD, DISPUTE and CANCEL need an answer; the others only inform, or are already decided.',
    ),
    price: describeField(ProviderAmountText, 'What one alert costs; a decimal.'),
    currency: describeField(ProviderCurrencyCode, 'ISO 4217, three letters.'),
    from: describeField(orAbsent(FromTime), 'From when the price applies (ISO 8601).'),
  }),
  ['price', 'currency'],
);

export const setAlertPricesOperation = defineOperation('costs/set-alert-prices', {
  summary: 'Set what a merchant pays for an alert',
  description:
    'For alerts of a provider, or of one tier or type of it, received from a day on: today at the earliest, and now if it is left out. ' +
    'A price for tier and type takes precedence over one for the tier, and that over one for the type. Prices are added and never changed: one that is ' +
    'set later for the same kind and day replaces the earlier one, and alerts that were received keep the price they had.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/alert-prices',
  auth: 'admin',
  params: MidPath,
  body: NewAlertPrice,
  reply: v.object({
    ...Ok.entries,
    mid: MerchantIdReply,
    prices: describeField(v.array(PriceDto), 'All prices, in the order in which they were set.'),
  }),
  errors: ['merchant_not_found', 'prices_full', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'] },
  audit: true,
  auditValues: {
    sent: {
      ...{ provider: 'value', tier: 'value', alert_type: 'value', price: 'value', currency: 'value', from: 'value' },
    },
  },
});
