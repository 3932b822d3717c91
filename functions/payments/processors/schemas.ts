import * as v from 'valibot';
import { processorNames } from './ports/processors.ts';

export const RouteReply = v.object({
  id: v.string(),
  processor: v.picklist(processorNames),
  schemes: v.nullable(v.array(v.string())),
  currencies: v.nullable(v.array(v.string())),
  min: v.nullable(v.string()),
  max: v.nullable(v.string()),
});
export const PagePath = v.object({ id: v.pipe(v.string(), v.maxLength(100)) });
