import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { processorPage } from '../../declarations.ts';

export const PageAnswer = v.object({
  answer: v.pipe(
    v.picklist(['approve', 'decline'], 'must be approve or decline'),
    v.description('What the payer pressed.'),
  ),
});

export const sandboxPageAnswerOperation = defineOperation({
  ...processorPage,
  name: 'sandbox-page-answer',
  summary: "Receive the payer's answer to a sandbox payment",
  description: 'The first answer counts; the payment then goes on. Sending it again shows what came of it.',
  method: 'POST',
  otherMethods: ['GET'],
  body: PageAnswer,
  formats: ['form'],
  grants: { table: ['GetItem', 'PutItem'], send: ['settlement'] },
});
