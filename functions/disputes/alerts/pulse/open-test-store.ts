import { keys } from '#core/platform/table/keys.ts';
import { getItems, queryItems } from '#core/platform/table/table.ts';
import type { Alert } from '../alert.ts';
import { fromAlertItem } from '../alert-row.ts';
import { isOpenTestOf } from './open-test-row.ts';

const maxTests = 100;

/** The newest open test alerts of a scope; entries that an earlier release did not remove are compared with the alerts. */
export const readOpenTests = async (scope: string): Promise<Alert[]> => {
  const { items } = await queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.openTest(scope, 0).pk },
    ScanIndexForward: false,
    Limit: maxTests,
  });
  const rows = items.length === 0 ? [] : await getItems(items.map(({ id }) => keys.alert(Number(id))));
  return rows.flatMap((row) => (row ? [fromAlertItem(row)] : [])).filter((alert) => isOpenTestOf(alert, scope));
};
