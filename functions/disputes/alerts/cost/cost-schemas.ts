import * as v from 'valibot';
import { ChargebackIdReply, DescriptorReply, ReasonCodeReply, RuleIdReply } from '#core/kernel/schema/field-schemas.ts';
import { DuplicateAlertidReply } from '../field-schemas.ts';

/** The evidence that an alert's price can be reclaimed. */
export const CreditEvidenceDto = v.pipe(
  v.object({
    reason_code: v.optional(ReasonCodeReply),
    refunded_at: v.pipe(v.optional(v.string()), v.description('When it was refunded (ISO 8601, UTC).')),
    charged_back_at: v.pipe(v.optional(v.string()), v.description('When it was charged back (ISO 8601, UTC).')),
    chargeback_id: v.optional(ChargebackIdReply),
    txid: v.pipe(v.optional(v.number()), v.description('The refund that was made here.')),
    rule_id: v.optional(RuleIdReply),
    transaction: v.pipe(v.optional(v.string()), v.description('The transaction that it is about.')),
    duplicate_alertid: v.optional(DuplicateAlertidReply),
    descriptor: v.optional(DescriptorReply),
    note: v.pipe(v.optional(v.string()), v.description('A remark by the person who did it.')),
  }),
  v.description('What shows it: the answer, when the money had gone back, which alert came first, what a person says.'),
);
