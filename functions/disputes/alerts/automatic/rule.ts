import type { RuleProvider } from '#disputes/providers/providers.ts';
import type { ConditionGroup } from '#payments/conditions/condition-reader.ts';
import type { RuleAction } from './actions.ts';
import type { ChargebackAction } from './chargeback-actions.ts';

/** `live` decides; `shadow` only records what it would have decided, and leaves the alert to the rules after it. */
export const ruleModes = ['live', 'shadow'] as const;
export type RuleMode = (typeof ruleModes)[number];

/**
 * The subject of rules; each has books of its own, with its own facts and actions. `warnings`: early fraud warnings (FRAUD_NOTICE). `rdr`: what Visa's
 * Rapid Dispute Resolution refunds, by rules that are tried and written here, and entered by the acquirer.
 */
export const ruleSubjects = ['alerts', 'chargebacks', 'warnings', 'rdr'] as const;
export type RuleSubject = (typeof ruleSubjects)[number];

/** The owner of rules: one site, or a merchant for all its sites. `about`: absent for alerts, also in rows of earlier releases. */
export type RuleOwner = { mid: number; sid: number | null; about?: Exclude<RuleSubject, 'alerts'> };

export type Rule<Action = RuleAction> = RuleOwner & {
  id: number;
  /** From 1; goes up with every change. All versions are kept. */
  version: number;
  name: string;
  mode: RuleMode;
  enabled: boolean;
  /** The rule applies only to alerts of these providers; empty in a rule about anything else. */
  providers: readonly RuleProvider[];
  conditions: ConditionGroup;
  action: Action;
  createdAt: string;
  updatedAt: string;
  /** The author of this version. */
  by: string;
};

/** A rule as kept with its decision; its conditions are in the row of its version. */
export type MatchedRule<Action = RuleAction> = Omit<Rule<Action>, 'conditions'>;

export const matchedRule = <Action>({ conditions: _, ...rule }: Rule<Action>): MatchedRule<Action> => rule;

/**
 * The same for a shadow rule, without texts that are never sent: a hundred of them may match one alert, and all are stored in its
 * row.
 */
export const matchedShadow = <Action extends AnyAction>(rule: Rule<Action>): MatchedRule<Action> => {
  const action: Action & { comments?: string } = { ...rule.action };
  Reflect.deleteProperty(action, 'comments');
  return { ...matchedRule(rule), action };
};

/** The fields of a rule that callers set. */
export type RuleFields<Action = RuleAction> = Pick<
  Rule<Action>,
  'name' | 'mode' | 'enabled' | 'providers' | 'conditions' | 'action'
>;

/** A rule about anything, as it is stored and shown. */
export type AnyAction = RuleAction | ChargebackAction;
export type AnyRule = Rule<AnyAction>;

/** An owner's rules in the order of evaluation. `version` goes up with every change of any of them. */
export type RuleBook<Action = RuleAction> = { owner: RuleOwner; version: number; rules: readonly Rule<Action>[] };

/** The number of rules that an owner may have, disabled ones included: a book is one item of the table. */
export const maxRulesPerOwner = 50;

/** The rules to evaluate for an alert, in order: the site's before its merchant's, each in its owner's order. */
export const rulesInForce = (books: readonly RuleBook[], provider: string): Rule[] =>
  books
    .flatMap(({ rules }) => rules)
    .filter(
      ({ enabled, about, providers }) => enabled && (about !== undefined || providers.some((one) => one === provider)),
    );

/** Checks whether a book has any enabled rule. */
export const isInUse = ({ rules }: RuleBook<AnyAction>): boolean => rules.some(({ enabled }) => enabled);

/** The book with one more rule, at the end. Undefined if it is full. */
export const withNew = <Action>(book: RuleBook<Action>, rule: Rule<Action>): RuleBook<Action> | undefined =>
  book.rules.length >= maxRulesPerOwner
    ? undefined
    : { ...book, version: book.version + 1, rules: [...book.rules, rule] };

/** The book with a rule's next version in its place. */
export const withChanged = <Action>(book: RuleBook<Action>, rule: Rule<Action>): RuleBook<Action> => ({
  ...book,
  version: book.version + 1,
  rules: book.rules.map((one) => (one.id === rule.id ? rule : one)),
});

/** The book in another order; undefined unless the order names each of its rules once. */
export const inOrder = <Action>(book: RuleBook<Action>, ids: readonly number[]): RuleBook<Action> | undefined => {
  const rules = ids.flatMap((id) => book.rules.find((rule) => rule.id === id) ?? []);
  const isWhole = new Set(ids).size === ids.length && rules.length === book.rules.length && ids.length === rules.length;
  return isWhole ? { ...book, version: book.version + 1, rules } : undefined;
};
