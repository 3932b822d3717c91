import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { bankViews } from '../../bank/bank.ts';
import { bank } from '../../declarations.ts';

export const BankQuestion = v.object({
  client: v.pipe(
    AnyText,
    v.trim(),
    v.minLength(1, 'is required'),
    v.maxLength(65, 'is too long'),
    v.description('The merchant’s `oi_merchant_id`.'),
  ),
  order: describeField(Id, 'The order.'),
  view: describeField(
    v.picklist(bankViews, `must be one of ${bankViews.join(', ')}`),
    'Who looks at the charge in the bank.',
  ),
  action: describeField(
    v.picklist(['ask', 'dispute'], 'must be ask or dispute'),
    'Whether the bank asks what the charge was, or disputes it.',
  ),
});

export const sandboxBankAskOperation = defineOperation('lookups/sandbox-bank-ask', {
  ...bank,
  summary: 'Ask what a charge was, or dispute it, at the sandbox’s bank',
  description:
    'The bank asks as provider_b does, signed with that provider’s secret, and shows what it is answered; or it sends the alert of a cardholder ' +
    'who does not recognise the charge.',
  method: 'POST',
  otherMethods: ['GET'],
  body: BankQuestion,
  formats: ['form'],
  errors: ['order_not_found'],
  grants: { table: ['GetItem', 'Query'], secrets: ['provider-b'] },
});
