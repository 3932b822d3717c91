import { endpoint } from '../../core/http.ts';
import { listedCurrencies } from '../currencies.ts';
import { listCurrencies } from '../operations.ts';

export const handler = endpoint(listCurrencies, async () => ({
  list: [...listedCurrencies],
  totalResult: listedCurrencies.length,
}));
