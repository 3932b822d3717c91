import { describe, expect, it } from 'vitest';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { buildBundles } from '#lib/build/partitions.ts';
import { missingIndexes } from '#lib/build/queried-indexes.ts';

describe('the indexes that a bundle can query', () => {
  const lists = 'var lists = { site: 1, account: 4 };';
  it.each<[string, string, readonly string[], readonly string[]]>([
    ['a plain request', "read({ entity: e, scopeIndex: 2, scope: 'M1' })", ['list1'], ['list2']],
    ['a filtered request', "read({ entity: e, scopeIndex: 2, scope: 'M1', facets: f(x) })", ['list2'], ['list2f']],
    ['a filter around a spread request', 'read({ ...{ entity: e, scopeIndex: 3 }, facets })', ['list3'], ['list3f']],
    ['a scope that a request takes later', 'var s = sid ? { scopeIndex: 4, scope: sid } : x;', ['list1'], ['list4']],
    ['a number with a name', `${lists} read({ entity, scopeIndex: lists.account })`, ['list1'], ['list4']],
    ['an index with its name', 'query({ IndexName: "list1", Limit: 2 })', ['list2'], ['list1']],
    ['the fifth list, which has a filtered index alone', '{ scopeIndex: 5, scope }', ['list4'], ['list5f']],
  ])('include that of %s', (_, code, wrong, right) => {
    expect(missingIndexes(code, wrong)).toHaveLength(1);
    expect(missingIndexes(code, right)).toEqual([]);
  });

  it('fail for a number that is known only at run time', () => {
    expect(() => missingIndexes('read({ entity, scopeIndex: lists.account })')).toThrow('is not a literal');
  });
});

/** Code that is in a bundle and never runs there: the function with the index that it would query, and why it does not. */
const neverQueried: readonly (readonly [string, reason: string])[] = [
  ['alerts/pulse: list3 or list3f', 'is asked about sites and merchants, never about a retailer'],
  ['enrollments/unenroll-item: list1', 'searches overlaps of items that become ENROLLED, and sets UNENROLLED only'],
  ['lookups/list-lookups: list3 or list3f', 'is asked about sites and merchants, never about a retailer'],
  ['lookups/list-orders: list1 or list1f', 'refuses a request that names no merchant'],
  ['lookups/lookup-report: list3 or list3f', 'is asked about sites and merchants, never about a retailer'],
  ['refunds/refund-alert: list2f', 'leaves the refund that a rule began to the worker of rules'],
  ['transactions/payout: list2', 'charges no stored card'],
  ...['list1 or list1f', 'list2 or list2f', 'list3 or list3f'].map(
    (index) => [`webhooks/replay-failed: ${index}`, 'is always asked about a site'] as const,
  ),
];

it('every function is granted each index that its code can query', async () => {
  const functions = [...operations, ...workers];
  const bundles = await buildBundles(functions, process.cwd());
  const missing = functions.flatMap(({ area, name, grants: { indexes } }) => {
    const key = `${area}/${name}`;
    const found = missingIndexes(bundles.get(key) ?? '', indexes);
    return found.map((index) => `${key}: ${index}`);
  });
  expect(missing).toEqual(neverQueried.map(([line]) => line));
});
