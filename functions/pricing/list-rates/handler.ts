import { endpoint } from '../../core/http.ts';
import { toRateDto } from '../rate.ts';
import { rateHistory, ratesNow } from '../rate-store.ts';
import { listRates } from './operation.ts';

export const handler = endpoint(listRates, async ({ body: { from, to, size, cursor } }) => {
  const page = { size, cursor };
  const isPair = from !== undefined && to !== undefined;
  const { rates, nextCursor } = await (isPair ? rateHistory(from, to, page) : ratesNow(page));
  return { list: rates.map(toRateDto), next_cursor: nextCursor };
});
