import * as v from 'valibot';
import { KeptText, OptionalKeptText } from '#core/kernel/schema/card-free.ts';

export const ListOf = <S extends v.GenericSchema>(item: S) =>
  v.object({ list: v.array(item), totalResult: v.number() });
const entry = {
  id: v.pipe(v.number(), v.description('What creation operations take.')),
  name: v.string(),
  description: v.string(),
};
export const EntryList = ListOf(v.object(entry));
export const NewEntry = v.object({ name: KeptText(200), description: OptionalKeptText(2000) });
export const EntryAdded = v.object({ status: v.literal('ok'), ...entry });
