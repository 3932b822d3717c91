import * as v from 'valibot';
import { count, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { list } from '../../declarations.ts';
import { ListReply } from '../../schemas.ts';

export const CurrencyList = ListReply(
  v.object({
    code: text('ISO 4217, three letters.'),
    numeric: text('Three digits.'),
    name: text('In English.'),
    exponent: count('How many decimals its amounts have.'),
  }),
);

export const listCurrenciesOperation = defineOperation('datasources/list-currencies', {
  ...list,
  summary: 'Supported currencies and their codes (ISO 4217)',
  description: 'Every currency of ISO 4217 with its code, its number and how many decimals it has.',
  path: '/api/v3/datasource/defaultcurrency',
  reply: CurrencyList,
  grants: {},
});
