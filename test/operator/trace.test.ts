import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  GetQueryResultsCommand,
  type QueryStatus,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertSteps, traceReport } from '#lib/operator/trace/alert-trace.ts';
import { findAlertLines } from '#lib/operator/trace/insights-client.ts';
import { programEnvironment } from '#test/support/command.ts';
import { receive, update } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

const run = promisify(execFile);
const line = (time: string, fields: object) => JSON.stringify({ level: 'info', time, ...fields });

describe("an alert's trace", () => {
  const lines = [
    line('2026-05-02T10:00:03.000Z', { event: 'delivery_attempt', alertId: 7, status: 200, latencyMilliseconds: 40 }),
    line('2026-05-02T10:00:00.000Z', { event: 'request', alertId: 7, milliseconds: 12, traceId: '1-a-b' }),
    line('2026-05-02T10:00:01.000Z', { event: 'request', alertId: 8 }),
    'START RequestId: 5',
  ];

  it('lists steps in chronological order, with the time of each and between them', () => {
    expect(alertSteps(lines, 7)).toEqual([
      expect.objectContaining({ secondsSinceLast: 0, what: 'request', milliseconds: 12, traceId: '1-a-b' }),
      expect.objectContaining({ secondsSinceLast: 3, what: 'delivery_attempt status=200', milliseconds: 40 }),
    ]);
    expect(traceReport(7, alertSteps(lines, 7))[0]).toBe('Alert 7: 2 steps in 3.0 s');
  });

  it('reports that no log line names the alert', () => expect(traceReport(9, alertSteps(lines, 9))).toHaveLength(1));
});

describe('the query of CloudWatch Logs Insights', () => {
  const ask = async (statuses: readonly QueryStatus[]) => {
    const asked = mockClient(CloudWatchLogsClient);
    const names = Array.from({ length: 51 }, (_, index) => ({ logGroupName: `/aws/lambda/forewarn-dev-${index}` }));
    asked.on(DescribeLogGroupsCommand).resolvesOnce({ logGroups: names.slice(0, 50), nextToken: 'more' });
    asked.on(DescribeLogGroupsCommand, { nextToken: 'more' }).resolves({ logGroups: names.slice(50) });
    asked.on(StartQueryCommand).resolves({ queryId: 'q' });
    const results = [
      [
        { field: '@message', value: '{"alertId":7}' },
        { field: '@ptr', value: 'x' },
      ],
    ];
    const reply = asked.on(GetQueryResultsCommand);
    for (const status of statuses.slice(0, -1)) reply.resolvesOnce({ status });
    reply.resolves({ status: statuses.at(-1) ?? 'Unknown', results });
    let waits = 0;
    const found = await findAlertLines({
      logs: new CloudWatchLogsClient({ region: 'eu-west-1' }),
      ...{ prefix: 'forewarn-dev', alertId: 7, since: 1_000_500, now: 2_000_500 },
      wait: async () => {
        waits += 1;
      },
    });
    const queries = asked.commandCalls(StartQueryCommand).map(({ args: [{ input }] }) => input);
    return { found, waits, queries };
  };

  it('covers all log groups of the stage, 50 at a time, and waits for completion', async () => {
    const { found, waits, queries } = await ask(['Running', 'Complete']);
    expect(found).toEqual(['{"alertId":7}', '{"alertId":7}']);
    expect(waits).toBe(1);
    expect(queries.map(({ logGroupNames = [] }) => logGroupNames.length)).toEqual([50, 1]);
    expect(queries[0]).toMatchObject({
      startTime: 1000,
      endTime: 2001,
      queryString: expect.stringContaining('alertId = 7'),
    });
  });

  it('fails if CloudWatch fails it', async () => {
    await expect(ask(['Failed'])).rejects.toThrow('ended the query as Failed');
  });
});

describe('npm run trace', () => {
  let service: TestStack;
  beforeAll(async () => {
    service = await startStack({ real: true, startTime: '2026-05-02T10:00:00Z' });
  });
  afterAll(() => service.stop());

  const trace = async (...args: string[]) => {
    const env = { ...programEnvironment(), DATA_DIR: service.dataFolder };
    return run(process.execPath, ['bin/trace.ts', ...args], { env }).catch((error: { stdout: string }) => error);
  };

  it("shows an alert's steps on the local stack from receipt to the answer at its network", async () => {
    const alertId = await receive(service);
    await service.untilIdle();
    await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' });
    await service.untilIdle();
    const { stdout } = await trace(String(alertId));
    expect(stdout).toMatch(new RegExp(`^Alert ${alertId}: \\d+ steps in [\\d.]+ s\n`));
    const order = [
      /request operation=alerts\/receive-provider-a .*status=200/,
      /delivery_attempt kind=new_alert/,
      /mail_sent kind=new_alert/,
      /request operation=alerts\/update-alert .*status=200/,
      /outcome_attempt provider=provider_a .*result=/,
      /delivery_attempt kind=/,
    ];
    for (const step of order) expect(stdout).toMatch(step);
    expect(stdout.search(/receive-provider-a/)).toBeLessThan(stdout.search(/delivery_attempt kind=new_alert/));
    expect(stdout.search(/update-alert/)).toBeLessThan(stdout.search(/outcome_attempt/));
    const { stdout: json } = await trace(String(alertId), '--json');
    expect(JSON.parse(json)).toMatchObject({ alertId, steps: expect.any(Array) });
    expect(readFileSync(join(service.dataFolder, 'functions.log'), 'utf8')).toContain(`"alertId":${alertId}`);
  });

  it('reports that no log line names an unknown alert', async () => {
    expect((await trace('999')).stdout).toBe('No log line names alert 999.\n');
  });
});
