import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Operation, sampleOf } from '../../functions/core/operation.ts';
import { securityHeaders } from '../../functions/core/security-headers.ts';
import type { Worker } from '../../functions/core/worker.ts';
import { operations } from '../../functions/operations.ts';
import { workers } from '../../functions/workers.ts';
import { deployedName } from '../../lib/cloud/names.ts';
import { fillSample, sampleValues } from '../../lib/local/invoke/sample-event.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startStack();
});
afterAll(() => service.stop());

const run = async (declared: Operation | Worker) => {
  const event = await fillSample(
    readFileSync(sampleOf(declared), 'utf8'),
    sampleValues(service.url, service.credentials),
  );
  const { headers } = v.parse(v.looseObject({ headers: v.optional(v.record(v.string(), v.string()), {}) }), event);
  const definition = service.stack.runner.definitions.find(({ name }) => name.endsWith(`-${deployedName(declared)}`));
  if (!definition) throw new Error(`The template has no function for ${declared.area}/${declared.name}`);
  const invocation = await service.stack.runner.invoke(definition, {
    ...(event as object),
    // A sample has no field that its operation does not know.
    ...('auth' in declared && { headers: { ...headers, prefer: 'handling=strict' } }),
  });
  await service.untilIdle();
  return invocation;
};

describe('the sample event', () => {
  it.each(operations)('of $area/$name is answered with 200', async (operation) => {
    const { result, error } = await run(operation);
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ statusCode: 200, headers: securityHeaders });
  });

  it.each(workers)('of $area/$name is worked off', async (worker) => {
    const { result, error } = await run(worker);
    expect(error).toBeUndefined();
    const parsed = v.safeParse(v.object({ batchItemFailures: v.array(v.unknown()) }), result);
    if (!('authorizer' in worker.on)) expect(parsed.output).toEqual({ batchItemFailures: [] });
  });
});

it('lets no function do what it was not granted', () => expect(service.problems).toEqual([]));
