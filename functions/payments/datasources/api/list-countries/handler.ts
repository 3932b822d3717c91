import { endpoint } from '#core/platform/http/http.ts';
import { countries } from '../../country-list.ts';
import { listCountriesOperation } from './operation.ts';

export const handler = endpoint(listCountriesOperation, async () => ({
  list: [...countries],
  totalResult: countries.length,
}));
