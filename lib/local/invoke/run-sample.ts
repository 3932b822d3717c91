import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { type Operation, samplePath } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { deployedName } from '#lib/cloud/names.ts';
import type { Playground } from '../demo/client.ts';
import type { Invocation } from '../functions/function-runner.ts';
import type { LocalStack } from '../stack.ts';
import { fillSample, sampleValues } from './sample-event.ts';

const WithHeaders = v.looseObject({ headers: v.optional(v.record(v.string(), v.string()), {}) });

/** Runs a function of a running stack with its sample event, changed if wanted, until all that this causes is worked off. */
export const runSample = async (
  declared: Operation | Worker,
  { url, credentials }: Playground,
  { runner, time }: Pick<LocalStack, 'runner' | 'time'>,
  change: (event: Record<string, unknown>) => Record<string, unknown> = (event) => event,
): Promise<Invocation> => {
  const text = readFileSync(samplePath(declared), 'utf8');
  const event = v.parse(WithHeaders, await fillSample(text, sampleValues(url, credentials)));
  const definition = runner.definitions.find(({ name }) => name.endsWith(`-${deployedName(declared)}`));
  if (!definition) throw new Error(`The template has no function for ${declared.area}/${declared.name}`);
  // A sample has no field that its operation does not know.
  const headers = 'auth' in declared ? { headers: { ...event.headers, prefer: 'handling=strict' } } : {};
  const invocation = await runner.invoke(definition, change({ ...event, ...headers }));
  await time.untilIdle();
  return invocation;
};
