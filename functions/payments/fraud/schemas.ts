import * as v from 'valibot';
import { FraudCheckIdReply, VersionReply } from '#core/kernel/schema/field-schemas.ts';
import { namingAmounts } from '#core/kernel/schema/naming.ts';
import {
  CardType,
  CurrencyCode,
  cardFields,
  cartAmounts,
  cartFields,
  HashTimestamp,
  JsonObject,
  Maybe,
  MaybeHash,
  payerFields,
  shippingFields,
} from '#payments/payments/request-schemas.ts';
import { decisions } from './check/fraud-decision.ts';

export { TemplateDetails, TemplateDto, TemplateParams, UpdateTemplate } from './template/template-schemas.ts';
export const CheckBody = namingAmounts(
  v.object({
    hash: MaybeHash,
    timestamp: HashTimestamp,
    card_type: v.pipe(
      Maybe(CardType),
      v.description('How it is paid: a `paymethod` of the payment options, such as VISA.'),
    ),
    ...cardFields,
    ...payerFields,
    ...shippingFields,
    ...cartFields,
    currency: v.pipe(CurrencyCode, v.description('ISO 4217, three letters.')),
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
  fraud_id: FraudCheckIdReply,
  score: v.pipe(v.number(), v.description('0 to 100.')),
  decision: v.pipe(v.picklist(decisions), v.description('ACCEPT, REVIEW, REJECT or 3DS.')),
  reasons: v.pipe(v.array(v.string()), v.description('What led to it: each rule that matched, with its points.')),
  template: v.pipe(v.nullable(v.number()), v.description('Null: the site has none, or its lists decided.')),
  version: v.nullable(VersionReply),
};
