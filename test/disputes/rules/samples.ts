import type { RefundPort } from '#disputes/alerts/automatic/refund-port.ts';
import type { Rule } from '#disputes/alerts/automatic/rule.ts';
import type { Comparison, Condition, ConditionGroup } from '#disputes/rules/conditions.ts';
import type { Facts } from '#disputes/rules/decide/alert-facts.ts';

/** A merchant who takes no payments here: nothing can be found or refunded, so the alert goes to them. */
export const noProcessor: RefundPort = {
  findTransactions: async () => ({ found: 'no_processor' }),
  refund: async () => ({ refunded: false, reason: 'no_processor' }),
};

export const always: ConditionGroup = { all: [{ fact: 'amount', operator: 'greaterThanInclusive', value: 0 }] };

export const amountBelow = (value: number): ConditionGroup => ({
  all: [{ fact: 'amount', operator: 'lessThan', value, params: { currency: 'USD' } }],
});

export const aRule = (change: Partial<Rule> = {}): Rule => ({
  id: 7,
  version: 2,
  mid: 1,
  sid: 12,
  name: 'A rule',
  mode: 'live',
  enabled: true,
  providers: ['provider_a', 'provider_b', 'service_dummy'],
  conditions: always,
  action: { type: 'notify' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  by: 'anna',
  ...change,
});

export const makeFacts = (change: Facts = {}): Facts => ({
  provider: 'provider_a',
  alert_type: 'DISPUTE',
  amount: 20,
  currency: 'USD',
  descriptor: 'SHOP*ONLINE 123',
  reason_code: '4837',
  card_bin: '411111',
  alert_age: 12,
  transaction_age_days: 2,
  is_duplicate: false,
  ...change,
});

/** Evaluates a condition as plainly as possible: the engine is compared with it. */
export const means = (condition: Condition, facts: Facts): boolean => {
  if ('all' in condition) return condition.all.every((one) => means(one, facts));
  if ('any' in condition) return condition.any.some((one) => means(one, facts));
  return 'not' in condition ? !means(condition.not, facts) : compares(condition, facts);
};

const folded = <T>(value: T) => (typeof value === 'string' ? value.toUpperCase() : value);

const compares = ({ fact, operator, value: sent }: Comparison, facts: Facts): boolean => {
  const known = folded(facts[fact] ?? null);
  const list = [sent].flat().map(folded);
  const [value] = list;
  const isNumber = typeof known === 'number' && typeof value === 'number';
  switch (operator) {
    case 'equal':
      return known === value;
    case 'notEqual':
      return known !== value;
    case 'in':
      return list.some((one) => one === known);
    case 'notIn':
      return !list.some((one) => one === known);
    case 'startsWith':
      return typeof known === 'string' && known.startsWith(String(value));
    case 'lessThan':
      return isNumber && known < value;
    case 'lessThanInclusive':
      return isNumber && known <= value;
    case 'greaterThan':
      return isNumber && known > value;
    case 'greaterThanInclusive':
      return isNumber && known >= value;
    default:
      throw new Error(`No operator ${operator}`);
  }
};
