import * as v from 'valibot';
import { UpdatedAtReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';

export const BackTestDto = v.object({
  back_test_id: text('The back-test.'),
  state: describeField(v.picklist(['RUNNING', 'DONE', 'FAILED']), 'Its present state.'),
  error: nullableText('Why it failed.'),
  from: text('From when.'),
  to: text('Until when.'),
  progress: describeField(
    v.object({
      read: count('How many alerts were read.'),
      expected: count('How many there were when it was begun.'),
    }),
    'How many alerts were read, of about how many.',
  ),
  started_at: text('When it was begun (ISO 8601, UTC).'),
  updated_at: UpdatedAtReply,
});
