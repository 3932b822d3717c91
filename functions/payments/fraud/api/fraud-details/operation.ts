import * as v from 'valibot';
import {
  AmountReply,
  CreatedAtReply,
  CurrencyReply,
  SiteIdReply,
  TransactionIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, nullableText } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fraudOperation } from '../../declarations.ts';
import { assessed } from '../../schemas.ts';

export const FraudParams = v.object({ fraud_id: describeField(Id, 'The fraud check.') });

export const FraudDetails = v.object({
  ...assessed,
  sid: SiteIdReply,
  kind: describeField(v.picklist(['payment', 'check']), 'Part of a payment, or a check without one.'),
  txid: v.nullable(TransactionIdReply),
  amount: AmountReply,
  currency: CurrencyReply,
  card: nullableText('Masked.'),
  failed: flag('A scorer did not answer, and the site takes no payments without it.'),
  facts: describeField(
    v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()])),
    'The facts that were known.',
  ),
  created_at: CreatedAtReply,
});

export const fraudDetailsOperation = defineOperation('fraud/fraud-details', {
  ...fraudOperation,
  permission: 'payments:read',
  summary: 'Show a fraud check and everything it was decided on',
  description: 'Of a payment or of a check alone, under the `fraud_id` that it was answered with.',
  path: '/api/v3/fraud/{fraud_id}/details',
  params: FraudParams,
  reply: FraudDetails,
  errors: ['fraud_check_not_found'],
  grants: { table: ['GetItem'] },
});
