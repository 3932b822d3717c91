import * as v from 'valibot';

export const BackTestDto = v.object({
  back_test_id: v.string(),
  state: v.picklist(['RUNNING', 'DONE', 'FAILED']),
  error: v.pipe(v.nullable(v.string()), v.description('Why it failed.')),
  from: v.string(),
  to: v.string(),
  progress: v.pipe(
    v.object({ read: v.number(), expected: v.number() }),
    v.description('How many alerts were read, of about how many.'),
  ),
  started_at: v.string(),
  updated_at: v.string(),
});
