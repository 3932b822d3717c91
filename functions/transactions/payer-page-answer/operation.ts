import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { Id, Text } from '../../core/schema.ts';
import { page, Token } from '../payer-declarations.ts';

export const payerPageAnswer = defineOperation({
  ...page,
  name: 'payer-page-answer',
  summary: "Take a payer's code",
  description: 'The form of the page of a payment that waits for a code. Each code that is tried counts.',
  method: 'POST',
  params: v.object({ id: Id, token: Token }),
  body: v.object({ code: Text(20) }),
  formats: ['form'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], secrets: ['encryption'] },
});
