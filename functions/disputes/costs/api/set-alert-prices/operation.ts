import * as v from 'valibot';
import { MidPath } from '#accounts/merchants/schemas.ts';
import { FromTime, Ok, Text } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AmountText, CurrencyCode, orAbsent, withAmounts } from '#disputes/providers/fields.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { pricedProviders } from '../../price.ts';
import { PriceDto } from '../../schemas.ts';

export const NewAlertPrice = withAmounts(
  v.object({
    provider: v.picklist(pricedProviders, `must be one of ${pricedProviders.join(', ')}`),
    tier: orAbsent(Text(40)),
    alert_type: orAbsent(v.picklist(alertTypes, `must be one of ${alertTypes.join(', ')}`)),
    price: AmountText,
    currency: CurrencyCode,
    from: orAbsent(FromTime),
  }),
  ['price', 'currency'],
);

export const setAlertPrices = defineOperation({
  area: 'costs',
  name: 'set-alert-prices',
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
  reply: v.object({ ...Ok.entries, mid: v.number(), prices: v.array(PriceDto) }),
  errors: ['merchant_not_found', 'prices_full', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'] },
  audit: true,
});
