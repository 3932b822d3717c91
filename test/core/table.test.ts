import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import {
  ConditionFailedError,
  getItem,
  getItems,
  putItem,
  transact,
  tryTransact,
  updateItem,
} from '#core/platform/table/table.ts';
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

  it('answers more items than one call may ask for', async () => {
    await Promise.all([1, 100, 101, 230].map((n) => putItem({ ...key(`many-${n}`), n })));
    const found = await getItems(Array.from({ length: 230 }, (_, index) => key(`many-${index + 1}`)));
    expect(found).toHaveLength(230);
    expect(found.flatMap((item, index) => (item ? [[index + 1, item['n']]] : []))).toEqual(
      [1, 100, 101, 230].map((n) => [n, n]),
    );
  });

  it('retries a single write that conflicts with a transaction, and finally gives up', async () => {
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

  it('names the item that blocked a put', async () => {
    await putItem({ ...key('taken'), n: 1 });
    const refused = await putItem({ ...key('taken'), n: 2 }, isNew).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConditionFailedError);
    expect((refused as ConditionFailedError).item).toEqual({ ...key('taken'), n: 1 });
  });

  describe('transact', () => {
    const put = (name: string) => ({ Put: { Item: { ...key(name), n: 9 }, ...isNew } });

    it('writes all or nothing, and names the writes that failed', async () => {
      await putItem({ ...key('first'), n: 1 });
      const refused = transact({ fresh: put('second'), taken: put('first') });
      await expect(refused).rejects.toThrow('A condition did not hold (taken)');
      await expect(refused).rejects.toBeInstanceOf(ConditionFailedError);
      expect(await getItem(key('second'))).toBeUndefined();
    });

    it('tells by name which write met what, wherever the write stands', async () => {
      await putItem({ ...key('standing'), n: 1 });
      const named = { fresh: put('fresh'), taken: put('standing') };
      for (const writes of [named, { front: put('front'), ...named }]) {
        const conflict = await tryTransact(writes);
        expect([conflict?.on('fresh'), conflict?.on('taken'), conflict?.onlyOn('taken')]).toEqual([false, true, true]);
        expect(conflict?.itemOf('taken')).toEqual({ ...key('standing'), n: 1 });
      }
    });

    it('returns the items that a group of writes met, in the order of the group', async () => {
      await putItem({ ...key('known'), n: 1 });
      const conflict = await tryTransact({ lone: put('lone'), group: [put('new'), put('known')], none: [] });
      expect(conflict?.itemsOf('group')).toEqual([undefined, { ...key('known'), n: 1 }]);
      expect([conflict?.on('none'), conflict?.itemsOf('none')]).toEqual([false, []]);
    });

    it('leaves out a write that is undefined', async () => {
      expect(await tryTransact({ absent: undefined, present: put('present') })).toBeUndefined();
      expect(await getItem(key('present'))).toMatchObject({ n: 9 });
    });

    it('asks only for names that were given', async () => {
      const conflict = await tryTransact({ standing: put('standing') });
      // @ts-expect-error A name that is in no write of the transaction.
      expect(conflict?.on('stading')).toBe(false);
    });
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
    expect((refused as ConditionFailedError).item).toMatchObject({ n: 2 });
  });
});
