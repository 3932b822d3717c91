import { pathToFileURL } from 'node:url';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { handlerFile } from '#functions/declaration-files.ts';
import { workers } from '#functions/workers.ts';
import { runWorker, useOperations } from '#test/support/operations.ts';

/** Messages that no release sends, in each queue: each is returned, and becomes a dead letter; the rest of its batch is handled. */

useOperations();

const poison = [
  '',
  'not JSON',
  'null',
  '[]',
  '"text"',
  '{"unknown":true}',
  `{"id":${'9'.repeat(400)}}`,
  '{"__proto__":{"id":"x"}}',
];

describe('a poison message', () => {
  it.each(workers.filter(({ on }) => 'queue' in on))(
    'in the queue of $area/$name is returned alone',
    async (worker) => {
      const { handler } = (await import(pathToFileURL(handlerFile(worker)).href)) as {
        handler: (event: SQSEvent) => Promise<SQSBatchResponse>;
      };
      const Records = poison.map((body, at) => ({ messageId: String(at), body, attributes: {} }));
      const { batchItemFailures } = await runWorker(worker, () => handler({ Records } as unknown as SQSEvent));
      expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(
        Records.map(({ messageId }) => messageId),
      );
    },
  );
});
