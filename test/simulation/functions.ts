import './environment.ts';
import './world/machine.ts';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, DynamoDBBatchResponse, SQSBatchResponse } from 'aws-lambda';
import { placeAssets, readAssetBytes } from '#core/platform/http/asset-store.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { letterFontFiles } from '#disputes/chargebacks/letter/letter-font-files.ts';
import { handlerFile } from '#functions/declaration-files.ts';
import { streamFilters } from '#lib/cloud/stream-filters.ts';
import { judgeCommand } from '#test/support/judge.ts';
import type { PreviousRelease } from './previous/kept-handlers.ts';
import type { Handler } from './world/lambda.ts';
import type { World } from './world/world.ts';

/** The functions as they are deployed: their declarations and their handlers, all loaded into this process. */

/** Lets a release's functions read the fonts of letters before a history begins: its clock waits for no disk. */
export const readFonts = async (release: Pick<PreviousRelease, 'placeAssets' | 'readAssetBytes'>): Promise<void> => {
  release.placeAssets(letterFontFiles);
  await Promise.all(Object.keys(letterFontFiles).map((name) => release.readAssetBytes(name)));
};

await readFonts({ placeAssets, readAssetBytes });

const handlerAt = async <H>(key: string): Promise<H> => {
  const [area = '', name = ''] = key.split('/');
  return ((await import(`../../${handlerFile({ area, name })}`)) as { handler: H }).handler;
};

const { workers } = (await import('#functions/workers.ts')) as { workers: readonly Worker[] };

const fed = await Promise.all(
  workers
    .filter(({ on }) => 'queue' in on || 'stream' in on)
    .map(async (worker) => ({
      worker,
      handler: await handlerAt<Handler<unknown, SQSBatchResponse & DynamoDBBatchResponse>>(
        `${worker.area}/${worker.name}`,
      ),
    })),
);

/** The two releases of a history in which both are deployed. */
export type Both = { previous: PreviousRelease; isPrevious: () => boolean };

const bothOf = new WeakMap<World, Both>();

/** Returns this release's handler, or in such a history one that passes each event to either. What only this release has gets all. */
const handlerOfEither = <E, T>(world: World, key: string, current: Handler<E, T>): Handler<E, T> => {
  const both = bothOf.get(world);
  const previous = both?.previous.handlers[key] as Handler<E, T> | undefined;
  if (!both || !previous) return current;
  return (event, context) => (both.isPrevious() ? previous : current)(event, context);
};

const { operations: declaredOperations } = (await import('#functions/operations.ts')) as {
  operations: readonly Operation[];
};
/** Workers and operations by the names of their runs. */
const declared = new Map<string, Operation | Worker>([
  ...workers.map((one) => [one.name, one] as const),
  ...declaredOperations.map((one) => [`${one.area}/${one.name}`, one] as const),
]);

const judgeRun: World['judge'] = (name, ...command) => {
  const one = declared.get(name);
  if (!one) throw new Error(`No function is called ${name}`);
  return judgeCommand(one, ...command);
};

/** Connects every background function of the service to a world's queues and stream, as this release declares. */
export const connect = (world: World, both?: Both): void => {
  const { queues, stream } = world;
  if (both) bothOf.set(world, both);
  else world.judge = judgeRun;
  for (const { worker, handler: current } of fed) {
    const { area, name, timeoutSeconds, on } = worker;
    const handler = handlerOfEither(world, `${area}/${name}`, current);
    if ('queue' in on) {
      const { queue, batchSize, maximumConcurrency = 10 } = on;
      queues.feed(queue, { name, timeoutSeconds, batchSize, maximumConcurrency, handler });
    } else if ('stream' in on) {
      const { batchSize, entities, isNeverGivenUp, batchingWindowSeconds } = on;
      const read = { batchSize, entities, filters: streamFilters(on), isNeverGivenUp, batchingWindowSeconds };
      stream.feed({ name, timeoutSeconds, ...read, handler });
    }
  }
};

type ApiHandler = Handler<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** The operations that the actors of a history call. */
const operations = [
  'alerts/receive-provider-a',
  'alerts/receive-provider-b',
  'alerts/receive-rdr',
  'alerts/update-alert',
  'alerts/answer-alert',
  'alerts/assign-alert',
  'chargebacks/accept-chargeback',
  'chargebacks/add-file',
  'chargebacks/begin-upload',
  'chargebacks/chargeback-evidence',
  'chargebacks/remove-file',
  'chargebacks/save-response',
  'connections/receive-connection-webhook',
  'connections/set-connections',
  'webhooks/replay',
  'enrollments/create-enrollment',
  'history/change-import',
  'history/import-details',
  'history/start-import',
  'merchants/create-merchant',
  'merchants/create-retailer',
  'merchants/create-site',
  'merchants/set-alert-settings',
  'merchants/set-payment-settings',
  'merchants/set-three-ds-settings',
  'orders/create-order',
  'orders/set-order-profile',
  'outcomes/replay-outcome',
  'processors/set-site-processors',
  'refunds/refund-alert',
  'rules/create-rule',
  'threeds/authenticate',
  'threeds/cancel',
  'threeds/challenge-return',
  'threeds/create3ds',
  'threeds/frame-data',
  'threeds/sandbox-answer',
  'threeds/sandbox-challenge',
  'threeds/start',
  'threeds/status',
  'transactions/flagcapture',
  'transactions/payout',
  'refunds/processrefund',
  'transactions/receive-processor-webhook',
  'refunds/requery',
  'transactions/sendauth',
  'transactions/singletx',
] as const;
export type OperationName = (typeof operations)[number];

/** The modules that functions load lazily: a history in which one waited for that would go another way than those after it. */
const loadedLate = [
  'payments/processors/http/http-connected-client',
  'payments/processors/nmi/nmi-connected-client',
  'payments/processors/sandbox/sandbox-connected-client',
  'payments/processors/stripe/stripe-connected-client',
  'payments/fraud/check/evaluate-template',
  'payments/processors/adyen/adyen-client',
  'payments/processors/adyen/adyen-disputes-client',
  'payments/processors/nmi/nmi-client',
  'payments/processors/nmi/nmi-disputes-client',
  'payments/processors/sandbox/sandbox-client',
  'payments/processors/sandbox/sandbox-disputes-client',
  'payments/processors/stripe/stripe-client',
  'payments/processors/stripe/stripe-disputes-client',
] as const;
await Promise.all(loadedLate.map((name) => import(`../../functions/${name}.ts`)));

const handlers = new Map(
  await Promise.all(operations.map(async (name) => [name, await handlerAt<ApiHandler>(name)] as const)),
);

export const getHandler = (world: World, name: OperationName): ApiHandler => {
  const handler = handlers.get(name);
  if (!handler) throw new Error(`Nobody has loaded ${name}`);
  return handlerOfEither(world, name, handler);
};
