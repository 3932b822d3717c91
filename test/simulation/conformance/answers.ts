import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Answer, Table } from '../world/dynamo.ts';
import { type Call, TableName } from './random-calls.ts';

/** The common part of the answers of DynamoDB, the emulator and the table in memory, in a form that can be compared and stored. */

/** Returns the meaningful parts of an answer, whatever gave it. */
export const plain = (value: unknown): unknown => {
  if (value instanceof Set) return { set: [...value].sort() };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, one]) => [name, plain(one)]),
  );
};

type Image = Record<string, AttributeValue>;
export type AwsError = Error & { Item?: Image; CancellationReasons?: { Code?: string; Item?: Image }[] };

export const toError = (error: AwsError): unknown => {
  const { name, Item, CancellationReasons } = error;
  if (name === 'ValidationException') return { name };
  return plain({
    name,
    ...(Item && { Item: unmarshall(Item) }),
    // DynamoDB leaves open whether the old item comes with reasons that are none.
    ...(CancellationReasons && {
      reasons: CancellationReasons.map((reason) => [
        reason.Code,
        reason.Code !== 'None' && reason.Item ? unmarshall(reason.Item) : null,
      ]),
    }),
  });
};

export const toMeaning = (value: object, table = TableName): unknown => {
  const { Item, Items, Count, ScannedCount, Attributes, Responses, LastEvaluatedKey } = value as Record<
    string,
    unknown
  >;
  const read = (Responses as Record<string, Record<string, unknown>[]> | undefined)?.[table];
  const byKey =
    read && [...read].sort((left, right) => (`${left['pk']}${left['sk']}` < `${right['pk']}${right['sk']}` ? -1 : 1));
  return plain({ Item, Items, Count, ScannedCount, Attributes, byKey, LastEvaluatedKey });
};

export const askMemory = (table: Table, { name, input }: Call, token: number): unknown => {
  const answers: Answer[] = [];
  table.perform(name, input, token, (given) => answers.push(given));
  const [answer] = answers;
  if (!answer) throw new Error('It did not answer at once');
  return 'error' in answer ? toError(answer.error as AwsError) : toMeaning(answer.value as object);
};

export const openMemory = (): Table => new Table({ now: 0, after: () => undefined }, { lag: () => 0, lock: () => 0 });
