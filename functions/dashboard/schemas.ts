import * as v from 'valibot';
import { WellFormed } from '../core/schema.ts';

export const AppFileParams = v.object({
  id: v.pipe(
    v.string(),
    v.maxLength(100, 'must have at most 100 characters'),
    WellFormed,
    v.description('As the page names it.'),
  ),
});
