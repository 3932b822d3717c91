import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, vi } from 'vitest';
import { clientSettings } from '#core/platform/table/aws.ts';
import { useEmulator } from '#test/support/table.ts';

useEmulator();

it('the AWS client serializes no request or response for a disabled log', async () => {
  const client = new DynamoDBClient(clientSettings);
  const written = vi.fn((value: unknown) => value);
  client.middlewareStack.add(
    (next, context) => (args) => {
      Object.assign(context, { inputFilterSensitiveLog: written, outputFilterSensitiveLog: written });
      return next(args);
    },
    // Before what writes it.
    { step: 'initialize', priority: 'high', name: 'watched' },
  );
  expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual(['forewarn-test']);
  expect(written).not.toHaveBeenCalled();
  client.destroy();
});
