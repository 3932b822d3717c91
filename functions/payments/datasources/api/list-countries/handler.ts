import { endpoint } from '#core/platform/http/http.ts';
import { countries } from '../../country-list.ts';
import { listCountries } from './operation.ts';

export const handler = endpoint(listCountries, async () => ({
  list: [...countries],
  totalResult: countries.length,
}));
