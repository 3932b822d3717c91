import * as v from 'valibot';

/** The evidence that an alert's price can be reclaimed. */
export const CreditEvidenceDto = v.pipe(
  v.object({
    reason_code: v.optional(v.string()),
    refunded_at: v.optional(v.string()),
    charged_back_at: v.optional(v.string()),
    chargeback_id: v.optional(v.string()),
    rule_id: v.optional(v.number()),
    transaction: v.optional(v.string()),
    duplicate_alertid: v.optional(v.number()),
    descriptor: v.optional(v.string()),
    note: v.optional(v.string()),
  }),
  v.description('What shows it: the answer, when the money had gone back, which alert came first, what a person says.'),
);
