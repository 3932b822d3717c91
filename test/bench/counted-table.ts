import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { type CallCounter, startCallCounter } from '#test/support/call-counter.ts';
import { startTable } from '#test/support/table.ts';

export type CountedTable = AsyncDisposable & {
  client: Awaited<ReturnType<typeof startTable>>['client'];
  counter: CallCounter;
  /** Of the emulator itself, past the counter. */
  url: string;
};

/**
 * Starts an empty table whose calls are counted, with the environment in which functions use it. Without a stream, which would
 * have no reader and slow down the emulator's writes with its length. `client` bypasses the counter.
 */
export const startCountedTable = async (): Promise<CountedTable> => {
  const { client, stop } = await startTable();
  await client.send(
    new UpdateTableCommand({ TableName: 'forewarn-test', StreamSpecification: { StreamEnabled: false } }),
  );
  const url = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const counter = await startCallCounter(url);
  Object.assign(process.env, counter.environment);
  return {
    client,
    counter,
    url,
    async [Symbol.asyncDispose]() {
      await counter[Symbol.asyncDispose]();
      stop();
    },
  };
};
