import {
  type APIGatewayClient,
  GetStageCommand,
  type MethodSetting,
  type PatchOperation,
  paginateGetRestApis,
  UpdateStageCommand,
} from '@aws-sdk/client-api-gateway';
import {
  type EventSourceMappingConfiguration,
  type LambdaClient,
  paginateListEventSourceMappings,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { stageNames } from '#lib/cloud/names.ts';

export type TrafficClients = { gateway: APIGatewayClient; lambda: LambdaClient };

/** What a stage's traffic was before it was stopped: requests a second by method, and the event sources that were enabled. */
export const Traffic = v.object({
  apiId: v.string(),
  throttles: v.record(v.string(), v.object({ rate: v.number(), burst: v.number() })),
  eventSources: v.array(v.string()),
});
export type Traffic = v.InferOutput<typeof Traffic>;

/** Patch operations that a call of UpdateStage gets. */
const operationsAtOnce = 40;

/** Reads what stopping a stage must remember. Throws an Error if the stage has no gateway. */
export const readTraffic = async ({ gateway, lambda }: TrafficClients, stage: string): Promise<Traffic> => {
  const { prefix } = stageNames(stage);
  const apiId = await findApi(gateway, prefix);
  const { methodSettings = {} } = await gateway.send(new GetStageCommand({ restApiId: apiId, stageName: stage }));
  const own = (await listEventSources(lambda, prefix)).filter(
    ({ State }) => State === 'Enabled' || State === 'Enabling',
  );
  return {
    apiId,
    throttles: Object.fromEntries(Object.entries(methodSettings).map(([key, setting]) => [key, toThrottle(setting)])),
    eventSources: own.flatMap(({ UUID }) => UUID ?? []),
  };
};

/**
 * Has the gateway refuse every call with 429, which callers and networks repeat, and no worker read a queue or the stream. Methods with a throttle of their
 * own are not limited by that of the stage.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
 */
export const stopTraffic = async (clients: TrafficClients, stage: string, traffic: Traffic): Promise<void> => {
  const stopped = Object.keys(traffic.throttles).map((key) => [key, { rate: 0, burst: 0 }] as const);
  await setThrottles(clients.gateway, stage, traffic.apiId, [['*/*', { rate: 0, burst: 0 }], ...stopped]);
  for (const uuid of traffic.eventSources) await enable(clients.lambda, uuid, false);
};

/** Undoes `stopTraffic`. Event sources that a deployment has replaced meanwhile are enabled as they were created. */
export const startTraffic = async (clients: TrafficClients, stage: string, traffic: Traffic): Promise<void> => {
  for (const uuid of traffic.eventSources) await enable(clients.lambda, uuid, true);
  await setThrottles(clients.gateway, stage, traffic.apiId, Object.entries(traffic.throttles));
};

const findApi = async (client: APIGatewayClient, name: string): Promise<string> => {
  for await (const { items = [] } of paginateGetRestApis({ client }, {})) {
    const found = items.find((api) => api.name === name)?.id;
    if (found !== undefined) return found;
  }
  throw new Error(`There is no gateway ${name}`);
};

const listEventSources = async (client: LambdaClient, prefix: string): Promise<EventSourceMappingConfiguration[]> => {
  const found: EventSourceMappingConfiguration[] = [];
  for await (const { EventSourceMappings = [] } of paginateListEventSourceMappings({ client }, {}))
    found.push(...EventSourceMappings.filter(({ FunctionArn = '' }) => FunctionArn.includes(`:function:${prefix}-`)));
  return found;
};

const toThrottle = ({ throttlingRateLimit: rate = 0, throttlingBurstLimit: burst = 0 }: MethodSetting) => ({
  rate,
  burst,
});

const setThrottles = async (
  gateway: APIGatewayClient,
  stage: string,
  restApiId: string,
  throttles: readonly (readonly [key: string, throttle: { rate: number; burst: number }])[],
): Promise<void> => {
  const operations = throttles.flatMap(([key, { rate, burst }]): PatchOperation[] => [
    { op: 'replace', path: `${throttlePath(key)}/throttling/rateLimit`, value: String(rate) },
    { op: 'replace', path: `${throttlePath(key)}/throttling/burstLimit`, value: String(burst) },
  ]);
  for (let start = 0; start < operations.length; start += operationsAtOnce) {
    const patchOperations = operations.slice(start, start + operationsAtOnce);
    await gateway.send(new UpdateStageCommand({ restApiId, stageName: stage, patchOperations }));
  }
};

/** The place of a method's settings in a patch: `/~1health/GET`. Slashes in the path of the resource are escaped. */
const throttlePath = (key: string): string => {
  const [, path = '*', method = '*'] = /^(.*)\/([A-Z*]+)$/.exec(key) ?? [];
  return `/${path.replaceAll('/', '~1')}/${method}`;
};

const enable = async (lambda: LambdaClient, UUID: string, Enabled: boolean): Promise<void> => {
  try {
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
  } catch (error) {
    // A deployment has replaced it.
    if (!(error instanceof Error && error.name === 'ResourceNotFoundException')) throw error;
  }
};
