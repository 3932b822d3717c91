import { describe, expect, it } from 'vitest';
import { chooseTests, type Reach } from './choose.ts';

const mutant = { file: 'functions/disputes/refunds/refund-row.ts', id: 3 };
const reach = (test: string, milliseconds: number, loading = false): Reach => ({ test, milliseconds, loading });
const choose = (reaches: readonly Reach[], isThorough = false): string[] =>
  chooseTests([{ mutant, reaches }], isThorough).map(({ test }) => test);

describe('the tests that try a mutant', () => {
  it('are the nearest and fastest first', () => {
    const near = reach('test/disputes/refunds/clock-back.test.ts', 500);
    const nearer = reach('test/disputes/refunds/refund.test.ts', 900);
    const far = reach('test/payments/orders/list.test.ts', 200);
    const slow = reach('test/disputes/refunds/both.test.ts', 6000);
    expect(choose([slow, far, near, nearer])).toEqual([nearer, near, far, slow].map(({ test }) => test));
  });

  it('are at most twelve, and four that must load all modules again', () => {
    const many = (loading: boolean) =>
      Array.from({ length: 40 }, (_, index) => reach(`test/jobs/n${index}.test.ts`, 100, loading));
    expect(choose(many(false))).toHaveLength(12);
    expect(choose(many(true))).toHaveLength(4);
    expect(choose(many(true), true)).toHaveLength(40);
  });

  it('take at most thirty seconds, but for the first', () => {
    const slow = ['one', 'two', 'three'].map((name) => reach(`test/jobs/${name}.test.ts`, 20_000));
    expect(choose(slow)).toHaveLength(1);
    expect(choose([reach('test/jobs/slowest.test.ts', 90_000)])).toHaveLength(1);
  });
});
