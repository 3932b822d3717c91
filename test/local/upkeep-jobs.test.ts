import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { openQueues, type QueueDefinition } from '#lib/local/aws/queues.ts';
import { openClock } from '#lib/local/clock.ts';
import { deliveryTexts } from '#lib/local/developer/delivery-watch.ts';
import { logFile, openFunctionLog } from '#lib/local/functions/function-log.ts';
import type { Invocation } from '#lib/local/functions/function-runner.ts';
import { openState } from '#lib/local/state.ts';
import { createDelivery, deliveryAfterAttempt } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { aSite } from '#test/disputes/alerts/samples.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'forewarn-upkeep-'));
const definition = {
  ...{ name: 'f', arn: 'f', folder: '', handler: 'index.handler' },
  ...{ timeoutSeconds: 1, memoryMegabytes: 128, environment: {} },
};
const makeInvocation = (logs: readonly string[], error?: Error): Invocation => ({
  ...{ function: definition, event: null, result: null, milliseconds: 0 },
  ...{ logs, error },
});

it('the log of functions has every line, in the order of their ends', async () => {
  const folder = newFolder();
  const log = openFunctionLog(folder, (sentence) => expect.unreachable(sentence));
  const lines = Array.from({ length: 50 }, (_, n) => `line ${n}`);
  for (const line of lines) log.keep(makeInvocation([line]));
  log.keep(makeInvocation([]));
  await log.whenWritten();
  log.keep(makeInvocation([], new Error('as told')));
  await log.whenWritten();
  const kept = readFileSync(logFile(folder), 'utf8').trim().split('\n');
  expect(kept.slice(0, -1)).toEqual(lines);
  expect(JSON.parse(kept.at(-1) ?? '')).toMatchObject({ event: 'function_failed', function: 'f', message: 'as told' });
});

it('the journal reads the deliveries of a batch in one call, and of other lines none', async () => {
  const { sid, mid, rid } = aSite();
  const at = '2026-05-02T10:00:00.000Z';
  const deliveryOf = (n: number) =>
    deliveryAfterAttempt(
      createDelivery({
        ...{
          id: `ntf_${n}`,
          kind: 'new_alert',
          sid,
          mid,
          rid,
          alertId: n,
          contentType: 'application/json',
          body: '{}',
          at,
        },
      }),
      {
        ...{
          id: `a${n}`,
          at,
          slot: at,
          url: `http://127.0.0.1/${n}`,
          status: 200,
          latencyMilliseconds: 5,
          error: null,
        },
        ...{ response: 'ok', responseTruncated: false, replyUpdate: null },
      },
    );
  const rows = [3, 1, 2].map((n) => marshall(toDeliveryItem(deliveryOf(n)), { removeUndefinedValues: true }));
  const sent: unknown[] = [];
  const client = {
    send: async (command: unknown) => {
      sent.push(command);
      return { Responses: { table: rows } };
    },
  };
  const line = (n: number) => JSON.stringify({ event: 'delivery_attempt', deliveryId: `ntf_${n}`, slot: at });
  const texts = await deliveryTexts(['no JSON', line(1), '{"event":"other"}', line(2), line(3)], client, 'table');
  expect(texts.map((text) => /127\.0\.0\.1\/(\d)/.exec(text)?.[1])).toEqual(['1', '2', '3']);
  expect(sent).toEqual([expect.any(BatchGetItemCommand)]);
  expect(await deliveryTexts(['{"event":"other"}'], client, 'table')).toEqual([]);
  expect(sent).toHaveLength(1);
});

it('a queue gives those messages first that have been visible longest', () => {
  const state = openState(newFolder());
  const clock = openClock(state, Date.UTC(2026, 4, 2, 10));
  const queue: QueueDefinition = {
    ...{ name: 'q', arn: 'q', visibilityTimeoutSeconds: 60, delaySeconds: 0, retentionSeconds: 345_600 },
    maximumMessageBytes: 1000,
  };
  const queues = openQueues(state, clock, [queue]);
  queues.send(queue, { body: 'delayed', delaySeconds: 30 });
  for (const body of ['a', 'b']) queues.send(queue, { body });
  clock.moveTo(clock.now() + 60_000);
  queues.send(queue, { body: 'c' });
  const taken = () => queues.receive(queue, 3).map(({ body }) => body);
  expect(taken()).toEqual(['a', 'b', 'delayed']);
  expect(taken()).toEqual(['c']);
  expect(taken()).toEqual([]);
  state.close();
  setClock();
});
