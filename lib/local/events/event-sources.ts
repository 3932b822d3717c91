import type { Queues } from '../aws/queues.ts';
import type { Tables } from '../aws/tables.ts';
import type { Clock } from '../clock.ts';
import type { FunctionRunner } from '../functions/function-runner.ts';
import type { State } from '../state.ts';
import type { MappingDefinition } from '../template/resources.ts';
import { UserError } from '../user-error.ts';
import { type QueueSource, startQueueSource } from './queue-source.ts';
import { openStreamPlaces, type StreamPlaces } from './stream-places.ts';
import { type StreamSource, startStreamSource } from './stream-source.ts';

export type EventSources = {
  queues: readonly QueueSource[];
  streams: readonly StreamSource[];
  /** Names of the queues that feed a function. */
  queueNames: readonly string[];
  /** Keeps a function, by its deployed name, from being fed by its queue until the returned function is called. */
  hold(functionName: string): Promise<() => void>;
  stop(): Promise<void>;
};

export type SourceParts = {
  state: State;
  clock: Clock;
  tables: Tables;
  queues: Queues;
  runner: FunctionRunner;
  report: (sentence: string) => void;
};

/** Starts every event source mapping of the template. */
export const startEventSources = async (
  mappings: readonly MappingDefinition[],
  parts: SourceParts,
): Promise<EventSources> => {
  const enabled = mappings.filter(({ Enabled }) => Enabled);
  const queues: QueueSource[] = [];
  const queueNames: string[] = [];
  const ofStreams: MappingDefinition[] = [];
  for (const mapping of enabled) {
    const queue = parts.queues.find(mapping.EventSourceArn);
    if (!queue) ofStreams.push(mapping);
    else {
      if (mapping.FilterCriteria) throw new UserError(`${mapping.id} filters a queue, which the local stack cannot.`);
      queueNames.push(queue.name);
      queues.push(startQueueSource({ ...toCommon(mapping, parts), queue }, parts.queues, parts.runner));
    }
  }
  const opened = await Promise.all(
    [...Map.groupBy(ofStreams, streamTable)].map(([tableName, fed]) => startStreams(tableName, fed, parts)),
  );
  const streams = opened.flat();
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

const toCommon = (mapping: MappingDefinition, { runner }: SourceParts) => ({
  id: mapping.id,
  function: runner.find(mapping.FunctionName),
  batchSize: mapping.BatchSize ?? 10,
  // Lambda would run hundreds at a time; a machine that runs everything is served better by a few.
  maximumConcurrency: Math.min(5, mapping.ScalingConfig?.MaximumConcurrency ?? 5),
  reportsFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
});

/** The table whose stream a mapping reads. */
const streamTable = ({ id, EventSourceArn }: MappingDefinition): string => {
  const [, tableName] = /:table\/([^/]+)\/stream\//.exec(EventSourceArn) ?? [];
  if (!tableName) throw new UserError(`${id} reads ${EventSourceArn}, which is no queue or stream here.`);
  return tableName;
};

const readPatterns = ({ FilterCriteria }: MappingDefinition): unknown[] =>
  (FilterCriteria?.Filters ?? []).map(({ Pattern }) => JSON.parse(Pattern));

const startStreams = async (tableName: string, mappings: readonly MappingDefinition[], parts: SourceParts) => {
  const ids = mappings.map(({ id }) => id);
  const places = await openStreamPlaces(tableName, ids, parts);
  return mappings.map((mapping) => startStream(mapping, tableName, places, parts));
};

const startStream = (
  mapping: MappingDefinition,
  tableName: string,
  { stream, readPlace, save }: StreamPlaces,
  parts: SourceParts,
): StreamSource => {
  const { queues, runner, clock, report } = parts;
  const destination = mapping.DestinationConfig?.OnFailure?.Destination;
  const target = destination === undefined ? undefined : queues.find(destination);
  if (destination !== undefined && !target)
    throw new UserError(`${mapping.id} has no queue for what fails: ${destination}.`);
  const attempts = mapping.MaximumRetryAttempts;
  return startStreamSource(
    {
      ...toCommon(mapping, parts),
      tableName,
      batchSize: mapping.BatchSize ?? 100,
      filters: readPatterns(mapping),
      bisects: mapping.BisectBatchOnFunctionError,
      maximumRetryAttempts: attempts < 0 ? undefined : attempts,
      onFailure: target && ((body) => void queues.send(target, { body })),
    },
    {
      stream,
      runner,
      clock,
      report,
      save: (sequenceNumber) => save(mapping.id, sequenceNumber),
      readPlace: () => readPlace(mapping.id),
    },
  );
};
