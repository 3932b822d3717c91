import { endpoint } from '#core/platform/http/http.ts';
import { listedCurrencies } from '#payments/payments/currency-list.ts';
import { listCurrencies } from './operation.ts';

export const handler = endpoint(listCurrencies, async () => ({
  list: [...listedCurrencies],
  totalResult: listedCurrencies.length,
}));
