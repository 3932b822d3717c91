import type { AnyRule } from '#disputes/alerts/automatic/rule.ts';
import type { Condition, ConditionGroup } from '../conditions.ts';

/** Rules for Visa's Rapid Dispute Resolution as text: an acquirer, or its reseller, enters them there. Pure. */

const operators: Readonly<Record<string, string>> = {
  equal: '=',
  notEqual: '<>',
  in: 'is one of',
  notIn: 'is none of',
  startsWith: 'begins with',
  lessThan: '<',
  lessThanInclusive: '<=',
  greaterThan: '>',
  greaterThanInclusive: '>=',
};

const names: Readonly<Record<string, string>> = {
  amount: 'Transaction amount',
  currency: 'Currency code',
  reason_code: 'Dispute condition code',
  category: 'Dispute category',
  claim: 'Kind of claim',
};

/** A condition in words; `all` and `any` within another are in brackets. */
const spellOut = (condition: Condition, isInner = true): string => {
  if ('not' in condition) return `NOT ${spellOut(condition.not as Condition)}`;
  if ('fact' in condition) {
    const { fact, operator, value, params } = condition;
    const shown = [value].flat().join(', ');
    const currency = params?.currency === undefined ? '' : ` ${params.currency}`;
    return `${names[fact] ?? fact} ${operators[operator] ?? operator} ${shown}${currency}`;
  }
  const [word, list] = 'all' in condition ? ['AND', condition.all] : ['OR', condition.any];
  const joined = list.map((one: Condition) => spellOut(one)).join(` ${word} `);
  return isInner && list.length > 1 ? `(${joined})` : joined;
};

/** The enabled rules in their order, without those in shadow mode, with what happens to a dispute that none applies to. */
export const rdrText = (rules: readonly AnyRule[]): string =>
  [
    'Rules for Visa Rapid Dispute Resolution (RDR), in this order; the first that applies decides:',
    ...rules
      .filter(({ enabled, mode }) => enabled && mode === 'live')
      .map(({ name, conditions, action }, index) => {
        const end = action.type === 'accept' ? 'ACCEPT (refund the cardholder)' : 'DECLINE (let the dispute continue)';
        return `${index + 1}. ${end} IF ${spellOut(conditions as ConditionGroup & Condition, false)}  [${name}]`;
      }),
    'Otherwise: DECLINE (let the dispute continue).',
  ].join('\n');
