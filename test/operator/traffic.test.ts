import { APIGatewayClient, GetRestApisCommand, GetStageCommand, UpdateStageCommand } from '@aws-sdk/client-api-gateway';
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  ResourceNotFoundException,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { readTraffic, startTraffic, stopTraffic } from '#lib/operator/traffic.ts';

const gateway = mockClient(APIGatewayClient);
const lambda = mockClient(LambdaClient);
const clients = {
  gateway: new APIGatewayClient({ region: 'eu-west-1' }),
  lambda: new LambdaClient({ region: 'eu-west-1' }),
};
const functionArn = (name: string) => `arn:aws:lambda:eu-west-1:111111111111:function:${name}:live`;

gateway.on(GetRestApisCommand).resolves({
  items: [
    { id: 'other', name: 'forewarn-test' },
    { id: 'api', name: 'forewarn-prod' },
  ],
});
gateway.on(GetStageCommand, { restApiId: 'api', stageName: 'prod' }).resolves({
  methodSettings: {
    '*/*': { throttlingRateLimit: 200, throttlingBurstLimit: 400 },
    '~1api~1v3~1providers~1rdr~1alerts/POST': { throttlingRateLimit: 1000, throttlingBurstLimit: 2000 },
    'health/GET': { throttlingRateLimit: 50, throttlingBurstLimit: 100 },
  },
});
lambda.on(ListEventSourceMappingsCommand).resolves({
  EventSourceMappings: [
    { UUID: 'router', FunctionArn: functionArn('forewarn-prod-notifications-router'), State: 'Enabled' },
    { UUID: 'deliver', FunctionArn: functionArn('forewarn-prod-notifications-deliver'), State: 'Enabled' },
    { UUID: 'off', FunctionArn: functionArn('forewarn-prod-jobs-pull'), State: 'Disabled' },
    { UUID: 'test', FunctionArn: functionArn('forewarn-test-notifications-deliver'), State: 'Enabled' },
  ],
});

const patches = () =>
  gateway
    .commandCalls(UpdateStageCommand)
    .flatMap(({ args: [{ input }] }) => (input.patchOperations ?? []).map(({ path, value }) => `${path} ${value}`));
const switched = () =>
  lambda
    .commandCalls(UpdateEventSourceMappingCommand)
    .map(({ args: [{ input }] }) => `${input.UUID} ${input.Enabled ? 'on' : 'off'}`);

describe('the traffic of a stage', () => {
  it('is remembered with the throttle of each method and the enabled event sources of this stage alone', async () => {
    expect(await readTraffic(clients, 'prod')).toEqual({
      apiId: 'api',
      throttles: {
        '*/*': { rate: 200, burst: 400 },
        '~1api~1v3~1providers~1rdr~1alerts/POST': { rate: 1000, burst: 2000 },
        'health/GET': { rate: 50, burst: 100 },
      },
      eventSources: ['router', 'deliver'],
    });
  });

  it('stops at every method, those with a throttle of their own included, and at every event source', async () => {
    const traffic = await readTraffic(clients, 'prod');
    gateway.resetHistory();
    lambda.resetHistory();
    await stopTraffic(clients, 'prod', traffic);
    expect(new Set(patches())).toEqual(
      new Set(
        ['*/*', '~1api~1v3~1providers~1rdr~1alerts/POST', 'health/GET'].flatMap((key) => [
          `/${key}/throttling/rateLimit 0`,
          `/${key}/throttling/burstLimit 0`,
        ]),
      ),
    );
    expect(switched()).toEqual(['router off', 'deliver off']);
  });

  it('starts again as it was, also after a deployment has replaced an event source', async () => {
    const traffic = await readTraffic(clients, 'prod');
    gateway.resetHistory();
    lambda.resetHistory();
    const gone = new ResourceNotFoundException({ message: 'gone', $metadata: {} });
    lambda.on(UpdateEventSourceMappingCommand, { UUID: 'router' }).rejects(gone);
    await startTraffic(clients, 'prod', traffic);
    expect(switched()).toEqual(['router on', 'deliver on']);
    expect(patches()).toContain('/~1api~1v3~1providers~1rdr~1alerts/POST/throttling/rateLimit 1000');
    expect(patches()).toContain('/*/*/throttling/rateLimit 200');
  });
});
