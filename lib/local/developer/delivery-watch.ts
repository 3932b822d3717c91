import { type AttributeValue, BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { keys } from '#core/platform/table/keys.ts';
import { deliverySummary, fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { attemptText } from './attempts.ts';

const Line = v.object({ event: v.literal('delivery_attempt'), deliveryId: v.string(), slot: v.string() });

const parseLine = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** The attempts of which a function's log lines tell. */
const attemptsIn = (logs: readonly string[]) =>
  logs.flatMap((line) => {
    // Few lines report one, and each would have to be parsed.
    if (!line.includes('delivery_attempt')) return [];
    const result = v.safeParse(Line, parseLine(line));
    return result.success ? [result.output] : [];
  });

type Reader = { client: Pick<DynamoDBClient, 'send'>; tableName: string };
type Summary = ReturnType<typeof deliverySummary>;

/** The most rows that one call gives. */
const perCall = 100;

/** Those of these deliveries that are there, by their identifiers. */
const readDeliveries = async ({ client, tableName }: Reader, ids: readonly string[]): Promise<Map<string, Summary>> => {
  const rows: Record<string, AttributeValue>[] = [];
  for (let start = 0; start < ids.length; start += perCall) {
    const Keys = ids.slice(start, start + perCall).map((id) => marshall(keys.delivery(id)));
    const asked = { RequestItems: { [tableName]: { Keys, ConsistentRead: true } } };
    rows.push(...((await client.send(new BatchGetItemCommand(asked))).Responses?.[tableName] ?? []));
  }
  const deliveries = rows.map((row) => fromDeliveryItem(unmarshall(row)));
  return new Map(deliveries.map((delivery) => [delivery.id, deliverySummary(delivery)]));
};

/**
 * Describes the results of the attempts that a function made, wherever they went. The URL is read from the delivery's row: logs contain
 * none, as merchants put secrets into them.
 */
export const deliveryTexts = async (
  logs: readonly string[],
  client: Pick<DynamoDBClient, 'send'>,
  tableName: string,
): Promise<string[]> => {
  const attempts = attemptsIn(logs);
  const ids = [...new Set(attempts.map(({ deliveryId }) => deliveryId))];
  const deliveries = await readDeliveries({ client, tableName }, ids);
  return attempts.flatMap(({ deliveryId, slot }) => {
    const shown = deliveries.get(deliveryId);
    const index = shown?.attempts.findLastIndex((one) => one.slot === slot) ?? -1;
    const attempt = shown?.attempts[index];
    return attempt ? [attemptText(shown, attempt, index === shown.attempts.length - 1)] : [];
  });
};
