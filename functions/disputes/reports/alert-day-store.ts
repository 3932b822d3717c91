import { keys } from '#core/platform/table/keys.ts';
import { type Item, queryItems } from '#core/platform/table/table.ts';
import { figuresOfItem } from './alert-day-row.ts';

/** The days of a merchant or a site from one to another, both included, in order; days without an alert have no row. */
export const readAlertDays = async (scope: string, from: string, to: string) => {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await queryItems({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': keys.alertDay(scope, from).pk,
        ':from': keys.alertDay(scope, from).sk,
        ':to': keys.alertDay(scope, to).sk,
      },
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    items.push(...page.items);
    ExclusiveStartKey = page.lastKey;
  } while (ExclusiveStartKey);
  return items.flatMap((item) => figuresOfItem(item) ?? []);
};
