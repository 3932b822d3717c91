import * as v from 'valibot';
import { expect, it } from 'vitest';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { ruleProviders } from '#disputes/providers/providers.ts';
import { RuleConditionsSchema } from '#disputes/rules/schemas.ts';
import {
  conditionWords,
  factChoices,
  facts,
  inCurrency,
  newComparison,
  readFlat,
  toConditions,
} from '#lib/dashboard/screens/rule-facts.ts';
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

it('offers the values that the service knows, and text where several are compared', () => {
  const valuesOf = (fact: string) => factChoices(fact, 'equal')?.map(({ value }) => value);
  expect(valuesOf('delivery_status')).toEqual([...orderDeliveryStates]);
  expect(valuesOf('provider')).toEqual([...ruleProviders]);
  expect(alertTypes).toEqual(expect.arrayContaining(valuesOf('alert_type') ?? []));
  expect(factChoices('alert_type', 'in')).toBeUndefined();
  expect(factChoices('descriptor', 'equal')).toBeUndefined();
});

it('begins each line with a value that can be saved', () => {
  for (const fact of ['alert_type', 'provider', 'delivery_status', 'programme_status', 'amount'] as const)
    expect(v.safeParse(RuleConditionsSchema, { all: [newComparison(fact)] }).issues, fact).toBeUndefined();
  expect(Object.keys(facts).length).toBeGreaterThan(10);
});

it('writes values in words, not in the codes of the service', () => {
  const all = [
    { fact: 'alert_type', operator: 'in', value: ['DISPUTE', 'CANCEL'] },
    { fact: 'liability_shift', operator: 'equal', value: true },
    { fact: 'descriptor', operator: 'equal', value: 'SHOP' },
  ];
  expect(conditionWords({ all })).toBe(
    'Alert type is Dispute or Cancellation and 3-D Secure shifts the liability and descriptor is SHOP',
  );
  const any = [
    { fact: 'volume_count', operator: 'greaterThan', value: 3, params: { of: 'card', window: '7d' } },
    { fact: 'is_duplicate', operator: 'equal', value: false },
    { fact: 'provider', operator: 'in', value: ['provider_a', 'provider_b', 'rdr'] },
  ];
  expect(conditionWords({ any })).toBe(
    'Number of alerts of the card within 7 days is above 3 or repeats no other alert or network is Provider A, Provider B or rdr',
  );
});

it('has templates whose conditions the service accepts and the builder shows', () => {
  for (const { conditions, id } of ruleTemplates) {
    expect(v.safeParse(RuleConditionsSchema, conditions).issues, id).toBeUndefined();
    expect(readFlat(conditions), id).toBeDefined();
    expect(findTemplate(id).id).toBe(id);
  }
  expect(findTemplate('no such template')).toBe(ruleTemplates[0]);
});
