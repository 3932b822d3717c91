import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { workers } from '#functions/workers.ts';
import { distinctOf, lastingOf } from './deployed.ts';
import { at, listOf, serviceStack, synthesize } from './synthesized.ts';

const properties = v.record(v.string(), v.unknown());
const lasting = v.object({ type: v.string(), deletionPolicy: v.optional(v.string()), properties });
const Deployed = v.object({
  lasting: v.record(v.string(), lasting),
  distinct: v.record(v.string(), v.string()),
});

/** The resources that run in accounts, recorded by `write-deployed.ts`. */
const before = v.parse(Deployed, JSON.parse(readFileSync('test/cloud/deployed.json', 'utf8')));
const { resources } = serviceStack({ operationsEmail: 'ops@shop.example' });
const now = lastingOf(resources);
const distinct = distinctOf(resources);
const indexesOf = (given: unknown) =>
  new Map(listOf(given).map((index) => [String(at(index, 'IndexName')), index] as const));

describe('a deployed stage keeps', () => {
  it.each(Object.entries(before.lasting))('%s', (id, { type, properties: old }) => {
    const { GlobalSecondaryIndexes: oldIndexes, ...others } = old;
    const { GlobalSecondaryIndexes: indexes, ...found } = now[id]?.properties ?? {};
    expect(now[id]?.type, `${type} would be deleted, or made anew under another id`).toBe(type);
    expect(found, 'a change of these makes another one of it').toEqual(others);
    // An index that changes is rebuilt, and a deployment may build or drop at most one.
    const [had, has] = [indexesOf(oldIndexes), indexesOf(indexes)];
    const both = [...had].filter(([name]) => has.has(name));
    expect(both.map(([name]) => has.get(name))).toEqual(both.map(([, index]) => index));
    expect([...has.keys(), ...had.keys()].filter((name) => !(has.has(name) && had.has(name))).length).toBeLessThan(2);
  });

  it('what it had decided to keep when the stack goes', () => {
    const kept = Object.entries(before.lasting).filter(([, { deletionPolicy }]) =>
      deletionPolicy?.startsWith('Retain'),
    );
    expect(kept.length).toBeGreaterThan(5);
    for (const [id] of kept) expect(now[id]?.deletionPolicy, id).toMatch(/^Retain/);
  });
});

describe('one deployment is enough', () => {
  it('has no two things of one name', () => {
    const counts = Map.groupBy(distinct, ([what]) => what);
    expect([...counts].filter(([, alike]) => alike.length > 1)).toEqual([]);
  });

  // CloudFormation makes what is new before it removes what is gone: until then the old one has the name.
  it('recreates no resource under a name that the old resource still holds', () => {
    const collisions = distinct.filter(
      ([what, id]) => before.distinct[what] !== undefined && before.distinct[what] !== id,
    );
    expect(collisions).toEqual([]);
  });
});

it('lets a worker that moves to another area keep its function and its place in the stream', () => {
  const moved = workers.map((worker) => ({ ...worker, area: `${worker.area}s` }));
  const { resources: after } = synthesize({ workers: moved, context: { operationsEmail: 'ops@shop.example' } });
  expect(lastingOf(after)).toEqual(now);
});
