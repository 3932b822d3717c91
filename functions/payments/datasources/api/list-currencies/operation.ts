import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { list } from '../../declarations.ts';
import { ListOf } from '../../schemas.ts';

export const CurrencyList = ListOf(
  v.object({
    code: v.pipe(v.string(), v.description('Three letters of ISO 4217.')),
    numeric: v.pipe(v.string(), v.description('Three digits.')),
    name: v.pipe(v.string(), v.description('In English.')),
    exponent: v.pipe(v.number(), v.description('How many decimals its amounts have.')),
  }),
);

export const listCurrenciesOperation = defineOperation({
  ...list,
  name: 'list-currencies',
  summary: 'Supported currencies and their codes (ISO 4217)',
  description: 'Every currency of ISO 4217 with its code, its number and how many decimals it has.',
  path: '/api/v3/datasource/defaultcurrency',
  reply: CurrencyList,
  grants: {},
});
