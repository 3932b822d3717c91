import { endpoint } from '#core/platform/http/http.ts';
import { toRateDto } from '../../rates/rate.ts';
import { rateHistory, ratesNow } from '../../rates/rate-store.ts';
import { listRatesOperation } from './operation.ts';

export const handler = endpoint(listRatesOperation, async ({ body: { from, to, size, cursor } }) => {
  const page = { size, cursor };
  const isPair = from !== undefined && to !== undefined;
  const { rates, nextCursor } = await (isPair ? rateHistory(from, to, page) : ratesNow(page));
  return { list: rates.map(toRateDto), next_cursor: nextCursor };
});
