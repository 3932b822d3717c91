import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparison, Condition, ConditionGroup } from '#payments/conditions/condition-reader.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import { rulesMet } from '#payments/fraud/check/evaluate-template.ts';
import { readFraudConditions } from '#payments/fraud/template/fraud-vocabulary.ts';
import type { TemplateRule } from '#payments/fraud/template/template.ts';
import { includedTemplate, usualThresholds } from '#payments/fraud/template/template.ts';
import { changedTemplate, templateFields } from '#payments/fraud/template/template-fields.ts';

const isMet = async (conditions: ConditionGroup, facts: Facts): Promise<boolean> =>
  (await rulesMet([{ name: 'A rule', conditions, effect: { score: 1 }, otherCurrencies: 'ignore' }], facts)).length ===
  1;

/** Evaluates a condition where any fact may be unknown: true, false, or null for unknown (Kleene). */
const means = (condition: Condition, facts: Facts): boolean | null => {
  if ('not' in condition) {
    const inner = means(condition.not, facts);
    return inner === null ? null : !inner;
  }
  if ('fact' in condition) return compares(condition, facts);
  const isAll = 'all' in condition;
  const inner = (isAll ? condition.all : condition.any).map((one) => means(one, facts));
  if (inner.includes(!isAll)) return !isAll;
  return inner.includes(null) ? null : isAll;
};

const compares = ({ fact, operator, value }: Comparison, facts: Facts): boolean | null => {
  const known = facts[fact] ?? null;
  if (known === null) return null;
  const comparisons: Record<string, () => boolean> = {
    equal: () => known === value,
    notEqual: () => known !== value,
    in: () => [value].flat().includes(known),
    notIn: () => ![value].flat().includes(known),
    startsWith: () => String(known).startsWith(String(value)),
    lessThan: () => Number(known) < Number(value),
    lessThanInclusive: () => Number(known) <= Number(value),
    greaterThan: () => Number(known) > Number(value),
    greaterThanInclusive: () => Number(known) >= Number(value),
  };
  return comparisons[operator]?.() ?? null;
};

const country = fc.constantFrom('US', 'DE', 'UA');
const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({
    fact: fc.constantFrom('country', 'bin_country'),
    operator: fc.constantFrom('equal', 'notEqual'),
    value: country,
  }),
  fc.record({ fact: fc.constant('country'), operator: fc.constant('startsWith'), value: fc.constantFrom('U', 'D') }),
  fc.record({
    fact: fc.constant('bin_country'),
    operator: fc.constantFrom('in', 'notIn'),
    value: fc.array(country, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    fact: fc.constantFrom('amount', 'scorer_score'),
    operator: fc.constantFrom('lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'equal'),
    value: fc.integer({ min: 0, max: 3 }),
  }),
);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.record({ all: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
}));
const number = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null });
const facts: fc.Arbitrary<Facts> = fc.record({
  country: fc.option(country, { nil: null }),
  bin_country: fc.option(country, { nil: null }),
  amount: number,
  scorer_score: number,
});

describe('conditions', () => {
  it('are met exactly where they are true whatever the unknown facts may be', async () => {
    await fc.assert(
      fc.asyncProperty(condition, facts, async (one, known) => {
        expect(await isMet({ all: [one] }, known)).toBe(means(one, known) === true);
      }),
      { numRuns: 400 },
    );
  });

  it.each(['notEqual', 'equal'])(
    'neither %s nor its opposite fits an unknown country of the issuer',
    async (operator) => {
      const one = { fact: 'bin_country', operator, value: 'US' };
      expect([await isMet({ all: [one] }, {}), await isMet({ not: one }, { bin_country: null })]).toEqual([
        false,
        false,
      ]);
    },
  );

  it('see an amount of one currency alone, if they say which', async () => {
    const above = { fact: 'amount', operator: 'greaterThan', value: 5, params: { currency: 'USD' } };
    expect(await isMet({ all: [above] }, { amount: 10, currency: 'USD' })).toBe(true);
    expect(await isMet({ all: [above] }, { amount: 10, currency: 'JPY' })).toBe(false);
    expect(await isMet({ not: above }, { amount: 1, currency: 'JPY' })).toBe(false);
  });

  it('see a velocity by scope and window', async () => {
    const often = { fact: 'velocity_count', operator: 'greaterThan', value: 2, params: { of: 'ip', window: '1h' } };
    expect(await isMet({ all: [often] }, { 'velocity_count(ip, 1h)': 3 })).toBe(true);
    expect(await isMet({ all: [often] }, { 'velocity_count(ip, 24h)': 3 })).toBe(false);
  });

  it('see whom a site watches, by what it watches them', async () => {
    const watched = { fact: 'watched', operator: 'equal', value: true, params: { of: 'email' } };
    expect(readFraudConditions({ all: [watched] })).toEqual({ all: [watched] });
    expect(await isMet({ all: [watched] }, { 'watched(email)': true, 'watched(card)': false })).toBe(true);
    expect(await isMet({ all: [watched] }, { 'watched(email)': false, 'watched(card)': true })).toBe(false);
    expect(await isMet({ not: watched }, { 'watched(email)': false })).toBe(true);
    expect(await isMet({ not: watched }, { 'watched(email)': null })).toBe(false);
  });

  it('are read into codes and domains of one spelling', () => {
    const conditions = {
      any: [
        { fact: 'country', operator: 'in', value: ['us', 'De'] },
        { fact: 'email_domain', operator: 'equal', value: 'Shop.EXAMPLE' },
      ],
    };
    expect(readFraudConditions(conditions)).toEqual({
      any: [
        { fact: 'country', operator: 'in', value: ['US', 'DE'] },
        { fact: 'email_domain', operator: 'equal', value: 'shop.example' },
      ],
    });
  });

  it.each([
    ['a fact of alerts', { fact: 'volume_count', operator: 'equal', value: 1 }, 'fact: must be one of amount'],
    ['a velocity of nothing', { fact: 'velocity_sum', operator: 'equal', value: 1 }, 'must have of and window'],
    [
      'a velocity of a site',
      { fact: 'velocity_sum', operator: 'equal', value: 1, params: { of: 'site', window: '1h' } },
      'of must be one of card, email, ip, device',
    ],
    [
      'another window',
      { fact: 'velocity_sum', operator: 'equal', value: 1, params: { of: 'ip', window: '2h' } },
      'window must be one of 1h, 24h, 7d',
    ],
    ['a watched nothing', { fact: 'watched', operator: 'equal', value: true }, 'must have of'],
    [
      'a watched device, as no list has devices',
      { fact: 'watched', operator: 'equal', value: true, params: { of: 'device' } },
      'of must be one of card, email, ip, country, bin',
    ],
    [
      'a window of a list',
      { fact: 'watched', operator: 'equal', value: true, params: { of: 'ip', window: '1h' } },
      'watched does not accept these params',
    ],
    [
      'params of what takes none',
      { fact: 'country', operator: 'equal', value: 'US', params: { currency: 'USD' } },
      'country does not accept these params',
    ],
    [
      'no currency',
      { fact: 'amount', operator: 'equal', value: 1, params: { currency: 'XXY' } },
      'currency must be a currency code',
    ],
    ['params that are none', { fact: 'amount', operator: 'equal', value: 1, params: 7 }, 'must be an object'],
  ])('are refused with %s', (_, one, problem) =>
    expect(readFraudConditions({ all: [one] })).toEqual({ problem: expect.stringContaining(problem) }),
  );
});

describe('a template', () => {
  const rule = { name: 'A rule', conditions: { all: [{ fact: 'hour', operator: 'lessThan', value: 6 }] } };

  it('has what was not sent from the usual ones', () => {
    expect(templateFields({})).toEqual({ scorer: 'local', rules: [], thresholds: usualThresholds });
    expect(templateFields({ thresholds: { review: 10, reject: null } }).thresholds).toEqual({
      review: 10,
      three_ds: 50,
      reject: null,
    });
  });

  it('is refused with all that is wrong', () => {
    const wrong = () =>
      templateFields({
        rules: [
          { ...rule, effect: { score: 5 } },
          { ...rule, conditions: { all: [{ fact: 'x' }] }, effect: { score: 5 } },
        ],
        thresholds: { review: 90, reject: 80 },
      });
    expect(wrong).toThrow(/^rules\.1\.conditions\.all\.0\.fact: .*; thresholds: review must not be above/);
    expect(() => templateFields({ thresholds: { three_ds: null, review: 90 } })).toThrow('thresholds');
    const equal = { review: 50, three_ds: 50, reject: 50 };
    expect(templateFields({ thresholds: equal }).thresholds).toEqual(equal);
  });

  it('changes where something was sent', () => {
    const before = templateFields({ scorer: 'minfraud', rules: [{ ...rule, effect: { decision: '3DS' } }] });
    expect(changedTemplate(before, {})).toEqual(before);
    expect(changedTemplate(before, { thresholds: { reject: null } })).toEqual({
      ...before,
      thresholds: { ...usualThresholds, reject: null },
    });
    expect(changedTemplate(before, { rules: [] })).toEqual({ ...before, rules: [] });
  });

  it('comes with the service under each number of the start; the last checks nothing', () => {
    const all = [1, 2, 3, 4, 5].map(includedTemplate);
    for (const { scorer, rules, thresholds } of all) {
      expect(templateFields({ scorer, rules, thresholds })).toEqual({ scorer, rules, thresholds });
    }
    expect(all[4]).toMatchObject({ scorer: 'none', thresholds: { review: null, three_ds: null, reject: null } });
    expect(includedTemplate(1001)).toMatchObject({ ftid: 1001, version: 1, scorer: 'local', by: null });
  });
});

describe('a rule that names a currency', () => {
  const above = (value: number, currency: string): ConditionGroup => ({
    all: [{ fact: 'amount', operator: 'greaterThan', value, params: { currency } }],
  });
  const rule = (conditions: ConditionGroup, more: Partial<TemplateRule> = {}): TemplateRule => ({
    ...{ name: 'Limit', conditions, effect: { decision: 'REJECT' as const } },
    ...more,
  });
  const effects = async (rules: readonly TemplateRule[], facts: Facts) =>
    (await rulesMet(rules, facts)).map(({ effect }) => effect);

  it('asks for a review in a currency that no rule names', async () => {
    const dollars = rule(above(500, 'USD'));
    expect(await effects([dollars], { amount: 900, currency: 'USD' })).toEqual([{ decision: 'REJECT' }]);
    expect(await effects([dollars], { amount: 10, currency: 'USD' })).toEqual([]);
    for (const amount of [10, 9000]) {
      expect(await effects([dollars], { amount, currency: 'EUR' })).toEqual([{ decision: 'REVIEW' }]);
    }
  });

  it.each(['3DS', 'REJECT'] as const)('may say %s there', async (decision) =>
    expect(
      await effects([rule(above(500, 'USD'), { otherCurrencies: decision })], { amount: 10, currency: 'EUR' }),
    ).toEqual([{ decision }]),
  );

  it('may ignore other currencies', async () =>
    expect(
      await effects([rule(above(500, 'USD'), { otherCurrencies: 'ignore' })], { amount: 9000, currency: 'EUR' }),
    ).toEqual([]));

  it('leaves a currency to the rule that names it', async () => {
    const rules = [rule(above(500, 'USD')), rule(above(450, 'EUR'))];
    expect(await effects(rules, { amount: 10, currency: 'EUR' })).toEqual([]);
    expect(await effects(rules, { amount: 460, currency: 'EUR' })).toEqual([{ decision: 'REJECT' }]);
  });

  it('asks only where the rest of its conditions is met, negated ones included', async () => {
    const [amount] = 'all' in above(500, 'USD') ? (above(500, 'USD') as { all: Condition[] }).all : [];
    if (!amount) throw new Error('No comparison');
    const abroad = { fact: 'country', operator: 'equal', value: 'NG' };
    const both = rule({ all: [{ not: amount }, abroad] });
    expect(await effects([both], { amount: 10, currency: 'EUR', country: 'NG' })).toEqual([{ decision: 'REVIEW' }]);
    expect(await effects([both], { amount: 10, currency: 'EUR', country: 'DE' })).toEqual([]);
  });
});
