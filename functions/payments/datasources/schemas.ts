import * as v from 'valibot';
import {
  DescriptionField,
  NameField,
  NameReply,
  StatusOkField,
  TotalResultReply,
} from '#core/kernel/schema/field-schemas.ts';

export const ListOf = <S extends v.GenericSchema>(item: S) =>
  v.object({
    list: v.pipe(v.array(item), v.description('One page, the newest first unless `order` says otherwise.')),
    totalResult: TotalResultReply,
  });
const entry = {
  id: v.pipe(v.number(), v.description('What creation operations take.')),
  name: NameReply,
  description: v.pipe(v.string(), v.description('A description for people.')),
};
export const EntryList = ListOf(v.object(entry));
export const NewEntry = v.object({ name: NameField, description: DescriptionField });
export const EntryAdded = v.object({ status: StatusOkField, ...entry });
