import * as v from 'valibot';
import { namingAmounts } from '#core/kernel/schema/naming.ts';
import {
  CardType,
  CurrencyCode,
  cardFields,
  cartAmounts,
  cartFields,
  Hash,
  HashTimestamp,
  JsonObject,
  Maybe,
  payerFields,
  shippingFields,
} from '#payments/payments/request-schemas.ts';
import { decisions } from './check/decision.ts';

export { TemplateDetails, TemplateDto, TemplateParams, UpdateTemplate } from './template/template-schemas.ts';
export const CheckBody = namingAmounts(
  v.object({
    hash: Hash,
    timestamp: HashTimestamp,
    card_type: Maybe(CardType),
    ...cardFields,
    ...payerFields,
    ...shippingFields,
    ...cartFields,
    currency: CurrencyCode,
    device_info: v.pipe(
      Maybe(JsonObject),
      v.description(
        "JSON with what is known of the customer's device: `ip`, `device_id`, `user_agent`, `accept_language`; and " +
          "`bin_country`, the country of the card's issuer, where the merchant knows it and the service does not.",
      ),
    ),
  }),
  ...cartAmounts('currency'),
);

export const assessed = {
  fraud_id: v.number(),
  score: v.pipe(v.number(), v.description('0 to 100.')),
  decision: v.picklist(decisions),
  reasons: v.array(v.string()),
  template: v.pipe(v.nullable(v.number()), v.description('Null: the site has none, or its lists decided.')),
  version: v.nullable(v.number()),
};
