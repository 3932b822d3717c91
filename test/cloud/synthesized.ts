import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { defineOperation, type Operation } from '#core/platform/operation/operation.ts';
import { defineWorker, type Worker } from '#core/platform/operation/worker.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { type Resource, readTemplates, type StackTemplates } from '#lib/cloud/checks/stack-templates.ts';
import { createServiceApp } from '#lib/cloud/service-app.ts';

export { at, type Fields, type Resource, toList } from '#lib/cloud/checks/stack-templates.ts';

/** A service's templates as tests ask them. */
export type Synthesized = StackTemplates & {
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
  const read = readTemplates(stack.templateFullPath);
  const ofType = (type: string) => read.resources.filter((resource) => resource.type === type);
  const only = (type: string): Resource => {
    const [first, ...others] = ofType(type);
    if (!first || others.length > 0) throw new Error(`There is not one ${type} but ${others.length + (first ? 1 : 0)}`);
    return first;
  };
  return {
    ...read,
    warnings: stack.messages.filter(({ level }) => level === 'warning').map(({ entry }) => String(entry.data)),
    isTerminationProtected: stack.terminationProtection ?? false,
    ofType,
    only,
  };
};

const tinyCode = mkdtempSync(join(tmpdir(), 'forewarn-code-'));
writeFileSync(join(tinyCode, 'index.js'), 'exports.handler = async () => ({});\n');

/** An invented operation, for stacks that are not the real one. */
export const fakeOperation = (over: Partial<Operation> = {}): Operation =>
  defineOperation('things/show-thing', {
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
export const fakeAuthorizer: Worker = defineWorker('doors/authorizer', {
  summary: 'Let in',
  on: { authorizer: true },
  timeoutSeconds: 5,
  memoryMegabytes: 128,
  grants: {},
});

const fakeReader = (name: string, queue: Lowercase<string>): Worker =>
  defineWorker(`doors/${name}`, {
    ...{ summary: `Read ${queue}`, on: { queue, batchSize: 1 } },
    ...{ timeoutSeconds: 5, memoryMegabytes: 128, grants: {} },
  });

/** Those that read the queues of the schedules. */
export const fakeReaders: readonly Worker[] = [fakeReader('sweeper', 'sweep'), fakeReader('reminder', 'deadline')];

/** The workers that no stack can do without. */
export const fakeWorkers: readonly Worker[] = [fakeAuthorizer, ...fakeReaders];
