import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { bank } from '../../declarations.ts';

export const sandboxBankOperation = defineOperation('lookups/sandbox-bank', {
  ...bank,
  summary: 'Show the statement of the test card at the sandbox’s bank',
  description:
    'A page to try out look-ups of orders: the charges of the test card 4242 at a merchant, named by its `oi_merchant_id`. A charge shows ' +
    'what a bank shows of it.',
  method: 'GET',
  otherMethods: ['POST'],
  params: v.object({
    client: describeField(
      v.optional(v.pipe(AnyText, v.trim(), v.maxLength(65, 'is too long')), ''),
      'The merchant’s `oi_merchant_id`.',
    ),
  }),
  grants: { table: ['GetItem', 'Query'] },
});
