import { describe, expect, it } from 'vitest';
import { partitionsOfCall } from '#lib/local/aws/access.ts';

const pk = (text: string) => ({ pk: { S: text }, sk: { S: 'X' } });
const of = (action: string, body: object) => partitionsOfCall(`DynamoDB_20120810.${action}`, body);

const touched = (rows: string[], lists: string[] = []) => ({ rows, lists });

describe('the partitions that a call touches', () => {
  it.each([
    ['GetItem', { Key: pk('USER#ann') }, touched(['USER#ann'])],
    ['PutItem', { Item: { ...pk('SITE#1'), site: { M: { pk: { N: '1' } } } } }, touched(['SITE#1'])],
    ['UpdateItem', { Key: pk('TX#1'), ExpressionAttributeValues: { ':pk': { S: 'SITE#1' } } }, touched(['TX#1'])],
    [
      'BatchGetItem',
      { RequestItems: { table: { Keys: [pk('USER#a'), pk('TOKEN#b')] } } },
      touched(['USER#a', 'TOKEN#b']),
    ],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { Item: pk('A#1') } },
          { Delete: { Key: pk('B#1') } },
          { ConditionCheck: { Key: pk('C#1') } },
        ],
      },
      touched(['A#1', 'B#1', 'C#1']),
    ],
    [
      'Query',
      { KeyConditionExpression: 'pk = :pk AND sk >= :from', ExpressionAttributeValues: { ':pk': { S: 'RULE#1' } } },
      touched(['RULE#1']),
    ],
    [
      'Query',
      {
        IndexName: 'list1',
        KeyConditionExpression: 'list1Pk = :list',
        ExpressionAttributeValues: { ':list': { S: 'X' } },
      },
      touched([], ['X']),
    ],
  ])('%s %j', (action, body, expected) => expect(of(action, body)).toEqual(expected));

  it('are none for calls of other services', () =>
    expect(partitionsOfCall('AmazonSQS.SendMessage', { MessageBody: '{}' })).toEqual(touched([])));
});
