import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { workers } from '#functions/workers.ts';
import { distinctOf, lastingOf } from './deployed.ts';
import { listAllowedCalls, listCalls, listNeeds } from './deployed-calls.ts';
import { at, listOf, serviceStack, synthesize } from './synthesized.ts';

const properties = v.record(v.string(), v.unknown());
const lasting = v.object({ type: v.string(), deletionPolicy: v.optional(v.string()), properties });
const Deployed = v.object({
  lasting: v.record(v.string(), lasting),
  distinct: v.record(v.string(), v.string()),
  calls: v.array(v.string()),
  gatewayMayCall: v.array(v.string()),
  needs: v.record(v.string(), v.record(v.string(), v.array(v.string()))),
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

/** Without fixed names: retained by the CDK's own rules. */
const unnamed = ['AWS::Lambda::Version', 'AWS::IAM::Role', 'AWS::ApiGateway::Account'];

/** What a pattern of IAM covers: `*` is any text. */
const covers = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(text);

describe('while a release is deployed, or undone', () => {
  // CloudFormation updates the gateway's role first and its stage last: for minutes the deployed definition is that of the other release.
  it("allows the gateway whatever this release's definition and that of the release before call", () => {
    const authorizer = 'forewarn-dev-auth-authorizer';
    const calls = [...listCalls(resources), authorizer];
    expect(calls.length).toBeGreaterThan(190);
    const refused = (allowed: readonly string[], called: readonly string[]) =>
      called.filter((one) => !allowed.some((pattern) => covers(pattern, one)));
    const now = [...calls, ...before.calls, `${authorizer}:live`];
    expect(refused(listAllowedCalls(resources), now)).toEqual([]);
    // While a stage goes back, the role is that of the release before.
    expect(refused(before.gatewayMayCall, calls)).toEqual([]);
  });

  // A canary runs the version of the release before under the role of this one.
  it.each(Object.entries(before.needs))('grants the code of %s in the release before what it needs', (name, needed) => {
    const found: Record<string, readonly string[] | undefined> | undefined = listNeeds()[name];
    // A function that is gone is deleted with its role, after the gateway has stopped calling it.
    const missing = Object.entries(found ? needed : {}).flatMap(([kind, names]) =>
      names.filter((one) => !found?.[kind]?.includes(one)).map((one) => `${kind} ${one}`),
    );
    expect(missing).toEqual([]);
  });

  it('creates nothing under a fixed name that an update may have left, unless CloudFormation can take it over', () => {
    const kept = resources.filter(({ deletionPolicy }) => deletionPolicy?.startsWith('Retain'));
    const added = kept.filter(({ id, type }) => before.lasting[id] === undefined && !unnamed.includes(type));
    // Their names are text in the template, and their primary identifiers are these names.
    const importable = { 'AWS::Logs::LogGroup': 'LogGroupName', 'AWS::Backup::BackupVault': 'BackupVaultName' };
    const others = added.filter(({ type, properties }) => {
      const name = Object.entries(importable).find(([one]) => one === type)?.[1];
      return name === undefined || typeof at(properties, name) !== 'string';
    });
    // The bucket's name has the account's number, which only the CDK's command knows.
    expect(others.map(({ type }) => type)).toEqual(['AWS::S3::Bucket']);
  });
});

it('lets a worker that moves to another area keep its function and its place in the stream', () => {
  const moved = workers.map((worker) => ({ ...worker, area: `${worker.area}s` }));
  const { resources: after } = synthesize({ workers: moved, context: { operationsEmail: 'ops@shop.example' } });
  expect(lastingOf(after)).toEqual(now);
});
