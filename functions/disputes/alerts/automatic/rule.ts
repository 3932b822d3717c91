import type { RuleProvider } from '#disputes/providers/providers.ts';
import type { ConditionGroup } from '#payments/conditions/condition-reader.ts';
import type { RuleAction } from './actions.ts';

/** `live` decides; `shadow` only records what it would have decided, and leaves the alert to the rules after it. */
export const ruleModes = ['live', 'shadow'] as const;
export type RuleMode = (typeof ruleModes)[number];

/** The owner of rules: one site, or a merchant for all its sites. */
export type RuleOwner = { mid: number; sid: number | null };

export type Rule = RuleOwner & {
  id: number;
  /** From 1; goes up with every change. All versions are kept. */
  version: number;
  name: string;
  mode: RuleMode;
  enabled: boolean;
  /** The rule applies only to alerts of these providers. */
  providers: readonly RuleProvider[];
  conditions: ConditionGroup;
  action: RuleAction;
  createdAt: string;
  updatedAt: string;
  /** The author of this version. */
  by: string;
};

/** A rule as kept with its decision; its conditions are in the row of its version. */
export type MatchedRule = Omit<Rule, 'conditions'>;

export const matchedRule = ({ conditions: _, ...rule }: Rule): MatchedRule => rule;

/**
 * The same for a shadow rule, without texts that are never sent: a hundred of them may match one alert, and all are stored in its
 * row.
 */
export const matchedShadow = (rule: Rule): MatchedRule => {
  const { action, ...matched } = matchedRule(rule);
  return { ...matched, action: 'comments' in action ? { type: action.type, reason_code: action.reason_code } : action };
};

/** The fields of a rule that callers set. */
export type RuleFields = Pick<Rule, 'name' | 'mode' | 'enabled' | 'providers' | 'conditions' | 'action'>;

/** An owner's rules in the order of evaluation. `version` goes up with every change of any of them. */
export type RuleBook = { owner: RuleOwner; version: number; rules: readonly Rule[] };

/** The number of rules that an owner may have, disabled ones included: a book is one item of the table. */
export const maxRulesPerOwner = 50;

/** The rules to evaluate for an alert, in order: the site's before its merchant's, each in its owner's order. */
export const rulesInForce = (books: readonly RuleBook[], provider: string): Rule[] =>
  books
    .flatMap(({ rules }) => rules)
    .filter(({ enabled, providers }) => enabled && providers.some((one) => one === provider));

/** Checks whether a book has any enabled rule. */
export const isInUse = ({ rules }: RuleBook): boolean => rules.some(({ enabled }) => enabled);

/** The book with one more rule, at the end. Undefined if it is full. */
export const withNew = (book: RuleBook, rule: Rule): RuleBook | undefined =>
  book.rules.length >= maxRulesPerOwner
    ? undefined
    : { ...book, version: book.version + 1, rules: [...book.rules, rule] };

/** The book with a rule's next version in its place. */
export const withChanged = (book: RuleBook, rule: Rule): RuleBook => ({
  ...book,
  version: book.version + 1,
  rules: book.rules.map((one) => (one.id === rule.id ? rule : one)),
});

/** The book in another order; undefined unless the order names each of its rules once. */
export const inOrder = (book: RuleBook, ids: readonly number[]): RuleBook | undefined => {
  const rules = ids.flatMap((id) => book.rules.find((rule) => rule.id === id) ?? []);
  const isWhole = new Set(ids).size === ids.length && rules.length === book.rules.length && ids.length === rules.length;
  return isWhole ? { ...book, version: book.version + 1, rules } : undefined;
};
