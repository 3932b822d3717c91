import type { Queues } from '../aws/queues.ts';
import type { Tables } from '../aws/tables.ts';
import type { Clock } from '../clock.ts';
import type { FunctionRunner } from '../functions/function-runner.ts';
import type { State } from '../state.ts';
import type { MappingDefinition } from '../template/resources.ts';
import { UserError } from '../user-error.ts';
import { type QueueSource, startQueueSource } from './queue-source.ts';
import { openStream } from './stream-reader.ts';
import { type StreamSource, startStreamSource } from './stream-source.ts';

export type EventSources = {
  queues: readonly QueueSource[];
  streams: readonly StreamSource[];
  /** Names of the queues that feed a function. */
  queueNames: readonly string[];
  /** Keeps a function, by its deployed name, from being fed by its queue until the answer is called. */
  hold(functionName: string): Promise<() => void>;
  stop(): Promise<void>;
};

export type SourceParts = {
  state: State;
  clock: Clock;
  tables: Tables;
  tableUrl: string;
  queues: Queues;
  runner: FunctionRunner;
  report: (sentence: string) => void;
};

/** Starts every event source mapping of the template. */
export const startEventSources = async (
  mappings: readonly MappingDefinition[],
  parts: SourceParts,
): Promise<EventSources> => {
  const queues: QueueSource[] = [];
  const streams: StreamSource[] = [];
  const queueNames: string[] = [];
  for (const mapping of mappings.filter(({ Enabled }) => Enabled)) {
    const queue = parts.queues.find(mapping.EventSourceArn);
    if (queue) {
      if (mapping.FilterCriteria) throw new UserError(`${mapping.id} filters a queue, which the local stack cannot.`);
      queueNames.push(queue.name);
      queues.push(startQueueSource({ ...commonOf(mapping, parts), queue }, parts.queues, parts.runner));
    } else streams.push(await startStream(mapping, parts));
  }
  for (const source of queues) source.wake();
  return {
    queues,
    streams,
    queueNames,
    hold: async (functionName) => {
      const own = queues.filter((queue) => queue.functionName === functionName);
      const releases = await Promise.all(own.map((queue) => queue.hold()));
      return () => {
        for (const release of releases) release();
      };
    },
    stop: async () => {
      await Promise.all([...queues, ...streams].map((source) => source.stop()));
    },
  };
};

const commonOf = (mapping: MappingDefinition, { runner }: SourceParts) => ({
  id: mapping.id,
  function: runner.find(mapping.FunctionName),
  batchSize: mapping.BatchSize ?? 10,
  // Lambda would run hundreds at a time; a machine that runs everything is served better by a few.
  maximumConcurrency: Math.min(5, mapping.ScalingConfig?.MaximumConcurrency ?? 5),
  reportsFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
});

const startStream = async (mapping: MappingDefinition, parts: SourceParts): Promise<StreamSource> => {
  const { state, tables, tableUrl, queues, runner, clock, report } = parts;
  const [, tableName] = /:table\/([^/]+)\/stream\//.exec(mapping.EventSourceArn) ?? [];
  if (!tableName)
    throw new UserError(`${mapping.id} reads ${mapping.EventSourceArn}, which is no queue or stream here.`);
  const streamArn = await tables.streamArn(tableName);
  // A table that was made anew has a new stream, whose places mean nothing in the old one.
  const key = `checkpoint:${mapping.id}:${streamArn}`;
  const destination = mapping.DestinationConfig?.OnFailure?.Destination;
  const target = destination === undefined ? undefined : queues.find(destination);
  if (destination !== undefined && !target)
    throw new UserError(`${mapping.id} has no queue for what fails: ${destination}.`);
  const attempts = mapping.MaximumRetryAttempts;
  return startStreamSource(
    {
      ...commonOf(mapping, parts),
      tableName,
      batchSize: mapping.BatchSize ?? 100,
      filters: (mapping.FilterCriteria?.Filters ?? []).map(({ Pattern }) => JSON.parse(Pattern)),
      bisects: mapping.BisectBatchOnFunctionError,
      maximumRetryAttempts: attempts < 0 ? undefined : attempts,
      onFailure: target && ((body) => void queues.send(target, { body })),
    },
    {
      reader: await openStream({
        url: tableUrl,
        arn: streamArn,
        sequenceNumber: state.get(key),
        version: tables.version,
      }),
      runner,
      clock,
      report,
      save: (sequenceNumber) => state.set(key, sequenceNumber),
      saved: () => state.get(key),
    },
  );
};
