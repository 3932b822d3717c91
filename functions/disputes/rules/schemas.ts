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
import { describeField, flag, text } from '#core/kernel/schema/field-words.ts';
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

export const Action = describeField(
  Nested(
    {
      type: describeField(
        v.picklist(actionTypes, `must be one of ${actionTypes.join(', ')}`),
        'What is done when it matches.',
      ),
      reason_code: describeField(
        v.optional(
          v.pipe(v.string('must be text such as 902.002'), v.maxLength(20, 'must be text such as 902.002'), CardFree),
        ),
        'Reason and result, such as 100.001; see “Answer an alert” among the guides.',
      ),
      comments: describeField(
        v.optional(LongText(2000)),
        'Words that go to the provider with the answer, 1,024 characters at most.',
      ),
      already: describeField(
        v.optional(v.picklist(alreadyChoices, `must be one of ${alreadyChoices.join(', ')}`)),
        'Of refund: what is done about a transaction that is refunded or charged back already. `answer`, the default, tells the ' +
          'network so (951.001, 952.002); `leave` leaves it to you.',
      ),
      cancel_subscription: describeField(
        v.optional(Flag),
        'Of refund: also ends the subscription that the charge of a FRAUD or CANCEL alert came from.',
      ),
      block: describeField(
        v.optional(Flag),
        'Of refund: also puts the card and the e-mail address of a FRAUD or CANCEL alert, as far as they are known, onto the ' +
          'block lists of all your payment sites.',
      ),
    },
    'must be an object with type',
  ),
  'What the rule does with an alert that it matches.',
);

export const Mode = describeField(
  v.picklist(ruleModes, `must be one of ${ruleModes.join(', ')}`),
  'A shadow rule records what it would have decided and does nothing.',
);

export const owner = { sid: v.optional(SiteIdField), mid: v.optional(MerchantIdField) };

export const RuleParams = v.object({ id: IdentifierField });
export const shown = {
  rule_id: RuleIdReply,
  version: VersionReply,
  mid: MerchantIdReply,
  sid: describeField(v.nullable(v.number()), 'Null: the rule is for all sites of the merchant.'),
  name: NameReply,
  mode: describeField(v.picklist(ruleModes), '`live` decides; `shadow` only records what it would have decided.'),
  enabled: flag('Whether it is used.'),
  providers: describeField(v.array(v.picklist(ruleProviders)), 'Alert providers.'),
  conditions: describeField(
    v.record(v.string(), v.unknown()),
    'Conditions in the form of json-rules-engine: `all`, `any`, `not`, and `{fact, operator, value}`.',
  ),
  action: describeField(
    v.object({
      type: describeField(v.picklist(actionTypes), 'What is done when it matches.'),
      reason_code: v.optional(ReasonCodeReply),
      comments: v.optional(CommentsReply),
      already: describeField(
        v.optional(v.picklist(alreadyChoices)),
        'What is done with a payment that is refunded or charged back already: `answer` or `leave`.',
      ),
      cancel_subscription: describeField(
        v.optional(v.literal(true)),
        'Whether the subscription that the charge came from is ended, too.',
      ),
      block: describeField(
        v.optional(v.literal(true)),
        'Whether the card and the e-mail address are added to the block lists of the payment sites, too.',
      ),
    }),
    'What the rule does with an alert that it matches.',
  ),
  created_at: CreatedAtReply,
  updated_at: UpdatedAtReply,
  updated_by: text('Who changed it last.'),
};
export const RuleDto = v.object(shown);
export const RuleList = v.object({
  list: describeField(v.array(RuleDto), 'The rules.'),
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
