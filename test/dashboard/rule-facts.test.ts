import * as v from 'valibot';
import { expect, it } from 'vitest';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { ruleProviders } from '#disputes/providers/providers.ts';
import { RuleConditionsSchema } from '#disputes/rules/schemas.ts';
import {
  factChoices,
  facts,
  inCurrency,
  newComparison,
  readFlat,
  toConditions,
} from '#lib/dashboard/screens/rule-facts.ts';
import { compareWithPeople, monthWords, trialWords } from '#lib/dashboard/screens/rule-results.ts';
import { conditionWords, ruleSentence } from '#lib/dashboard/screens/rule-sentence.ts';
import { findTemplate, ruleTemplates } from '#lib/dashboard/screens/rule-templates.ts';
import { orderDeliveryStates } from '#payments/orders/dto-schemas.ts';

it('an amount is compared in the currency that was typed, or in any', () => {
  const inDollars = newComparison('amount');
  expect(inDollars).toMatchObject({ fact: 'amount', params: { currency: 'USD' } });
  expect(inCurrency(inDollars, ' eur ')).toEqual({ ...inDollars, params: { currency: 'EUR' } });
  const { params: _, ...inAny } = inDollars;
  expect(inCurrency(inDollars, '')).toEqual(inAny);
});

it('shows conditions in the builder only if it can write them back', () => {
  const comparisons = [newComparison('amount'), newComparison('descriptor')];
  for (const group of ['all', 'any', 'none'] as const) {
    expect(readFlat(toConditions({ group, comparisons }))).toEqual({ group, comparisons });
  }
  // "Not all of" is not "none of": as lines it would become the stricter condition when it is saved.
  for (const nested of [
    { not: { all: comparisons } },
    { not: { not: { any: comparisons } } },
    { all: [{ any: comparisons }] },
  ]) {
    expect(readFlat(nested)).toBeUndefined();
  }
});

it('offers the values that the service knows, and text where a beginning is compared', () => {
  const valuesOf = (fact: string) => factChoices(fact, 'equal')?.map(({ value }) => value);
  expect(valuesOf('delivery_status')).toEqual([...orderDeliveryStates]);
  expect(valuesOf('provider')).toEqual([...ruleProviders]);
  expect(alertTypes).toEqual(expect.arrayContaining(valuesOf('alert_type') ?? []));
  expect(factChoices('alert_type', 'in')).toEqual(factChoices('alert_type', 'equal'));
  expect(factChoices('alert_type', 'startsWith')).toBeUndefined();
  expect(factChoices('descriptor', 'equal')).toBeUndefined();
});

it('begins each line with a value that can be saved', () => {
  for (const fact of ['alert_type', 'provider', 'delivery_status', 'programme_status', 'amount'] as const)
    expect(v.safeParse(RuleConditionsSchema, { all: [newComparison(fact)] }).issues, fact).toBeUndefined();
  expect(Object.keys(facts).length).toBeGreaterThan(10);
});

it('writes values in words, nested conditions in brackets, and a code with its meaning', () => {
  const disputed = { fact: 'alert_type', operator: 'in', value: ['DISPUTE', 'CANCEL'] };
  const shifted = { fact: 'liability_shift', operator: 'equal', value: true };
  const often = { fact: 'volume_count', operator: 'greaterThan', value: 3, params: { of: 'card', window: '7d' } };
  expect(conditionWords({ all: [disputed, shifted, { fact: 'descriptor', operator: 'equal', value: 'SHOP' }] })).toBe(
    'the alert type is dispute or cancellation and 3-D Secure shifts the liability and the descriptor is SHOP',
  );
  expect(conditionWords({ any: [often, { all: [shifted, { not: disputed }] }] })).toBe(
    'the number of alerts of the card within 7 days is above 3 or (3-D Secure shifts the liability and not the alert type is dispute or cancellation)',
  );
  expect(conditionWords({ not: { any: [{ fact: 'reason_code', operator: 'equal', value: '10.4' }] } })).toBe(
    'not the network’s reason is cardholder denies purchase (10.4)',
  );
});

const amount = (operator: string, value: number) => ({
  ...{ fact: 'amount', operator, value },
  params: { currency: 'USD' },
});
const is = (fact: string, ...value: (string | number | boolean)[]) => ({
  ...{ fact, operator: value.length > 1 ? 'in' : 'equal' },
  value: value.length > 1 ? value : value[0],
});

it.each([
  [
    { all: [is('alert_type', 'DISPUTE', 'CANCEL'), amount('lessThanInclusive', 25)] },
    {},
    'When a dispute or a cancellation of up to $25 arrives, refund it.',
  ],
  [
    { all: [is('reason_code', '13.1'), amount('lessThan', 50)] },
    { providers: ['provider_a'] },
    'When Provider A reports an item not received (13.1) below $50, refund it.',
  ],
  [
    { all: [amount('lessThanInclusive', 140), is('descriptor', 'DEMO*GIFTS'), is('is_duplicate', false)] },
    {},
    'When an alert of up to $140 for DEMO*GIFTS arrives and it repeats no other alert, refund it.',
  ],
  [{ all: [is('reason_code', '9999')] }, {}, 'When an alert arrives and the network’s reason is 9999, refund it.'],
  [
    { all: [amount('greaterThanInclusive', 500), is('liability_shift', true)] },
    { providers: ['provider_a', 'provider_b', 'service_dummy'] },
    'When an alert of at least $500 arrives and 3-D Secure shifts the liability, refund it.',
  ],
  [{ any: [is('alert_type', 'FRAUD')] }, {}, 'When an alert arrives and the alert type is fraud, refund it.'],
  [
    { not: { any: [is('currency', 'EUR', 'GBP')] } },
    { about: 'warnings' },
    'When an early fraud warning arrives, unless the currency is EUR or GBP: refund it.',
  ],
  [
    { all: [is('claim', 'twice'), is('provider', 'provider_b')] },
    { about: 'rdr' },
    'When Provider B reports a double charge, refund it.',
  ],
] as const)('says %j with %j as a sentence', (conditions, more, sentence) => {
  expect(ruleSentence({ conditions, action: 'refund it', ...more })).toBe(sentence);
});

it('compares a trial only with what people refunded or declined', () => {
  const row = (
    alert_id: number,
    status: 'RESOLVED' | 'DECLINED' | 'OPEN',
    reason_code: string | null,
    result?: 'refunded',
  ) => ({
    ...{ alert_id, status, reason_code },
    rule: result ? { rule_id: 1, name: '', result, reason: null } : null,
  });
  const rows = [
    row(1, 'RESOLVED', '100.001'),
    row(2, 'RESOLVED', '100.002'),
    row(3, 'DECLINED', '902.002'),
    row(4, 'OPEN', null),
    row(5, 'RESOLVED', '100.001', 'refunded'),
  ];
  const list = [1, 2, 3, 4, 5, 6].map((alert_id) => ({ alert_id, would: 'refund' as const }));
  const { same, other } = compareWithPeople(list, rows);
  expect([same, other].map((some) => some.map(({ alert_id }) => alert_id))).toEqual([[1], [2, 3]]);
  expect(
    trialWords({
      matched: 3,
      refunded: [{ amount: '5.00', currency: 'USD' }],
      list: [{ would: 'refund' }, { would: 'review' }, { would: 'refund' }],
    }),
  ).toBe('It would have decided 3 alerts of the last 30 days: refunded 2 ($5.00) and left 1 to people.');
});

it.each([
  [19, 5, 69, 'Rules answered 19 of 88 alerts this month, half within 5 min'],
  [2, null, 0, 'Rules answered 2 of 2 alerts this month'],
  [0, null, 4, 'People answered all 4 alerts of this month'],
  [0, null, 0, undefined],
])('says that rules gave %i answers, half within %s minutes, and people %i', (rules, median_minutes, people, words) => {
  const answered_by = { rule: { answered: rules, median_minutes }, person: { answered: people } };
  expect(monthWords({ answered_by })).toBe(words);
});

it('has templates whose conditions the service accepts and the builder shows', () => {
  for (const { conditions, id } of ruleTemplates) {
    expect(v.safeParse(RuleConditionsSchema, conditions).issues, id).toBeUndefined();
    expect(readFlat(conditions), id).toBeDefined();
    expect(findTemplate(id).id).toBe(id);
  }
  expect(findTemplate('no such template')).toBe(ruleTemplates[0]);
});
