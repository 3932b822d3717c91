import { endpoint } from '#core/platform/http/http.ts';
import { listedCurrencies } from '#payments/payments/currency-list.ts';
import { listCurrenciesOperation } from './operation.ts';

export const handler = endpoint(listCurrenciesOperation, async () => ({
  list: [...listedCurrencies],
  totalResult: listedCurrencies.length,
}));
