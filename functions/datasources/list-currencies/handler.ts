import { endpoint } from '../../core/http.ts';
import { listedCurrencies } from '../../payments/currency-list.ts';
import { listCurrencies } from './operation.ts';

export const handler = endpoint(listCurrencies, async () => ({
  list: [...listedCurrencies],
  totalResult: listedCurrencies.length,
}));
