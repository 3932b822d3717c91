import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { deleteItem, getItem, putItem } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { handler as count } from '#jobs/counter/handler.ts';
import { counterWorker } from '#jobs/counter/worker.ts';
import { handler as settle } from '#jobs/settle/handler.ts';
import { settleWorker } from '#jobs/settle/worker.ts';
import { aProviderAlert } from '#test/disputes/alerts/samples.ts';
import { fresh, seedSite } from '#test/disputes/alerts/seed.ts';
import { runWorker, useOperations } from '#test/support/operations.ts';

useOperations();

it('counts the other alerts of a batch if one cannot be counted, and that one once it can be', async () => {
  process.env['SETTLEMENT_QUEUE_URL'] = 'https://sqs.example/settlement';
  const sqs = mockClient(SQSClient).on(SendMessageBatchCommand).resolves({});
  const site = await seedSite();
  const day = '2026-05-02';
  const ids = [10_001, 10_002, 10_003].map((number) => 1_700_000_000_000_000 + number + fresh());
  const alerts = ids.map((id) =>
    createAlert(id, aProviderAlert({ type: 'DISPUTE', amount: '10.00', currency: 'USD' }), `${day}T10:00:00.000Z`, {
      site,
      matchedDescriptor: 'SHOP',
    }),
  );
  for (const alert of alerts) await putItem(toAlertItem(alert));
  const broken = keys.alertCost(ids[1] ?? 0);
  await putItem({ ...broken, entity: 'ALERTCOST', schemaVersion: 1, cost: 'not a cost' });
  const Records = alerts.map((alert, index): DynamoDBRecord => {
    const NewImage = marshall(toAlertItem(alert), { removeUndefinedValues: true });
    return { dynamodb: { SequenceNumber: String(index + 1), NewImage } as NonNullable<DynamoDBRecord['dynamodb']> };
  });
  const counted = async () => (await getItem(keys.alertDay(`S${site.sid}`, day)))?.['received|DISPUTE'];
  const stream = () => runWorker(counterWorker, () => count({ Records } as DynamoDBStreamEvent));
  expect(await stream()).toEqual({ batchItemFailures: [] });
  expect(await counted()).toBe(2);
  const [sent] = sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args: [{ input }] }) => input.Entries ?? []);
  expect(JSON.parse(sent?.MessageBody ?? '')).toEqual({ uncounted: ids[1], isNew: true });
  const message = { Records: [{ messageId: 'one', body: sent?.MessageBody }] } as SQSEvent;
  const again = () => runWorker(settleWorker, () => settle(message));
  expect(await again()).toEqual({ batchItemFailures: [{ itemIdentifier: 'one' }] });
  await deleteItem({ Key: broken });
  expect(await again()).toEqual({ batchItemFailures: [] });
  expect(await counted()).toBe(3);
  expect(await again()).toEqual({ batchItemFailures: [] });
  expect(await counted()).toBe(3);
});
