import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { defineOperation, type Operation } from '#core/platform/operation/operation.ts';
import { defineWorker, type Worker } from '#core/platform/operation/worker.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { createServiceApp } from '#lib/cloud/service-app.ts';

export type Fields = { readonly [name: string]: unknown };
export type Resource = {
  /** The logical id; inside a nested stack, `<logical id of the stack>/<logical id>`. References are spelled alike. */
  id: string;
  type: string;
  properties: Fields;
  deletionPolicy: string | undefined;
  updatePolicy: unknown;
  dependsOn: readonly string[];
};

/** A template as it is deployed. */
type Template = { name: string; bytes: number; resources: number; parameters: number; outputs: number };

const record = v.optional(v.record(v.string(), v.unknown()), {});
const TemplateText = v.object({
  Parameters: record,
  Outputs: record,
  Resources: v.record(
    v.string(),
    v.object({
      Type: v.string(),
      Properties: record,
      DeletionPolicy: v.optional(v.string()),
      UpdatePolicy: v.optional(v.unknown()),
      DependsOn: v.optional(v.array(v.string()), []),
    }),
  ),
});

/** A service's templates as tests ask them. */
export type Synthesized = {
  /** The main template and the nested ones, one after the other. */
  text: string;
  templates: readonly Template[];
  /** Of all templates. The parameters of a nested stack are resolved in its resources. */
  resources: readonly Resource[];
  /** The warnings that the CLI prints before it deploys. */
  warnings: readonly string[];
  isTerminationProtected: boolean;
  ofType: (type: string) => Resource[];
  /** The only resource of a type. */
  only: (type: string) => Resource;
};

export type Request = {
  operations?: readonly Operation[];
  workers?: readonly Worker[];
  context?: Readonly<Record<string, unknown>>;
  /** True if the rule packs run; they take some seconds. */
  checks?: boolean;
};

const known = new Map<string, Synthesized>();

/** The stack of the service itself, as `synthesize` gives it, made once for all test files of this process. */
export const serviceStack = (context: Request['context'] = {}): Synthesized => {
  const key = JSON.stringify(context);
  const found = known.get(key) ?? synthesize({ context });
  known.set(key, found);
  return found;
};

/** Synthesizes the stack in this process, with one tiny file as the code of every function. */
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
  const main = readTemplate(stack.templateFullPath, '', {});
  const nested = main.resources
    .filter(({ type }) => type === 'AWS::CloudFormation::Stack')
    .map(({ id, properties }) =>
      readTemplate(
        fileOfNested(stack.templateFullPath, properties),
        `${id}/`,
        v.parse(record, properties['Parameters']),
      ),
    );
  const all = [main, ...nested];
  const resources = all.flatMap((one) => one.resources);
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  const only = (type: string): Resource => {
    const [first, ...others] = ofType(type);
    if (!first || others.length > 0) throw new Error(`There is not one ${type} but ${others.length + (first ? 1 : 0)}`);
    return first;
  };
  return {
    text: all.map(({ text }) => text).join('\n'),
    templates: all.map((one) => one.size),
    resources,
    warnings: stack.messages.filter(({ level }) => level === 'warning').map(({ entry }) => String(entry.data)),
    isTerminationProtected: stack.terminationProtection ?? false,
    ofType,
    only,
  };
};

const Assets = v.object({ files: v.record(v.string(), v.object({ source: v.object({ path: v.string() }) })) });

/** A nested template is deployed under its hash; the list of assets says which file that is. */
const fileOfNested = (mainFile: string, properties: Fields): string => {
  const { files } = v.parse(
    Assets,
    JSON.parse(readFileSync(mainFile.replace('.template.json', '.assets.json'), 'utf8')),
  );
  const [, hash = ''] = /([0-9a-f]{64})\.json/.exec(JSON.stringify(properties['TemplateURL'])) ?? [];
  return join(dirname(mainFile), files[hash]?.source.path ?? hash);
};

/** `prefix` goes before every id; `given` are the values of the parameters. */
const readTemplate = (file: string, prefix: string, given: Fields) => {
  const text = readFileSync(file, 'utf8');
  const { Parameters, Outputs, Resources } = v.parse(TemplateText, JSON.parse(text));
  const spelled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(spelled);
    if (typeof value !== 'object' || value === null) return value;
    const [name, attribute] = [at(value, 'Ref') ?? at(value, 'Fn::GetAtt', 0), at(value, 'Fn::GetAtt', 1)];
    if (typeof name === 'string' && name in given) return given[name];
    if (typeof name === 'string' && name in Resources)
      return attribute === undefined ? { Ref: prefix + name } : { 'Fn::GetAtt': [prefix + name, attribute] };
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, spelled(inner)]));
  };
  const resources = Object.entries(Resources).map(
    ([id, { Type, Properties, DeletionPolicy, UpdatePolicy, DependsOn }]) => ({
      id: prefix + id,
      type: Type,
      properties: v.parse(record, spelled(Properties)),
      deletionPolicy: DeletionPolicy,
      updatePolicy: spelled(UpdatePolicy),
      dependsOn: DependsOn.map((other) => prefix + other),
    }),
  );
  const size: Template = {
    name: basename(file, '.template.json'),
    bytes: Buffer.byteLength(text),
    resources: resources.length,
    parameters: Object.keys(Parameters).length,
    outputs: Object.keys(Outputs).length,
  };
  return { text, resources, size };
};

const tinyCode = mkdtempSync(join(tmpdir(), 'forewarn-code-'));
writeFileSync(join(tinyCode, 'index.js'), 'exports.handler = async () => ({});\n');

/** Returns the value at a path of names and positions; undefined where there is no such place. */
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

/** The worker that every way in asks. */
export const fakeAuthorizer: Worker = defineWorker({
  area: 'doors',
  name: 'authorizer',
  summary: 'Let in',
  on: { authorizer: true },
  timeoutSeconds: 5,
  memoryMegabytes: 128,
  grants: {},
});

const fakeReader = (name: string, queue: Lowercase<string>): Worker =>
  defineWorker({
    ...{ area: 'doors', name, summary: `Read ${queue}`, on: { queue, batchSize: 1 } },
    ...{ timeoutSeconds: 5, memoryMegabytes: 128, grants: {} },
  });

/** Those that read the queues of the schedules. */
export const fakeReaders: readonly Worker[] = [fakeReader('sweeper', 'sweep'), fakeReader('reminder', 'deadline')];

/** The workers that no stack can do without. */
export const fakeWorkers: readonly Worker[] = [fakeAuthorizer, ...fakeReaders];
