import * as v from 'valibot';
import { Flag, Id, Nested, NoList, Text } from '#core/kernel/schema/schema.ts';
import { actionTypes, alreadyChoices } from '#disputes/alerts/automatic/actions.ts';
import { ruleModes } from '#disputes/alerts/automatic/rule.ts';
import { ruleProviders } from '#disputes/providers/providers.ts';

const Provider = v.picklist(ruleProviders, `must be one of ${ruleProviders.join(', ')}`);
export const Providers = v.pipe(
  v.array(Provider, 'must be a list of providers'),
  v.minLength(1, 'must name at least one provider'),
  v.transform((list) => [...new Set(list)]),
  v.description(
    'Only alerts of these providers are decided; if absent, those of all providers that accept an outcome.',
  ),
);

export const Conditions = v.pipe(
  NoList(v.record(v.string(), v.unknown(), 'must be an object that begins with all, any or not')),
  v.description(
    'Conditions of json-rules-engine: `all`, `any` and `not` around comparisons `{fact, operator, value, params}`. ' +
      'Facts: provider, alert_type, amount, currency, descriptor, reason_code, card_bin, alert_age, ' +
      'transaction_age_days, is_duplicate, and volume_count and volume_sum with ' +
      '`params: {of: "site" | "descriptor" | "card", window: "1h" … "30d"}`.',
  ),
);

export const Action = Nested(
  {
    type: v.picklist(actionTypes, `must be one of ${actionTypes.join(', ')}`),
    reason_code: v.optional(v.string('must be text such as 902.002')),
    comments: v.optional(Text(2000)),
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
);

export const Mode = v.pipe(
  v.picklist(ruleModes, `must be one of ${ruleModes.join(', ')}`),
  v.description('A shadow rule records what it would have decided and does nothing.'),
);

export const owner = { sid: v.optional(Id), mid: v.optional(Id) };

export const RuleParams = v.object({ id: Id });
export const shown = {
  rule_id: v.number(),
  version: v.number(),
  mid: v.number(),
  sid: v.pipe(v.nullable(v.number()), v.description('Null: the rule is for all sites of the merchant.')),
  name: v.string(),
  mode: v.picklist(ruleModes),
  enabled: v.boolean(),
  providers: v.array(v.picklist(ruleProviders)),
  conditions: v.record(v.string(), v.unknown()),
  action: v.object({
    type: v.picklist(actionTypes),
    reason_code: v.optional(v.string()),
    comments: v.optional(v.string()),
    already: v.optional(v.picklist(alreadyChoices)),
    cancel_subscription: v.optional(v.literal(true)),
    block: v.optional(v.literal(true)),
  }),
  created_at: v.string(),
  updated_at: v.string(),
  updated_by: v.string(),
};
export const RuleDto = v.object(shown);
export const RuleList = v.object({ list: v.array(RuleDto), totalResult: v.number() });
