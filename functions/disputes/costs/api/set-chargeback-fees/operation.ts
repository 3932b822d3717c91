import * as v from 'valibot';
import { MidPath } from '#accounts/merchants/schemas.ts';
import { MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Flag, Nested, Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ProviderAmountText, ProviderCurrencyCode, withAmounts } from '#disputes/providers/provider-fields.ts';
import { allProcessorNames } from '#payments/processors/ports/processors.ts';
import { maxDisputeFees } from '../../dispute-fee.ts';
import { DisputeFeesReply } from '../../schemas.ts';

const Fee = withAmounts(
  withAmounts(
    Nested({
      processor: describeField(
        v.optional(v.nullable(v.picklist(allProcessorNames, `must be one of ${allProcessorNames.join(', ')}`)), null),
        'The processor; absent or null: any that is not named.',
      ),
      currency: describeField(ProviderCurrencyCode, 'ISO 4217, three letters.'),
      dispute_fee: describeField(ProviderAmountText, 'What a dispute costs, however it ends; a decimal.'),
      counter_fee: describeField(ProviderAmountText, 'What contesting it costs; a decimal.'),
      counter_fee_returned: describeField(
        v.optional(Flag, false),
        'Whether the fee for contesting is returned if the dispute is won.',
      ),
    }),
    ['dispute_fee', 'currency'],
  ),
  ['counter_fee', 'currency'],
);

export const setChargebackFeesOperation = defineOperation('costs/set-chargeback-fees', {
  summary: 'Set what processors charge a merchant for chargebacks',
  description:
    'Replaces all entries. Your contract with the processor states the fees. Estimates of what contesting is worth, and rules that compare ' +
    'these, use them; a fee that is not set is unknown there, and is not guessed.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}',
  otherMethods: ['PATCH'],
  auth: 'bearer',
  permission: 'settings',
  roles: ['manager'],
  params: MidPath,
  body: v.object({
    chargeback_fees: v.pipe(
      v.array(Fee, 'must be a list of fees'),
      v.maxLength(maxDisputeFees, `must have at most ${maxDisputeFees} entries`),
      v.check(
        (list) => new Set(list.map(({ processor }) => processor)).size === list.length,
        'must name each processor once',
      ),
      v.description('At most one entry of a processor.'),
    ),
  }),
  reply: v.object({ ...Ok.entries, mid: MerchantIdReply, chargeback_fees: DisputeFeesReply }),
  errors: ['merchant_not_found', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'] },
  audit: true,
  auditValues: {
    changed: {
      'chargeback_fees.*.dispute_fee': 'value',
      'chargeback_fees.*.counter_fee': 'value',
      'chargeback_fees.*.counter_fee_returned': 'value',
    },
  },
});
