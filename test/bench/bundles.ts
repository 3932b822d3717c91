import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { samplePath } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { type Bundles, bundle, bundleName, zippedBytesOf } from '#lib/build/bundle.ts';
import { fillSample, type SampleValues } from '#lib/local/invoke/sample-event.ts';
import { callInFreshProcess, type FreshCall, type FreshResult } from '#test/support/fresh-process.ts';
import { startTlsAws, theSecret } from '#test/support/tls-dynamo.ts';
import type { DeliverHandler } from './deliveries.ts';

/** Builds every function of the API, as it is deployed. */
export const buildApi = (outdir: string): Promise<Bundles> => bundle({ outdir, functions: operations });

/** Loads the deployed function that delivers. */
export const deployedDeliver = (dir: string): DeliverHandler => {
  const { handler } = createRequire(import.meta.url)(join(dir, 'index.js')) as { handler: DeliverHandler };
  return handler;
};

/** The largest bundle by what is fetched. */
export const largest = ({ bundles }: Pick<Bundles, 'bundles'>): { name: string; zippedBytes: number } =>
  [...bundles].reduce(
    (most, [name, one]) => {
      const zippedBytes = zippedBytesOf(one);
      return zippedBytes > most.zippedBytes ? { name, zippedBytes } : most;
    },
    { name: '', zippedBytes: 0 },
  );

/** Values as a stack would have them, of things that are not there: the calls reach the table and are then refused. */
const values: SampleValues = {
  read: async (name) => {
    if (name.endsWith('alert_id') || name.endsWith('txid')) return '1000000000000001';
    if (/(?:^|_)(?:[mrs]id|id|fraud_id|number)$/.test(name)) return '1';
    if (name.endsWith('hash')) return '0'.repeat(32);
    if (name === 'now') return new Date().toISOString();
    if (name === 'now_seconds') return String(Math.floor(Date.now() / 1000));
    return name;
  },
  sign: async (_provider, body) => {
    const time = Math.floor(Date.now() / 1000);
    return `t=${time},v1=${createHmac('sha256', theSecret).update(`${time}.${body}`).digest('hex')}`;
  },
};

export type FirstCalls = FreshResult & {
  /** The number of AWS calls that they made. */
  calls: number;
  /** The functions, `area/name`, in the order of `found`. */
  names: readonly string[];
};

/**
 * Loads all functions that were built in one new process, and calls those of the API, which come first, with their sample events, AWS being
 * reached over TLS.
 */
export const makeFirstCalls = async ({ bundles }: Pick<Bundles, 'bundles'>): Promise<FirstCalls> => {
  const calls: FreshCall[] = [];
  for (const operation of operations) {
    const sample = await readFile(samplePath(operation), 'utf8');
    const { dir = '' } = bundles.get(bundleName(operation)) ?? {};
    calls.push({ code: join(dir, 'index.js'), event: (await fillSample(sample, values)) as FreshCall['event'] });
  }
  const built = workers.map(bundleName).filter((name) => bundles.has(name));
  for (const name of built) calls.push({ code: join(bundles.get(name)?.dir ?? '', 'index.js') });
  await using aws = await startTlsAws([]);
  const result = await callInFreshProcess(calls, aws.environment);
  return { ...result, calls: aws.calls.length, names: [...operations.map(bundleName), ...built] };
};

/** Which of Node's parts that were loaded are its own HTTP client for fetch, which takes long to load. */
export const undiciIn = (loaded: readonly string[]): string[] => loaded.filter((part) => part.includes('undici'));
