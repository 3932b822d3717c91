import * as v from 'valibot';
import { describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { processorNames } from './ports/processors.ts';

export const RouteReply = v.object({
  id: text('The account.'),
  processor: describeField(v.picklist(processorNames), 'The processor.'),
  schemes: describeField(v.nullable(v.array(v.string())), 'Card schemes, such as VISA; all if empty.'),
  currencies: describeField(v.nullable(v.array(v.string())), 'Currencies (ISO 4217); all if empty.'),
  min: nullableText('The least amount.'),
  max: nullableText('The largest amount.'),
});
export const PagePath = v.object({ id: v.pipe(AnyText, v.maxLength(100), v.description('The account.')) });
