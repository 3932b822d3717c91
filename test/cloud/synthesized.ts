import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { defineOperation, type Operation } from '../../functions/core/operation.ts';
import { defineWorker, type Worker } from '../../functions/core/worker.ts';
import { operations } from '../../functions/operations.ts';
import { workers } from '../../functions/workers.ts';
import { createServiceApp } from '../../lib/cloud/service-app.ts';

export type Fields = { readonly [name: string]: unknown };
export type Resource = {
  id: string;
  type: string;
  properties: Fields;
  deletionPolicy: string | undefined;
  dependsOn: readonly string[];
};

const TemplateText = v.object({
  Resources: v.record(
    v.string(),
    v.object({
      Type: v.string(),
      Properties: v.optional(v.record(v.string(), v.unknown()), {}),
      DeletionPolicy: v.optional(v.string()),
      DependsOn: v.optional(v.array(v.string()), []),
    }),
  ),
});

/** A template as tests ask it. */
export type Synthesized = {
  text: string;
  resources: readonly Resource[];
  ofType: (type: string) => Resource[];
  /** The only resource of a type. */
  only: (type: string) => Resource;
};

export type Request = {
  operations?: readonly Operation[];
  workers?: readonly Worker[];
  context?: Readonly<Record<string, unknown>>;
  /** Whether the rule packs run; they take some seconds. */
  checks?: boolean;
};

/** Synthesizes the stack in this process, with one tiny file in place of every function's code. */
export const synthesize = ({ checks = false, context = {}, ...declared }: Request = {}): Synthesized => {
  const app = createServiceApp({
    operations,
    workers,
    ...declared,
    bundleOf: () => tinyCode,
    outdir: mkdtempSync(join(tmpdir(), 'forewarn-cloud-')),
    context: { ...(!checks && { checks: 'off' }), ...context },
  });
  const [stack] = app.synth().stacks;
  if (!stack) throw new Error('Nothing was synthesized');
  const text = readFileSync(stack.templateFullPath, 'utf8');
  return readable(text);
};

const readable = (text: string): Synthesized => {
  const { Resources } = v.parse(TemplateText, JSON.parse(text));
  const resources = Object.entries(Resources).map(([id, { Type, Properties, DeletionPolicy, DependsOn }]) => ({
    id,
    type: Type,
    properties: Properties,
    deletionPolicy: DeletionPolicy,
    dependsOn: DependsOn,
  }));
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  const only = (type: string): Resource => {
    const [first, ...others] = ofType(type);
    if (!first || others.length > 0) throw new Error(`There is not one ${type} but ${others.length + (first ? 1 : 0)}`);
    return first;
  };
  return { text, resources, ofType, only };
};

const tinyCode = mkdtempSync(join(tmpdir(), 'forewarn-code-'));
writeFileSync(join(tinyCode, 'index.js'), 'exports.handler = async () => ({});\n');

/** What stands at a path of names and positions inside a value; undefined where there is no such place. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );

/** The elements of a list; a single value is a list of one, as in policies, and undefined an empty one. */
export const listOf = (value: unknown): unknown[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};

/** An invented operation, for stacks that are not the real one. */
export const fakeOperation = (over: Partial<Operation> = {}): Operation =>
  defineOperation({
    area: 'things',
    name: 'show-thing',
    summary: 'Show a thing',
    method: 'POST',
    path: '/things/{id}',
    auth: 'bearer',
    reply: v.object({}),
    errors: [],
    grants: { table: ['GetItem'] },
    ...over,
  });

/** The one worker that no stack can do without. */
export const fakeAuthorizer: Worker = defineWorker({
  area: 'doors',
  name: 'authorizer',
  summary: 'Let in',
  on: { authorizer: true },
  timeoutSeconds: 5,
  memoryMegabytes: 128,
  grants: {},
});
