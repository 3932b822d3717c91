import * as v from 'valibot';
import {
  CommentsReply,
  CreatedAtReply,
  EnabledField,
  IdentifierField,
  MerchantIdField,
  MerchantIdReply,
  NameReply,
  ReasonCodeReply,
  RuleIdReply,
  SiteIdField,
  TotalResultReply,
  UpdatedAtReply,
  VersionReply,
} from '#core/kernel/schema/field-schemas.ts';
import { Flag, Nested, NoList } from '#core/kernel/schema/schema.ts';
import { AtMost, CardFree, CardFreeValue, LongText } from '#core/kernel/schema/text.ts';
import { actionTypes, alreadyChoices } from '#disputes/alerts/automatic/actions.ts';
import { maxRulesPerOwner, ruleModes } from '#disputes/alerts/automatic/rule.ts';
import { ruleProviders } from '#disputes/providers/providers.ts';
import { RuleNameField } from './field-schemas.ts';

const Provider = v.picklist(ruleProviders, `must be one of ${ruleProviders.join(', ')}`);
export const Providers = v.pipe(
  v.array(Provider, 'must be a list of providers'),
  v.minLength(1, 'must name at least one provider'),
  v.transform((list) => [...new Set(list)]),
  v.description(
    'Only alerts of these providers are decided; if absent, those of all providers that accept an outcome.',
  ),
);

export const RuleConditionsSchema = v.pipe(
  NoList(v.record(v.string(), v.unknown(), 'must be an object that begins with all, any or not')),
  CardFreeValue(),
  AtMost(50_000),
  v.description(
    'Conditions of json-rules-engine: `all`, `any` and `not` around comparisons `{fact, operator, value, params}`. ' +
      'Facts: provider, alert_type, amount, currency, descriptor, reason_code, card_bin, alert_age, ' +
      'transaction_age_days, is_duplicate; of the dispute: dispute_amount, dispute_currency, earlier_disputes (alerts of the card in the ' +
      '30 days before), margin_over_price (the disputed amount less the alert’s price), programme_status (ok, near or over); of the ' +
      'payment taken here: liability_shift; of your order: order_value (in the alert’s currency), delivery_status, subscription; ' +
      'and volume_count and volume_sum with `params: {of: "site" | "descriptor" | "card", window: "1h" … "30d"}`. What is not ' +
      'known equals nothing. Texts are compared without regard to case, a card_bin by six digits; a value that a fact cannot have is refused.',
  ),
);

export const Action = v.pipe(
  Nested(
    {
      type: v.pipe(
        v.picklist(actionTypes, `must be one of ${actionTypes.join(', ')}`),
        v.description('What is done when it matches.'),
      ),
      reason_code: v.pipe(
        v.optional(
          v.pipe(v.string('must be text such as 902.002'), v.maxLength(20, 'must be text such as 902.002'), CardFree),
        ),
        v.description('Reason and result, such as 100.001; see “Answer an alert” among the guides.'),
      ),
      comments: v.pipe(
        v.optional(LongText(2000)),
        v.description('Words that go to the provider with the answer, 1,024 characters at most.'),
      ),
      already: v.pipe(
        v.optional(v.picklist(alreadyChoices, `must be one of ${alreadyChoices.join(', ')}`)),
        v.description(
          'Of refund: what is done about a transaction that is refunded or charged back already. `answer`, the default, tells the ' +
            'network so (951.001, 952.002); `leave` leaves it to you.',
        ),
      ),
      cancel_subscription: v.pipe(
        v.optional(Flag),
        v.description('Of refund: also ends the subscription that the charge of a FRAUD or CANCEL alert came from.'),
      ),
      block: v.pipe(
        v.optional(Flag),
        v.description(
          'Of refund: also puts the card and the e-mail address of a FRAUD or CANCEL alert, as far as they are known, onto the ' +
            'block lists of all your payment sites.',
        ),
      ),
    },
    'must be an object with type',
  ),
  v.description('refund, decline, resolve, notify or review.'),
);

export const Mode = v.pipe(
  v.picklist(ruleModes, `must be one of ${ruleModes.join(', ')}`),
  v.description('A shadow rule records what it would have decided and does nothing.'),
);

export const owner = { sid: v.optional(SiteIdField), mid: v.optional(MerchantIdField) };

export const RuleParams = v.object({ id: IdentifierField });
export const shown = {
  rule_id: RuleIdReply,
  version: VersionReply,
  mid: MerchantIdReply,
  sid: v.pipe(v.nullable(v.number()), v.description('Null: the rule is for all sites of the merchant.')),
  name: NameReply,
  mode: v.pipe(
    v.picklist(ruleModes),
    v.description('`live` decides; `shadow` only records what it would have decided.'),
  ),
  enabled: v.pipe(v.boolean(), v.description('Whether it is used.')),
  providers: v.pipe(v.array(v.picklist(ruleProviders)), v.description('Alert providers.')),
  conditions: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description('Conditions in the form of json-rules-engine: `all`, `any`, `not`, and `{fact, operator, value}`.'),
  ),
  action: v.pipe(
    v.object({
      type: v.pipe(v.picklist(actionTypes), v.description('What is done when it matches.')),
      reason_code: v.optional(ReasonCodeReply),
      comments: v.optional(CommentsReply),
      already: v.pipe(
        v.optional(v.picklist(alreadyChoices)),
        v.description('What is done with a payment that is refunded or charged back already: `answer` or `leave`.'),
      ),
      cancel_subscription: v.pipe(
        v.optional(v.literal(true)),
        v.description('Whether the subscription that the charge came from is ended, too.'),
      ),
      block: v.pipe(
        v.optional(v.literal(true)),
        v.description(
          'Whether the card and the e-mail address are added to the block lists of the payment sites, too.',
        ),
      ),
    }),
    v.description('refund, decline, resolve, notify or review.'),
  ),
  created_at: CreatedAtReply,
  updated_at: UpdatedAtReply,
  updated_by: v.pipe(v.string(), v.description('Who changed it last.')),
};
export const RuleDto = v.object(shown);
export const RuleList = v.object({
  list: v.pipe(v.array(RuleDto), v.description('One page, the newest first unless `order` says otherwise.')),
  totalResult: TotalResultReply,
});

const DraftRule = Nested({
  name: v.optional(RuleNameField, 'A draft'),
  mode: v.optional(Mode, 'live'),
  enabled: v.optional(EnabledField, true),
  providers: v.optional(Providers, [...ruleProviders]),
  conditions: RuleConditionsSchema,
  action: Action,
});

/** Rules that are not stored, to be tried. */
export const DraftRules = v.pipe(
  v.array(DraftRule, 'must be a list of rules'),
  v.maxLength(maxRulesPerOwner, `must have at most ${maxRulesPerOwner} rules`),
);
