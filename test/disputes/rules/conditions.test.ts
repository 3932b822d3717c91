import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codesFor, readRuleAction } from '#disputes/alerts/automatic/actions.ts';
import { type Condition, type ConditionGroup, limits, readRuleConditions } from '#disputes/rules/conditions.ts';
import { alertFactsOf as factsOfSource, toSource, volumesAsked } from '#disputes/rules/decide/alert-facts.ts';
import { evaluate, meets } from '#disputes/rules/decide/evaluate-rules.ts';
import { anAlert } from '#test/disputes/alerts/samples.ts';
import { always, aRule, makeFacts, means } from './samples.ts';

const findProblem = (sent: unknown): string => {
  const read = readRuleConditions(sent);
  return 'problem' in read ? read.problem : '';
};
const one = (comparison: unknown) => ({ all: [comparison] });
const deep = (levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner) => ({ not: inner }), { fact: 'amount', operator: 'equal', value: 1 });

describe('conditions that are sent', () => {
  it('are kept as they are, descriptors in one spelling', () => {
    const sent = {
      any: [
        { fact: 'descriptor', operator: 'startsWith', value: ' shop*  online' },
        { not: { fact: 'is_duplicate', operator: 'equal', value: true } },
        { fact: 'volume_sum', operator: 'lessThan', value: 99.5, params: { of: 'card', window: '30d' } },
      ],
    };
    const [first, ...rest] = sent.any;
    expect(readRuleConditions(sent)).toEqual({ any: [{ ...first, value: 'SHOP* ONLINE' }, ...rest] });
  });

  it.each([
    ['no object', [], 'conditions: must be an object'],
    ['a comparison alone', { fact: 'amount', operator: 'equal', value: 1 }, 'must begin with all, any or not'],
    ['an empty list', { all: [] }, 'conditions.all: must be a list'],
    [
      'two things at once',
      { all: [{ fact: 'amount', operator: 'equal', value: 1 }], any: [] },
      'must contain only all',
    ],
    ['an unknown fact', one({ fact: 'password', operator: 'equal', value: 'x' }), 'conditions.all.0.fact: must be'],
    ['a fact of every object', one({ fact: 'constructor', operator: 'equal', value: 'x' }), '.fact: must be one of'],
    [
      'a prototype',
      one(JSON.parse('{"__proto__":{"fact":"amount"},"fact":"amount"}')),
      'must contain only all, any or not',
    ],
    ['a path', one({ fact: 'amount', operator: 'equal', value: 1, path: '$.x' }), 'must contain only all, any or not'],
    ['a reference', one({ condition: 'other' }), 'must contain only all, any or not'],
    ['an unknown operator', one({ fact: 'amount', operator: 'matches', value: 1 }), '.operator: for amount'],
    ['an operator of another type', one({ fact: 'is_duplicate', operator: 'lessThan', value: true }), '.operator'],
    ['a value that is a fact', one({ fact: 'amount', operator: 'equal', value: { fact: 'x' } }), 'must be a number'],
    ['a number as text', one({ fact: 'amount', operator: 'equal', value: '1' }), 'must be a number'],
    ['an empty list of values', one({ fact: 'currency', operator: 'in', value: [] }), 'must be a list of 1 to'],
    ['a mixed list of values', one({ fact: 'currency', operator: 'in', value: ['USD', 1] }), 'each must be text'],
    ['a volume of nothing', one({ fact: 'volume_count', operator: 'equal', value: 1 }), 'must have of and window'],
    [
      'a window of 31 days',
      one({ fact: 'volume_count', operator: 'equal', value: 1, params: { of: 'site', window: '31d' } }),
      'window must be from 1h to 30d',
    ],
    [
      'a volume of whom it does not know',
      one({ fact: 'volume_count', operator: 'equal', value: 1, params: { of: 'merchant', window: '1h' } }),
      'of must be one of',
    ],
    [
      'an amount of no currency',
      one({ fact: 'amount', operator: 'equal', value: 1, params: { currency: 'XYZ' } }),
      'ISO 4217',
    ],
    [
      'unknown params',
      one({ fact: 'currency', operator: 'equal', value: 'USD', params: { of: 'site' } }),
      'does not accept these params',
    ],
    ['too deep a nest', deep(limits.depth), 'levels deep'],
    ['too much', { any: Array(200).fill({ fact: 'amount', operator: 'equal', value: 1 }) }, 'must have at most'],
  ])('are refused with %s', (_, sent, problem) => {
    expect(findProblem(sent)).toContain(problem);
  });

  it.each([
    ['currency', 'notEqual', ' usd', 'USD'],
    ['dispute_currency', 'notIn', ['eur', 'JPY'], ['EUR', 'JPY']],
    ['currency', 'startsWith', 'u', 'U'],
    ['alert_type', 'notEqual', 'fraud', 'FRAUD'],
    ['alert_type', 'startsWith', 'dispute', 'DISPUTE'],
    ['provider', 'notIn', ['Provider_A'], ['provider_a']],
    ['card_bin', 'notIn', ['41111111', '4242 42'], ['411111', '424242']],
    ['card_bin', 'startsWith', '41', '41'],
    ['delivery_status', 'equal', 'Delivered', 'delivered'],
    ['programme_status', 'in', ['OVER', 'near'], ['over', 'near']],
    ['reason_code', 'equal', ' 10.4 ', '10.4'],
  ])('are spelled as the fact %s is where %s names %j', (fact, operator, value, spelled) => {
    expect(readRuleConditions(one({ fact, operator, value }))).toEqual(one({ fact, operator, value: spelled }));
  });

  it.each([
    ['network', 'in', ['mc', 'American Express', 'eftpos_au'], ['mastercard', 'amex', 'eftpos_au']],
    ['reason_code', 'notEqual', '4853 product_not_received', '4853'],
    ['reason_code', 'equal', ' goods  damaged ', 'goods  damaged'],
  ])('about chargebacks are spelled as the fact %s is where %s names %j', (fact, operator, value, spelled) => {
    expect(readRuleConditions(one({ fact, operator, value }), 'chargebacks')).toEqual(
      one({ fact, operator, value: spelled }),
    );
  });

  it.each([
    ['currency', 'notEqual', 'dollar', 'ISO 4217'],
    ['currency', 'notIn', ['USD', ''], 'each must be a currency code'],
    ['currency', 'notEqual', 'XXY', 'ISO 4217'],
    ['dispute_currency', 'startsWith', 'US$', 'ISO 4217'],
    ['alert_type', 'notEqual', 'chargeback', 'must be one of DISPUTE'],
    ['provider', 'notEqual', 'ethoca', 'must be one of provider_a'],
    ['card_bin', 'notEqual', '4111', 'first six digits'],
    ['card_bin', 'notIn', ['411111xxxxxx'], 'first six digits'],
    ['card_bin', 'startsWith', '', 'first six digits'],
    ['delivery_status', 'notEqual', 'lost', 'must be one of not_shipped'],
    ['programme_status', 'notEqual', 'unknown', 'must be one of ok'],
    ['descriptor', 'startsWith', '  ', 'must not be empty'],
    ['amount', 'greaterThan', -1, 'must be at least 0'],
    ['earlier_disputes', 'notEqual', 1.5, 'must be a whole number'],
    ['transaction_age_days', 'notIn', [-1], 'each must be at least 0'],
  ])('are refused if the fact %s can never have what %s names: %j', (fact, operator, value, problem) => {
    expect(findProblem(one({ fact, operator, value }))).toContain(problem);
  });

  it('may nest as deep as is said', () => expect(findProblem(deep(limits.depth - 1))).toBe(''));

  it('never make the reader fail, whatever they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (sent) => {
        expect(readRuleConditions(sent)).toBeTypeOf('object');
      }),
    );
  });
});

const comparison: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    fact: fc.constantFrom('amount', 'alert_age', 'transaction_age_days'),
    operator: fc.constantFrom(
      'equal',
      'notEqual',
      'lessThan',
      'lessThanInclusive',
      'greaterThan',
      'greaterThanInclusive',
    ),
    value: fc.integer({ min: 0, max: 5 }),
  }),
  fc.record({
    fact: fc.constantFrom('provider', 'currency', 'reason_code', 'card_bin'),
    operator: fc.constantFrom('in', 'notIn'),
    value: fc.array(fc.constantFrom('a', 'ab', 'b'), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    fact: fc.constantFrom('descriptor', 'card_bin'),
    operator: fc.constantFrom('equal', 'notEqual', 'startsWith'),
    value: fc.constantFrom('A', 'AB', 'B'),
  }),
  fc.record({ fact: fc.constant('is_duplicate'), operator: fc.constant('equal'), value: fc.boolean() }),
);
const nested = (levels: number): fc.Arbitrary<Condition> =>
  levels === 0
    ? comparison
    : fc.oneof(
        comparison,
        fc.array(nested(levels - 1), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
        fc.array(nested(levels - 1), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
        nested(levels - 1).map((not) => ({ not })),
      );
const conditions: fc.Arbitrary<ConditionGroup> = fc.oneof(
  fc.array(nested(2), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
  fc.array(nested(2), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
);
const facts = fc.record({
  amount: fc.integer({ min: 0, max: 5 }),
  alert_age: fc.option(fc.integer({ min: 0, max: 5 })),
  transaction_age_days: fc.option(fc.integer({ min: 0, max: 5 })),
  provider: fc.constantFrom('a', 'b'),
  currency: fc.constantFrom('a', 'b'),
  reason_code: fc.constantFrom('', 'ab'),
  card_bin: fc.option(fc.constantFrom('A', 'AB')),
  descriptor: fc.constantFrom('A', 'AB', 'ABC'),
  is_duplicate: fc.boolean(),
});

describe('asking rules', () => {
  it('means what the conditions say, whatever they and the facts are', async () => {
    await fc.assert(
      fc.asyncProperty(conditions, facts, async (some, known) => {
        expect(await meets({ conditions: some }, known)).toBe(means(some, known));
      }),
      { numRuns: 150 },
    );
  });

  it('lets the first matching live rule decide, and reports only shadow rules before it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ isMet: fc.boolean(), mode: fc.constantFrom('live' as const, 'shadow' as const) }), {
          maxLength: 6,
        }),
        async (wanted) => {
          const never: ConditionGroup = { all: [{ fact: 'amount', operator: 'lessThan', value: 0 }] };
          const rules = wanted.map(({ isMet, mode }, id) => aRule({ id, mode, conditions: isMet ? always : never }));
          const { decided, shadows } = await evaluate(rules, makeFacts());
          const first = wanted.findIndex(({ isMet, mode }) => isMet && mode === 'live');
          expect(decided?.id ?? -1).toBe(first);
          const before = first < 0 ? wanted : wanted.slice(0, first);
          expect(shadows.map(({ id }) => id)).toEqual(
            before.flatMap(({ isMet, mode }, id) => (isMet && mode === 'shadow' ? [id] : [])),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('knows an amount only in the currency it is asked in', async () => {
    const inDollars = (currency: string): ConditionGroup => ({
      all: [{ fact: 'amount', operator: 'greaterThan', value: 10, params: { currency } }],
    });
    expect(await meets({ conditions: inDollars('USD') }, makeFacts())).toBe(true);
    expect(await meets({ conditions: inDollars('EUR') }, makeFacts())).toBe(false);
  });

  it.each([
    ['notEqual', 'usd', false],
    ['equal', 'Usd', true],
    ['notIn', ['uSD'], false],
    ['startsWith', 'us', true],
  ])('compares texts of rules of any age without regard to case: %s %j', async (operator, value, isMet) => {
    const stored: ConditionGroup = { all: [{ fact: 'currency', operator, value }] };
    expect(await meets({ conditions: stored }, makeFacts())).toBe(isMet);
  });

  it('reads volumes of what and over which time they are asked', async () => {
    const some: ConditionGroup = {
      all: [{ fact: 'volume_count', operator: 'greaterThan', value: 2, params: { of: 'card', window: '24h' } }],
    };
    expect(volumesAsked([{ conditions: some }, { conditions: some }])).toEqual([{ of: 'card', window: '24h' }]);
    expect(await meets({ conditions: some }, makeFacts({ 'volume_count(card, 24h)': 3 }))).toBe(true);
    expect(await meets({ conditions: some }, makeFacts({ 'volume_count(card, 24h)': 2 }))).toBe(false);
    expect(await meets({ conditions: some }, makeFacts())).toBe(false);
  });
});

it('knows of an alert what its provider said', () => {
  const alert = anAlert({ type: 'DISPUTE', conditionCode: '4837', age: '12', descriptor: ' shop*online  123' });
  expect(factsOfSource(toSource(alert))).toEqual(
    makeFacts({ amount: 361.56, dispute_amount: 361.56, dispute_currency: 'USD' }),
  );
  expect(factsOfSource(toSource(anAlert({ type: 'DISPUTE', age: 'old', card: '' })))).toMatchObject({
    alert_age: null,
    card_bin: null,
  });
});

describe('an action', () => {
  it('takes a reason code that all its providers allow with its outcome', () => {
    expect(codesFor(['provider_a'], 'DECLINED')).toContain('956.003');
    expect(codesFor(['provider_a', 'provider_b'], 'DECLINED')).not.toContain('956.003');
    for (const provider of ['provider_a', 'provider_b'] as const) {
      expect(codesFor([provider], 'RESOLVED')).not.toContain('101.001');
    }
    expect(readRuleAction({ type: 'decline', reason_code: '902.002' }, ['provider_a', 'provider_b'])).toEqual({
      type: 'decline',
      reason_code: '902.002',
    });
  });

  it.each([
    [{ type: 'decline' as const }, 'must be one of'],
    [{ type: 'decline' as const, reason_code: '100.001' }, 'must be one of'],
    [{ type: 'resolve' as const, reason_code: '902.002' }, 'must be one of'],
    [{ type: 'decline' as const, reason_code: '900.002' }, 'action.comments'],
    [{ type: 'refund' as const, reason_code: '100.001' }, 'takes neither'],
  ])('is refused as %j', (sent, problem) => {
    expect(readRuleAction(sent, ['provider_a'])).toContain(problem);
  });
});
