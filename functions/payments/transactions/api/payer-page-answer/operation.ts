import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { Maybe } from '#payments/payments/request-schemas.ts';
import { IdField } from '../../field-schemas.ts';
import { payerPageDeclaration, Token } from '../../payer/payer-declarations.ts';

export const payerPageAnswerOperation = defineOperation('transactions/payer-page-answer', {
  ...payerPageDeclaration,
  summary: "Receive a payer's code",
  description:
    'The forms of the page of a payment that waits for a code: each code that is tried counts; `resend=1` sends another one.',
  method: 'POST',
  otherMethods: ['GET'],
  params: v.object({ id: IdField, token: Token }),
  body: v.object({
    code: describeField(Maybe(Text(20)), 'The code that the payer was sent.'),
    resend: describeField(Maybe(v.literal('1', 'must be 1')), '1 sends another code to the payer.'),
  }),
  formats: ['form'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], secrets: ['encryption'] },
});
