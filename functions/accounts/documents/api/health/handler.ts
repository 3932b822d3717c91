import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { healthOperation } from './operation.ts';

/** No merchant has this number: the check is only that the table answers. */
const nobody = 0;

export const handler = endpoint(
  healthOperation,
  async () => {
    await getItem(keys.merchant(nobody));
    return { status: 'ok' as const, time: nowIso() };
  },
  { headers: { 'cache-control': 'no-store' } },
);
