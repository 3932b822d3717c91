import * as v from 'valibot';
import { ChargebackIdReply, DescriptorReply, ReasonCodeReply, RuleIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { DuplicateAlertidReply } from '../field-schemas.ts';

/** The evidence that an alert's price can be reclaimed. */
export const CreditEvidenceDto = describeField(
  v.object({
    reason_code: v.optional(ReasonCodeReply),
    refunded_at: describeField(v.optional(v.string()), 'When it was refunded (ISO 8601, UTC).'),
    charged_back_at: describeField(v.optional(v.string()), 'When it was charged back (ISO 8601, UTC).'),
    chargeback_id: v.optional(ChargebackIdReply),
    txid: describeField(v.optional(v.number()), 'The refund that was made here.'),
    rule_id: v.optional(RuleIdReply),
    transaction: describeField(v.optional(v.string()), 'The transaction that it is about.'),
    duplicate_alertid: v.optional(DuplicateAlertidReply),
    descriptor: v.optional(DescriptorReply),
    note: describeField(v.optional(v.string()), 'A remark by the person who did it.'),
  }),
  'What shows it: the answer, when the money had gone back, which alert came first, what a person says.',
);
