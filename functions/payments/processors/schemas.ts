import * as v from 'valibot';
import { AnyText } from '#core/kernel/schema/text.ts';
import { processorNames } from './ports/processors.ts';

export const RouteReply = v.object({
  id: v.pipe(v.string(), v.description('The account.')),
  processor: v.pipe(v.picklist(processorNames), v.description('The processor.')),
  schemes: v.pipe(v.nullable(v.array(v.string())), v.description('Card schemes, such as VISA; all if empty.')),
  currencies: v.pipe(v.nullable(v.array(v.string())), v.description('Currencies (ISO 4217); all if empty.')),
  min: v.pipe(v.nullable(v.string()), v.description('The least amount.')),
  max: v.pipe(v.nullable(v.string()), v.description('The largest amount.')),
});
export const PagePath = v.object({ id: v.pipe(AnyText, v.maxLength(100), v.description('The account.')) });
