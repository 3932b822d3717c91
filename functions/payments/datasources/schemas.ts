import * as v from 'valibot';
import {
  DescriptionField,
  NameField,
  NameReply,
  StatusOkField,
  TotalResultReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';

export const ListReply = <S extends v.GenericSchema>(item: S) =>
  v.object({
    list: describeField(v.array(item), 'All of them.'),
    totalResult: TotalResultReply,
  });
const entry = {
  id: count('What creation operations take.'),
  name: NameReply,
  description: text('A description for people.'),
};
export const EntryList = ListReply(v.object(entry));
export const NewEntry = v.object({ name: NameField, description: DescriptionField });
export const EntryAdded = v.object({ status: StatusOkField, ...entry });
