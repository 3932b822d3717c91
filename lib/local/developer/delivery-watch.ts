import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { keys } from '../../../functions/core/keys.ts';
import { deliverySummary, fromDeliveryItem } from '../../../functions/notifications/delivery-row.ts';
import { attemptText } from './attempts.ts';

const Line = v.object({ event: v.literal('delivery_attempt'), deliveryId: v.string(), slot: v.string() });

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** The attempts of which a function's log lines tell. */
const attemptsIn = (logs: readonly string[]) =>
  logs.flatMap((line) => {
    const result = v.safeParse(Line, parsed(line));
    return result.success ? [result.output] : [];
  });

/**
 * Says in words what became of the attempts that a function made, wherever they went. The URL is read from the delivery's row: a
 * log has none, as merchants put secrets into theirs.
 */
export const deliveryTexts = async (
  logs: readonly string[],
  client: Pick<DynamoDBClient, 'send'>,
  tableName: string,
): Promise<string[]> => {
  const texts = attemptsIn(logs).map(async ({ deliveryId, slot }) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: marshall(keys.delivery(deliveryId)), ConsistentRead: true }),
    );
    const shown = Item && deliverySummary(fromDeliveryItem(unmarshall(Item)));
    const index = shown?.attempts.findLastIndex((one) => one.slot === slot) ?? -1;
    const attempt = shown?.attempts[index];
    return attempt ? [attemptText(shown, attempt, index === shown.attempts.length - 1)] : [];
  });
  return (await Promise.all(texts)).flat();
};
