import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { type As, ask } from '#test/support/operations.ts';
import { sentOrder } from './samples.ts';

/** A merchant that keeps its orders, and what the table holds of them. */

type Fields = Record<string, unknown>;
export type Shop = { mid: number; rid: number; sid: number; as: As; clientId: string };

const made = async (answer: Promise<{ status: number; body: unknown }>): Promise<Record<string, number>> => {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body as Record<string, number>;
};

let shops = 0;

/** A merchant with a site; each has a name of its own at providers. */
export const openShop = async (merchant: Fields = {}): Promise<Shop> => {
  shops += 1;
  const clientId = `oi-${shops}`;
  const { mid = 0 } = await made(
    ask('merchants/create-merchant', {
      body: { name: 'Shop', order_insights: true, oi_merchant_id: clientId, ...merchant },
    }),
  );
  const { rid = 0 } = await made(ask('merchants/create-retailer', { params: { mid }, body: { name: 'Retailer' } }));
  const { sid = 0 } = await made(ask('merchants/create-site', { params: { mid, rid }, body: { name: 'Shop Online' } }));
  return { mid, rid, sid, as: { mid }, clientId };
};

/** Stores an order and answers its number. */
export const store = async ({ sid, as }: Shop, change: Fields = {}): Promise<number> => {
  const { order_id: orderId = 0 } = await made(ask('orders/create-order', { as, body: { sid, ...sentOrder(change) } }));
  return orderId;
};

/** Every row of the table, as it is. */
export const allRows = async (): Promise<Fields[]> => {
  const client = new DynamoDBClient({});
  const rows: Fields[] = [];
  let ExclusiveStartKey: Fields | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: 'forewarn-test', ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
    );
    rows.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  client.destroy();
  return rows;
};

/** The rows that say any of these words anywhere. */
export const rowsWith = async (...words: (string | number)[]): Promise<Fields[]> =>
  (await allRows()).filter((row) => {
    const text = JSON.stringify(row, (_, value: unknown) => (value instanceof Set ? [...value] : value));
    return words.some((word) => text.includes(String(word)));
  });

/** The entities of rows, in order. */
export const listEntities = (rows: readonly Fields[]): string[] => rows.map(({ entity }) => String(entity)).sort();

/** That a call was refused so, and names the field. */
export const expectRefused = (answer: { status: number; body: unknown }, status: number, details?: string): void => {
  expect([answer.status, answer.body]).toEqual([
    status,
    expect.objectContaining(details === undefined ? {} : { details: expect.stringContaining(details) }),
  ]);
};
