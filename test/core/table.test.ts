import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { ConditionFailed, getItem, getItems, putItem, transact, updateItem } from '#core/platform/table/table.ts';
import { useEmulator } from '#test/support/table.ts';

useEmulator();
const key = (name: string) => ({ pk: name, sk: 'X' });
const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };

describe('the table', () => {
  it('answers items in the order of their keys, and undefined for what is not there', async () => {
    await putItem({ ...key('b'), n: 2 });
    await putItem({ ...key('a'), n: 1 });
    expect(await getItems([key('a'), key('missing'), key('b')])).toEqual([
      { ...key('a'), n: 1 },
      undefined,
      { ...key('b'), n: 2 },
    ]);
  });

  it('writes a single item again when a transaction was in the way, and gives up in the end', async () => {
    const conflict = new TransactionConflictException({ message: 'A transaction is under way', $metadata: {} });
    const client = mockClient(DynamoDBDocumentClient);
    try {
      client.on(PutCommand).rejectsOnce(conflict).rejectsOnce(conflict).resolves({});
      await putItem({ ...key('a') });
      expect(client.commandCalls(PutCommand)).toHaveLength(3);
      client
        .on(UpdateCommand)
        .rejectsOnce(conflict)
        .resolves({ Attributes: { n: 1 } });
      expect(await updateItem({ Key: key('a'), UpdateExpression: 'SET n = :n' })).toEqual({ n: 1 });
      client.on(PutCommand).rejects(conflict);
      await expect(putItem({ ...key('a') })).rejects.toBe(conflict);
    } finally {
      client.restore();
    }
  });

  it('says which item stood in the way of a put', async () => {
    await putItem({ ...key('taken'), n: 1 });
    const refused = await putItem({ ...key('taken'), n: 2 }, isNew).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConditionFailed);
    expect((refused as ConditionFailed).items.get(0)).toEqual({ ...key('taken'), n: 1 });
  });

  it('writes a transaction whole or not at all, and names the part that failed', async () => {
    await putItem({ ...key('first'), n: 1 });
    const refused = await transact([
      { Put: { Item: { ...key('second'), n: 2 } } },
      { Put: { Item: { ...key('first'), n: 9 }, ...isNew } },
    ]).catch((error: unknown) => error);
    expect((refused as ConditionFailed).items.get(1)).toEqual({ ...key('first'), n: 1 });
    expect(await getItem(key('second'))).toBeUndefined();
  });

  it('answers an updated item as it is then, and a refused one as it was', async () => {
    await putItem({ ...key('counted'), n: 1 });
    const update = {
      Key: key('counted'),
      UpdateExpression: 'ADD n :one',
      ConditionExpression: 'n = :one',
      ExpressionAttributeValues: { ':one': 1 },
    };
    expect(await updateItem(update)).toMatchObject({ n: 2 });
    const refused = await updateItem(update).catch((error: unknown) => error);
    expect((refused as ConditionFailed).items.get(0)).toMatchObject({ n: 2 });
  });
});
