import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { workers } from '#functions/workers.ts';
import { listDistinct, listLasting } from './deployed.ts';
import { listAllowedCalls, listCalls, listNeeds } from './deployed-calls.ts';
import { at, serviceStack, synthesize, toList } from './synthesized.ts';

const properties = v.record(v.string(), v.unknown());
const lasting = v.object({ type: v.string(), deletionPolicy: v.optional(v.string()), properties });
const Deployed = v.object({
  lasting: v.record(v.string(), lasting),
  distinct: v.record(v.string(), v.string()),
  calls: v.array(v.string()),
  gatewayMayCall: v.array(v.string()),
  needs: v.record(v.string(), v.record(v.string(), v.array(v.string()))),
});

/** What releases deploy, by version, recorded by `write-deployed.ts`. */
const folder = 'test/cloud/deployed';
const releases = readdirSync(folder).map(
  (file) => [basename(file, '.json'), v.parse(Deployed, JSON.parse(readFileSync(join(folder, file), 'utf8')))] as const,
);
const { resources } = serviceStack({ operationsEmail: 'ops@shop.example' });
const now = listLasting(resources);
const distinct = listDistinct(resources);
const toIndexMap = (given: unknown) =>
  new Map(toList(given).map((index) => [String(at(index, 'IndexName')), index] as const));

describe.each(releases)('a stage on which %s was deployed keeps', (_, before) => {
  it.each(Object.entries(before.lasting))('%s', (id, { type, properties: old }) => {
    const { GlobalSecondaryIndexes: oldIndexes, ...others } = old;
    const { GlobalSecondaryIndexes: indexes, ...found } = now[id]?.properties ?? {};
    expect(now[id]?.type, `${type} would be deleted, or made anew under another id`).toBe(type);
    expect(found, 'a change of these makes another one of it').toEqual(others);
    // An index that changes is rebuilt, and a deployment may build or drop at most one.
    const [had, has] = [toIndexMap(oldIndexes), toIndexMap(indexes)];
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

it('has no two things of one name, so that one deployment is enough', () => {
  const counts = Map.groupBy(distinct, ([what]) => what);
  expect([...counts].filter(([, alike]) => alike.length > 1)).toEqual([]);
});

describe.each(releases)('a deployment over %s', (_, before) => {
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

describe.each(releases)('while a release is deployed over %s, or undone', (_, before) => {
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
    expect(others.filter(({ type }) => type !== 'AWS::S3::Bucket')).toEqual([]);
  });
});

it('lets a worker that moves to another area keep its function and its place in the stream', () => {
  const moved = workers.map((worker) => ({ ...worker, area: `${worker.area}s` }));
  const { resources: after } = synthesize({ workers: moved, context: { operationsEmail: 'ops@shop.example' } });
  expect(listLasting(after)).toEqual(now);
});
