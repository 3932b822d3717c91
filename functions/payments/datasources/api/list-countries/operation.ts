import * as v from 'valibot';
import { text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { list } from '../../declarations.ts';
import { ListReply } from '../../schemas.ts';

export const CountryList = ListReply(
  v.object({
    alpha2: text('Two letters of ISO 3166-1.'),
    alpha3: text('ISO 3166-1, three letters.'),
    numeric: text('Three digits.'),
    name: text('In English.'),
  }),
);

export const listCountriesOperation = defineOperation('datasources/list-countries', {
  ...list,
  summary: 'Countries and their codes (ISO 3166-1)',
  description: 'Every country of ISO 3166-1 with its two- and three-letter code, its number and its English name.',
  path: '/api/v3/datasource/country',
  reply: CountryList,
  grants: {},
});
