import * as v from 'valibot';
import { actionTypes, ruleProviders } from '../alerts/automatic/actions.ts';
import { ruleModes } from '../alerts/automatic/rule.ts';
import { exponentOf, parseAmount } from '../core/money.ts';
import { Flag, Id, Nested, NoList, Text, WholeNumber } from '../core/schema.ts';

const Provider = v.picklist(ruleProviders, `must be one of ${ruleProviders.join(', ')}`);
const Providers = v.pipe(
  v.array(Provider, 'must be a list of providers'),
  v.minLength(1, 'must name at least one provider'),
  v.transform((list) => [...new Set(list)]),
  v.description('Only alerts of these are asked about; all that take an outcome if absent.'),
);

const Conditions = v.pipe(
  NoList(v.record(v.string(), v.unknown(), 'must be an object that begins with all, any or not')),
  v.description(
    'Conditions of json-rules-engine: `all`, `any` and `not` around comparisons `{fact, operator, value, params}`. ' +
      'Facts: provider, alert_type, amount, currency, descriptor, reason_code, card_bin, alert_age, ' +
      'transaction_age_days, is_duplicate, and volume_count and volume_sum with ' +
      '`params: {of: "site" | "descriptor" | "card", window: "1h" … "30d"}`.',
  ),
);

const Action = Nested(
  {
    type: v.picklist(actionTypes, `must be one of ${actionTypes.join(', ')}`),
    reason_code: v.optional(v.string('must be text such as 902.002')),
    comments: v.optional(Text(2000)),
  },
  'must be an object with type',
);

const Mode = v.pipe(
  v.picklist(ruleModes, `must be one of ${ruleModes.join(', ')}`),
  v.description('A shadow rule records what it would have decided and does nothing.'),
);

const owner = { sid: v.optional(Id), mid: v.optional(Id) };

export const RuleParams = v.object({ id: Id });

export const CreateRule = v.object({
  ...owner,
  name: Text(200),
  mode: v.optional(Mode, 'live'),
  enabled: v.optional(Flag, true),
  providers: v.optional(Providers, [...ruleProviders]),
  conditions: Conditions,
  action: Action,
});

export const UpdateRule = v.object({
  version: v.pipe(v.optional(Id), v.description('The version this change is made from; another one now: 409.')),
  name: v.optional(Text(200)),
  mode: v.optional(Mode),
  enabled: v.optional(Flag),
  providers: v.optional(Providers),
  conditions: v.optional(Conditions),
  action: v.optional(Action),
});

export const OwnerBody = v.object(owner);

const repeated = (ids: readonly number[]): number | undefined => ids.find((id, index) => ids.indexOf(id) < index);

export const OrderRules = v.object({
  ...owner,
  rule_ids: v.pipe(
    v.array(Id, 'must be a list of rule ids'),
    v.maxLength(50, 'must have at most 50 entries'),
    v.check(
      (ids) => repeated(ids) === undefined,
      ({ input }) => `names ${repeated(input)} more than once`,
    ),
  ),
});

const shown = {
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
  }),
  created_at: v.string(),
  updated_at: v.string(),
  updated_by: v.string(),
};
export const RuleShown = v.object(shown);
export const RuleList = v.object({ list: v.array(RuleShown), totalResult: v.number() });
export const RuleDetails = v.object({
  ...shown,
  versions: v.pipe(v.array(RuleShown), v.description('Newest first; the last hundred.')),
});

const Cost = v.pipe(
  Nested(
    {
      amount: v.pipe(v.union([v.string(), v.number()], 'must be a decimal'), v.transform(String)),
      currency: v.pipe(
        v.string('must be a currency code of ISO 4217'),
        v.check((code) => exponentOf(code) !== undefined, 'must be a currency code of ISO 4217, such as USD'),
      ),
    },
    'must be an object with amount and currency',
  ),
  v.check(
    ({ amount, currency }) => typeof parseAmount(amount, currency) !== 'string',
    'amount must be a decimal of its currency, such as 15.00',
  ),
  v.description('What one chargeback is assumed to cost beside its amount.'),
);

const dryRunFields = {
  ...owner,
  rule_id: v.pipe(v.optional(Id), v.description('Only this rule of the owner, enabled or not; absent: all in order.')),
  rule: v.pipe(
    v.optional(
      Nested({
        providers: v.optional(Providers, [...ruleProviders]),
        conditions: Conditions,
        action: Action,
      }),
    ),
    v.description('A rule that need not exist, alone.'),
  ),
  days: v.optional(WholeNumber(1, 30), 30),
  chargeback_cost: v.optional(Cost, { amount: '15.00', currency: 'USD' }),
  size: v.optional(WholeNumber(1, 100), 100),
  /** It grows with the sites that had a refund on the day where the page ends. */
  cursor: v.optional(v.pipe(v.string('must be text'), v.maxLength(100_000, 'is not a cursor of ours'))),
};
export const DryRun = v.pipe(
  v.object(dryRunFields),
  v.forward(
    v.check(
      ({ rule_id, rule }) => rule_id === undefined || rule === undefined,
      'give either rule_id or rule, not both',
    ),
    ['rule_id'],
  ),
);

const Total = v.object({
  currency: v.string(),
  refunded: v.pipe(v.string(), v.description('What the refunds would have cost.')),
  saved: v.pipe(v.string(), v.description('Amounts not charged back, and chargebacks not paid for.')),
});

export const DryRunResult = v.object({
  list: v.array(
    v.object({
      alert_id: v.number(),
      sid: v.nullable(v.number()),
      alert_date: v.string(),
      alert_type: v.string(),
      amount: v.string(),
      currency: v.string(),
      rule_id: v.pipe(v.nullable(v.number()), v.description('Null: the rule that was sent along.')),
      version: v.nullable(v.number()),
      action: v.picklist(actionTypes),
      would: v.picklist(['refund', 'decline', 'resolve', 'notify', 'review', 'leave_to_merchant']),
      reason: v.pipe(v.nullable(v.string()), v.description('Why it would have been left to the merchant.')),
    }),
  ),
  evaluated: v.pipe(v.number(), v.description('How many alerts this page looked at.')),
  matched: v.number(),
  totals: v.pipe(v.array(Total), v.description('Of this page, per currency.')),
  from: v.string(),
  to: v.string(),
  next_cursor: v.nullable(v.string()),
});
