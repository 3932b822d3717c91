import { endpoint } from '#core/platform/http/http.ts';
import { toPriceDto } from '../../price.ts';
import { pricesForCaller } from '../../price-store.ts';
import { alertPriceDetailsOperation } from './operation.ts';

export const handler = endpoint(alertPriceDetailsOperation, async ({ params: { mid }, caller }) => {
  const { list } = await pricesForCaller(mid, caller);
  return { mid, prices: list.map(toPriceDto) };
});
