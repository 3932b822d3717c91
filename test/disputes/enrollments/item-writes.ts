import { keys } from '#core/platform/table/keys.ts';
import { type Item, updateItem } from '#core/platform/table/table.ts';
import { beforeTransactions } from '#test/support/operations.ts';

/** The items of an entity that transactions put while something runs. */
export const itemsWritten = async (entity: string, run: () => Promise<unknown>): Promise<Item[]> => {
  const written: Item[] = [];
  beforeTransactions(async ({ TransactItems = [] }) => {
    for (const { Put } of TransactItems) if (Put?.Item?.['entity'] === entity) written.push(Put.Item);
  });
  await run();
  beforeTransactions();
  return written;
};

/** Lets another process change a request just before each transaction, while something runs. */
export const whileContended = async <T>(enrollmentId: number, run: () => Promise<T>): Promise<T> => {
  beforeTransactions(() =>
    updateItem({
      Key: keys.enrollment(enrollmentId),
      UpdateExpression: 'ADD #enrollment.#version :one',
      ExpressionAttributeNames: { '#enrollment': 'enrollment', '#version': 'version' },
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
  try {
    return await run();
  } finally {
    beforeTransactions();
  }
};
