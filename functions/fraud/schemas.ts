import * as v from 'valibot';
import { Id, Nested } from '../core/schema.ts';
import {
  CardType,
  CurrencyCode,
  cardFields,
  cartFields,
  Hash,
  HashTimestamp,
  JsonObject,
  Maybe,
  payerFields,
  shippingFields,
} from '../payments/request-schemas.ts';
import { decisions } from './decision.ts';
import { mostEntries } from './lists.ts';

export { TemplateDetails, TemplateParams, TemplateShown, UpdateTemplate } from './template-schemas.ts';

const Values = v.optional(
  v.pipe(
    v.array(v.pipe(v.string('must be text'), v.trim()), 'must be a list of texts'),
    v.maxLength(mostEntries, `must have at most ${mostEntries} entries`),
  ),
);
const List = v.optional(
  Nested(
    {
      cards: v.pipe(
        Values,
        v.description('Card numbers, of which a keyed digest and a mask are kept; or tokens from an earlier answer.'),
      ),
      emails: Values,
      ips: Values,
      countries: v.pipe(Values, v.description('Two letters; compared with the billing address.')),
      bins: v.pipe(Values, v.description('The first six digits of cards.')),
    },
    'must be an object of lists',
  ),
);
export const SitePath = v.object({ sid: Id });
export const SetLists = v.object({
  block: List,
  allow: List,
  watch: v.pipe(
    List,
    v.description('Decides nothing itself: rules of the fraud template ask for it by the fact `watched`.'),
  ),
});

const ShownList = v.object({
  cards: v.array(v.object({ token: v.string(), card: v.string() })),
  emails: v.array(v.string()),
  ips: v.array(v.string()),
  countries: v.array(v.string()),
  bins: v.array(v.string()),
});
export const ShownLists = v.object({
  sid: v.number(),
  block: ShownList,
  allow: ShownList,
  watch: ShownList,
  version: v.number(),
});

export const CheckPath = v.object({ id: v.pipe(Id, v.description('The `sid`.')) });
export const CheckBody = v.object({
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
});

const assessed = {
  fraud_id: v.number(),
  score: v.pipe(v.number(), v.description('0 to 100.')),
  decision: v.picklist(decisions),
  reasons: v.array(v.string()),
  template: v.pipe(v.nullable(v.number()), v.description('Null: the site has none, or its lists decided.')),
  version: v.nullable(v.number()),
};
export const Checked = v.object({ status: v.literal('OK'), ...assessed });

export const FraudParams = v.object({ fraud_id: Id });
export const FraudDetails = v.object({
  ...assessed,
  sid: v.number(),
  kind: v.pipe(v.picklist(['payment', 'check']), v.description('Part of a payment, or a check without one.')),
  txid: v.nullable(v.number()),
  amount: v.string(),
  currency: v.string(),
  card: v.pipe(v.nullable(v.string()), v.description('Masked.')),
  failed: v.pipe(v.boolean(), v.description('A scorer did not answer, and the site does not go on without it.')),
  facts: v.pipe(
    v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()])),
    v.description('What was known; what is absent was not.'),
  ),
  created_at: v.string(),
});
