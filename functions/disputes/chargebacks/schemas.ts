import * as v from 'valibot';
import { disputeStages, disputeStatuses } from '#payments/processors/ports/dispute.ts';
import { processorNames } from '#payments/processors/ports/processors.ts';

/** A chargeback's identifier; one that we cannot have issued is simply not found. */
export const ChargebackParams = v.object({ id: v.pipe(v.string(), v.maxLength(64, 'is not the id of a chargeback')) });

const summaryFields = {
  chargeback_id: v.string(),
  processor: v.picklist(processorNames),
  reference: v.pipe(v.string(), v.description("The processor's own identifier of the payment.")),
  dispute_reference: v.pipe(v.string(), v.description("The processor's own identifier of the dispute.")),
  txid: v.pipe(v.nullable(v.number()), v.description('The payment, if it was taken here.')),
  alert_id: v.pipe(v.nullable(v.number()), v.description('The alert that was about the payment.')),
  mid: v.number(),
  sid: v.pipe(
    v.nullable(v.number()),
    v.description('The site that took the payment; null: none of the merchant’s sites here.'),
  ),
  connection: v.pipe(
    v.nullable(v.string()),
    v.description("The merchant's own connection at which it was taken; null: it was taken here."),
  ),
  reason_code: v.string(),
  network: v.string(),
  amount: v.string(),
  currency: v.string(),
  stage: v.pipe(
    v.picklist(disputeStages),
    v.description('inquiry: nothing has been taken, and a refund may still end it.'),
  ),
  status: v.picklist(disputeStatuses),
  due_by: v.pipe(v.nullable(v.string()), v.description('Until when it can be contested.')),
  opened_at: v.string(),
  closed_at: v.nullable(v.string()),
};

export const ChargebackSummary = v.object(summaryFields);

export const ChargebackDetails = v.object({
  ...summaryFields,
  money_taken: v.pipe(v.boolean(), v.description('Whether the money is with the issuer now.')),
  accepted: v.pipe(v.nullable(v.object({ by: v.string(), at: v.string() })), v.description('Who accepted it.')),
  evidence_submitted_at: v.pipe(
    v.nullable(v.string()),
    v.description('When the processor accepted our evidence; null: it has not.'),
  ),
  history: v.array(
    v.object({
      at: v.string(),
      by: v.string(),
      stage: v.picklist(disputeStages),
      status: v.picklist(disputeStatuses),
    }),
  ),
});
