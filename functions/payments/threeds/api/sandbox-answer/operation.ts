import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { challengeActions } from '../../sandbox/sandbox-challenge.ts';
import { Creq, ofIssuer } from '../../sandbox/sandbox-declarations.ts';

export const sandboxAnswerOperation = defineOperation('threeds/sandbox-answer', {
  ...ofIssuer,
  summary: 'Receive what a payer does on that page',
  description:
    'Once it has ended it stays as it ended. `late`: the 3DS server learns of it five seconds later; `never`: not at all.',
  method: 'POST',
  onlyWhere: 'allowSandbox',
  path: '/sandbox/acs/answer',
  body: v.object({
    creq: Creq,
    code: describeField(
      v.optional(v.pipe(AnyText, v.maxLength(20, 'must have at most 20 characters')), ''),
      'What a payer types in.',
    ),
    action: describeField(
      v.picklist(challengeActions, `must be one of ${challengeActions.join(', ')}`),
      'What the payer does at the sandbox’s issuer.',
    ),
  }),
  formats: ['form'],
  grants: { table: ['GetItem', 'PutItem'] },
});
