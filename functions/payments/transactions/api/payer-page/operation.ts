import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { IdField } from '../../field-schemas.ts';
import { payerPageDeclaration, Token } from '../../payer/payer-declarations.ts';

export const payerPageOperation = defineOperation('transactions/payer-page', {
  ...payerPageDeclaration,
  summary: 'Show a payer the result of their payment, or the next step',
  description:
    'Where hosted pages and issuers send a payer back to, by a link that singletx made. A payment that waits for a code takes ' +
    'it here, for shops that have no page of their own for that.',
  method: 'GET',
  otherMethods: ['POST'],
  params: v.object({
    id: IdField,
    token: Token,
    redirectResult: describeField(
      v.optional(v.pipe(AnyText, v.maxLength(8000, 'is too long'))),
      'What the processor adds to the address when the payer comes back.',
    ),
  }),
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
    secrets: ['encryption'],
  },
});
