import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { processorPage } from '../../declarations.ts';

export const PageAnswer = v.object({
  answer: describeField(v.picklist(['approve', 'decline'], 'must be approve or decline'), 'What the payer pressed.'),
});

export const sandboxPageAnswerOperation = defineOperation('processors/sandbox-page-answer', {
  ...processorPage,
  summary: "Receive the payer's answer to a sandbox payment",
  description: 'The first answer counts; the payment then goes on. Sending it again shows what came of it.',
  method: 'POST',
  otherMethods: ['GET'],
  body: PageAnswer,
  formats: ['form'],
  grants: { table: ['GetItem', 'PutItem'], send: ['settlement'] },
});
