import { stripTypeScriptTypes } from 'node:module';
import { afterEach, describe, expect, it } from 'vitest';
import { instrument, type Mutant } from './instrument.ts';
import { switches } from './switches.ts';

/** Compiles the body of a function with all of its mutants. */
const compile = (body: string, name: string) => {
  const { code, mutants } = instrument(`const f = (a: any, b: any, c: any) => { ${body} };`, name);
  const source = stripTypeScriptTypes(code);
  const f: (...args: unknown[]) => unknown = new Function(`${source}; return f;`)();
  const call = (mutant: Mutant | undefined, ...args: unknown[]): unknown => {
    switches.select(name, mutant?.id);
    try {
      return f(...args);
    } finally {
      switches.select();
    }
  };
  return { mutants, call };
};

let count = 0;
/** Returns the result of each mutant of a body for these arguments, by what it changes; `source`: the result of the source. */
const results = (body: string, ...args: unknown[]): Record<string, unknown> => {
  count += 1;
  const { mutants, call } = compile(body, `functions/part-${count}.ts`);
  return {
    source: call(undefined, ...args),
    ...Object.fromEntries(mutants.map((one) => [`${one.was} → ${one.becomes}`, call(one, ...args)])),
  };
};

afterEach(() => switches.begin());

describe('the mutants of an expression', () => {
  it('move the boundary of a comparison and reverse it', () => {
    expect(results('return a < b', 1, 1)).toEqual({ source: false, 'a < b → a <= b': true, 'a < b → a >= b': true });
    expect(results('return (a) >= /* >= */ (b as number)', 1, 1)).toEqual({
      source: true,
      '(a) >= /* >= */ (b as number) → a > b as number': false,
      '(a) >= /* >= */ (b as number) → a < b as number': false,
    });
  });

  it('reverse an equality', () => {
    expect(results('return a === b', 1, 1)).toEqual({ source: true, 'a === b → a !== b': false });
  });

  it('make a condition always true and always false', () => {
    const body = 'if (a) return b; return c';
    expect(results(body, true, 1, 2)).toEqual({ source: 1, 'a → true': 1, 'a → false': 2 });
    expect(results(body, false, 1, 2)).toEqual({ source: 2, 'a → true': 1, 'a → false': 2 });
    expect(results('return a ? b : c', 0, 1, 2)).toEqual({ source: 2, 'a → true': 1, 'a → false': 2 });
  });

  it('leave out each operand', () => {
    expect(results('return a && b', 0, 2)).toEqual({ source: 0, 'a && b → b': 2, 'a && b → a': 0 });
    expect(results('return a || b', 1, 2)).toEqual({ source: 1, 'a || b → b': 2, 'a || b → a': 1 });
    expect(results('return a ?? b', 1, 2)).toEqual({ source: 1, 'a ?? b → b': 2, 'a ?? b → a': 1 });
  });

  it('leave out no operand of a chain twice', () => {
    expect(Object.keys(results('return a && b && c', 1, 1, 1))).toHaveLength(1 + 3);
  });

  it('are not counted where they leave out an empty value after ??', () => {
    const idle = (source: string) =>
      instrument(`f(${source});`, 'functions/idle.ts').mutants.flatMap(({ isIdle, becomes }) =>
        isIdle ? [becomes] : [],
      );
    for (const empty of ["''", '0', '0n', '[]', '{}']) expect(idle(`a ?? ${empty}`)).toEqual(['a']);
    expect(idle('a ?? 1')).toEqual([]);
    expect(idle('a || 0')).toEqual([]);
  });

  it('reverse booleans and negations', () => {
    expect(results('const d = true; return d')).toEqual({ source: true, 'true → false': false });
    expect(results('return !a', true)).toEqual({ source: false, '!a → a': true });
  });

  it('calculate something else', () => {
    expect(results('return a + b', 2, 3)).toEqual({ source: 5, 'a + b → a - b': -1 });
    expect(results('return a / b', 6n, 3n)).toEqual({ source: 2n, 'a / b → a * b': 18n });
    expect(results("return 'x' + b", 2, 3)).toEqual({ source: 'x3' });
  });

  it('return another number or text', () => {
    expect(results('return 7')).toEqual({ source: 7, '7 → 8': 8 });
    expect(results("return a ? 'x' : ''", true)).toMatchObject({ source: 'x', "'x' → ''": '', "'' → 'mutant'": 'x' });
  });

  it('leave out a call whose result is not used', () => {
    expect(results('const list: number[] = []; list.push(a); return list', 1)).toEqual({
      source: [1],
      'list.push(a) → nothing': [],
    });
  });

  it('let a condition of the table, or a part of it, always hold', () => {
    const condition = '#a = :a AND #b = :b';
    expect(Object.values(results(`return { ConditionExpression: '${condition}' }`))).toEqual([
      { ConditionExpression: condition },
      { ConditionExpression: `(${condition}) OR attribute_not_exists(mutated)` },
      { ConditionExpression: '(#a = :a OR attribute_not_exists(mutated)) AND #b = :b' },
      { ConditionExpression: '#a = :a AND (#b = :b OR attribute_not_exists(mutated))' },
    ]);
  });

  it('are none of types, names of properties, and imports', () => {
    const source =
      "import a from './true.ts' with { type: 'json' };\ntype T = { b: true; c: 1 | 2 };\nexport type { T };\nexport default a;\n";
    expect(instrument(source, 'functions/types.ts')).toEqual({ code: source, mutants: [] });
  });
});

it('instrumented code has the lines of its source', () => {
  const source = 'const a = 1;\nconst b =\n  a > 0 &&\n  a < 2;\n';
  const { code, mutants } = instrument(source, 'functions/lines.ts');
  expect(code.split('\n')).toHaveLength(source.split('\n').length);
  expect(mutants.map(({ line }) => line)).toEqual([3, 4, 3, 4]);
});

describe('the switches', () => {
  it('note which mutants were reached, while modules load and later', () => {
    const { call } = compile('return a ? !b : 7', 'functions/reached.ts');
    switches.begin();
    call(undefined, true, 1);
    switches.phase = 'running';
    call(undefined, false, 1);
    expect(switches.reached['functions/reached.ts']).toEqual({ loading: [0, 1, 2], running: [0, 1, 3] });
  });

  it('end a mutant that loops', () => {
    const { call, mutants } = compile('let n = a; while (n < b) { n = n + 1; } return n', 'functions/loop.ts');
    const endless = mutants.find(({ becomes }) => becomes === 'n - 1');
    switches.begin(1000);
    expect(() => call(endless, 0, 10)).toThrow('More than 1000 steps');
    switches.begin(1000);
    expect(call(undefined, 0, 10)).toBe(10);
  });
});
