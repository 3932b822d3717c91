import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { ask, useOperations } from '#test/support/operations.ts';

useOperations();

it('the health check reports that the table answers, to any caller and without caching', async () => {
  const { status, body, headers } = await ask('documents/health', {});
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(body).toEqual({ status: 'ok', time: expect.stringMatching(/^\d{4}-.*Z$/) });
});

it('is not well when the table does not answer', async () => {
  const client = mockClient(DynamoDBDocumentClient);
  client.on(GetCommand).rejects(new Error('The table is gone'));
  try {
    const { status, body } = await ask('documents/health', {});
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('table');
  } finally {
    client.restore();
  }
});
