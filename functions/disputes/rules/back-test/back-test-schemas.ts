import * as v from 'valibot';
import { UpdatedAtReply } from '#core/kernel/schema/field-schemas.ts';

export const BackTestDto = v.object({
  back_test_id: v.pipe(v.string(), v.description('The back-test.')),
  state: v.pipe(v.picklist(['RUNNING', 'DONE', 'FAILED']), v.description('Its present state.')),
  error: v.pipe(v.nullable(v.string()), v.description('Why it failed.')),
  from: v.pipe(v.string(), v.description('From when.')),
  to: v.pipe(v.string(), v.description('Until when.')),
  progress: v.pipe(
    v.object({
      read: v.pipe(v.number(), v.description('How many alerts were read.')),
      expected: v.pipe(v.number(), v.description('How many there were when it was begun.')),
    }),
    v.description('How many alerts were read, of about how many.'),
  ),
  started_at: v.pipe(v.string(), v.description('When it was begun (ISO 8601, UTC).')),
  updated_at: UpdatedAtReply,
});
