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
import { describeField, flag, nullableCount, text } from '#core/kernel/schema/field-words.ts';
import { Flag, Nested, NoList } from '#core/kernel/schema/schema.ts';
import { AtMost, CardFree, CardFreeValue, LongText, Text } from '#core/kernel/schema/text.ts';
import { actionTypes, alreadyChoices } from '#disputes/alerts/automatic/actions.ts';
import { chargebackActionTypes, evidenceFloors } from '#disputes/alerts/automatic/chargeback-actions.ts';
import { maxRulesPerOwner, ruleModes, ruleSubjects } from '#disputes/alerts/automatic/rule.ts';
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
      'known equals nothing. Texts are compared without regard to case, a card_bin by six digits; a value that a fact cannot have is refused. ' +
      'Rules about warnings have the facts of alerts, those about chargebacks their own: see “Chargebacks”.',
  ),
);

const actionFields = {
  reason_code: describeField(
    v.optional(
      v.pipe(v.string('must be text such as 902.002'), v.maxLength(20, 'must be text such as 902.002'), CardFree),
    ),
    'Reason and result, such as 100.001; see “Answer an alert” among the guides.',
  ),
  comments: describeField(
    v.optional(LongText(2000)),
    'Words that go to the provider with the answer, 1,024 characters at most; of notify about a warning, to your people.',
  ),
  already: describeField(
    v.optional(v.picklist(alreadyChoices, `must be one of ${alreadyChoices.join(', ')}`)),
    'Of refund: what is done about a transaction that is refunded or charged back already. `answer`, the default, tells the ' +
      'network so (951.001, 952.002); `leave` leaves it to you.',
  ),
  cancel_subscription: describeField(
    v.optional(Flag),
    'Of refund, and of notify about a warning: also ends the subscription that the charge of a fraud or CANCEL alert came from.',
  ),
  block: describeField(
    v.optional(Flag),
    'Of refund, and of notify about a warning: also puts the card and the e-mail address of a fraud or CANCEL alert, as far as they are ' +
      'known, onto the block lists of all your payment sites.',
  ),
  hold_order: describeField(
    v.optional(Flag),
    'Of refund, notify and review: also holds the order in its shop, if it is not shipped yet. A warning that is left to review holds none.',
  ),
};

export const Action = describeField(
  Nested(
    {
      type: describeField(
        v.picklist(actionTypes, `must be one of ${actionTypes.join(', ')}`),
        'What is done when it matches.',
      ),
      ...actionFields,
    },
    'must be an object with type',
  ),
  'What the rule does with an alert that it matches.',
);

const anyActionTypes = [...new Set([...actionTypes, ...chargebackActionTypes])];

/** The action of a rule about alerts, or about chargebacks. */
export const AnyActionField = describeField(
  Nested(
    {
      ...actionFields,
      type: describeField(
        v.picklist(anyActionTypes, `must be one of ${anyActionTypes.join(', ')}`),
        'What is done when it matches. About alerts: refund, decline, resolve, notify or review. About warnings: notify, refund or review. About rdr: accept or review. About chargebacks: `submit` the evidence, ' +
          '`accept` the chargeback, `assign` it to a user, or `review`: leave it to people.',
      ),
      floor: describeField(
        v.optional(v.picklist(evidenceFloors, `must be one of ${evidenceFloors.join(', ')}`)),
        'Of submit: the least evidence. `decisive`, the default: proof that decides disputes of this reason; `any`: some proof; `none`.',
      ),
      fee_acknowledged: describeField(
        v.optional(Flag),
        'Of submit: you agree to the fee for contesting a compliance dispute at Stripe, 500 USD that are returned only if it is won.',
      ),
      assignee: describeField(v.optional(Text(100)), 'Of assign: the username, with or without the merchant’s suffix.'),
    },
    'must be an object with type',
  ),
  'What the rule does with what it matches.',
);

export const Mode = describeField(
  v.picklist(ruleModes, `must be one of ${ruleModes.join(', ')}`),
  'A shadow rule records what it would have decided and does nothing.',
);

export const owner = { sid: v.optional(SiteIdField), mid: v.optional(MerchantIdField) };
/** Of rules about any subject. */
export const ownerOfAny = {
  ...owner,
  about: describeField(
    v.optional(v.picklist(ruleSubjects, `must be one of ${ruleSubjects.join(', ')}`)),
    'What the rules decide: `alerts`, the default, `warnings` (early fraud warnings), or `chargebacks`, for which `sid` is a payment site; `rdr`: ' +
      'what Visa’s Rapid Dispute Resolution refunds, which your acquirer sets up by their text. ' +
      'Each has an order of its own.',
  ),
};

export const RuleParams = v.object({ id: IdentifierField });
export const shown = {
  rule_id: RuleIdReply,
  version: VersionReply,
  mid: MerchantIdReply,
  sid: nullableCount('Null: the rule is for all sites of the merchant.'),
  about: describeField(v.picklist(ruleSubjects), 'What it decides.'),
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
      type: describeField(v.picklist(anyActionTypes), 'What is done when it matches.'),
      floor: describeField(v.optional(v.picklist(evidenceFloors)), 'Of submit: the least evidence.'),
      fee_acknowledged: describeField(v.optional(v.literal(true)), 'Of submit: whether a fee is agreed to.'),
      assignee: describeField(v.optional(v.string()), 'Of assign: the user.'),
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
      hold_order: describeField(v.optional(v.literal(true)), 'Whether the order is held in its shop, too.'),
    }),
    'What the rule does with what it matches.',
  ),
  created_at: CreatedAtReply,
  updated_at: UpdatedAtReply,
  updated_by: text('Who changed it last.'),
};
export const RuleDto = v.object(shown);
export const RuleList = v.object({
  list: describeField(v.array(RuleDto), 'The rules.'),
  totalResult: TotalResultReply,
  text: describeField(v.optional(v.string()), 'Of rules about `rdr`: all enabled ones as text, for your acquirer.'),
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
