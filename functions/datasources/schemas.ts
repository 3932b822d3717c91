import * as v from 'valibot';
import { OptionalText, Text } from '../core/schema.ts';
import { shownContent, templateContent } from '../fraud/template-schemas.ts';

const listed = <S extends v.GenericSchema>(item: S) => v.object({ list: v.array(item), totalResult: v.number() });

export const CountryList = listed(
  v.object({
    alpha2: v.pipe(v.string(), v.description('Two letters of ISO 3166-1.')),
    alpha3: v.string(),
    numeric: v.pipe(v.string(), v.description('Three digits.')),
    name: v.pipe(v.string(), v.description('In English.')),
  }),
);

export const CurrencyList = listed(
  v.object({
    code: v.pipe(v.string(), v.description('Three letters of ISO 4217.')),
    numeric: v.pipe(v.string(), v.description('Three digits.')),
    name: v.pipe(v.string(), v.description('In English.')),
    exponent: v.pipe(v.number(), v.description('How many decimals its amounts have.')),
  }),
);

export const PaymentMethodList = listed(
  v.object({
    code: v.pipe(v.string(), v.description('What a transaction has as `card_type`.')),
    name: v.string(),
  }),
);

const entry = {
  id: v.pipe(v.number(), v.description('What creation operations take.')),
  name: v.string(),
  description: v.string(),
};
export const EntryList = listed(v.object(entry));
export const NewEntry = v.object({ name: Text(200), description: OptionalText(2000) });
export const EntryAdded = v.object({ status: v.literal('ok'), ...entry });

export const NewFraudTemplate = v.object({ ...NewEntry.entries, ...templateContent });
export const FraudTemplateAdded = v.object({ ...EntryAdded.entries, ...shownContent });
