import * as v from 'valibot';
import { FraudCheckIdReply, VersionReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableCount } from '#core/kernel/schema/field-words.ts';
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
    card_type: describeField(Maybe(CardType), 'How it is paid: a `paymethod` of the payment options, such as VISA.'),
    ...cardFields,
    ...payerFields,
    ...shippingFields,
    ...cartFields,
    currency: describeField(CurrencyCode, 'ISO 4217, three letters.'),
    device_info: describeField(
      Maybe(JsonObject),
      "JSON with what is known of the customer's device: `ip`, `device_id`, `user_agent`, `accept_language`; and " +
        "`bin_country`, the country of the card's issuer, where the merchant knows it and the service does not.",
    ),
  }),
  ...cartAmounts('currency'),
);

export const assessed = {
  fraud_id: FraudCheckIdReply,
  score: count('0 to 100.'),
  decision: describeField(v.picklist(decisions), 'ACCEPT, REVIEW, REJECT or 3DS.'),
  reasons: describeField(v.array(v.string()), 'What led to it: each rule that matched, with its points.'),
  template: nullableCount('Null: the site has none, or its lists decided.'),
  version: v.nullable(VersionReply),
};
