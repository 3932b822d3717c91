import * as v from 'valibot';
import {
  AtReply,
  ByReply,
  ChargebackIdReply,
  CurrencyReply,
  MerchantIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { disputeStages, disputeStatuses } from '#payments/processors/ports/dispute.ts';
import { processorNames } from '#payments/processors/ports/processors.ts';

/** A chargeback's identifier; one that we cannot have issued is simply not found. */
export const ChargebackParams = v.object({
  id: v.pipe(AnyText, v.maxLength(64, 'is not the id of a chargeback'), v.description('The order, or the site.')),
});

const chargebackSummaryFields = {
  chargeback_id: ChargebackIdReply,
  processor: v.pipe(v.picklist(processorNames), v.description('The processor.')),
  reference: v.pipe(v.string(), v.description("The processor's own identifier of the payment.")),
  dispute_reference: v.pipe(v.string(), v.description("The processor's own identifier of the dispute.")),
  txid: v.pipe(v.nullable(v.number()), v.description('The payment, if it was taken here.')),
  alert_id: v.pipe(v.nullable(v.number()), v.description('The alert that was about the payment.')),
  mid: MerchantIdReply,
  sid: v.pipe(
    v.nullable(v.number()),
    v.description('The site that took the payment; null: none of the merchant’s sites here.'),
  ),
  connection: v.pipe(
    v.nullable(v.string()),
    v.description("The merchant's own connection at which it was taken; null: it was taken here."),
  ),
  reason_code: v.pipe(
    v.string(),
    v.description('Why the issuer raised it: the scheme’s code, or the processor’s word.'),
  ),
  network: v.pipe(v.string(), v.description('The card’s scheme, as the processor names it.')),
  amount: v.pipe(v.string(), v.description('What is disputed.')),
  currency: CurrencyReply,
  stage: v.pipe(
    v.picklist(disputeStages),
    v.description('inquiry: nothing has been taken, and a refund may still end it.'),
  ),
  status: v.pipe(
    v.picklist(disputeStatuses),
    v.description('open, under_review, won, lost, or accepted: you no longer contest it.'),
  ),
  due_by: v.pipe(v.nullable(v.string()), v.description('Until when it can be contested.')),
  opened_at: v.pipe(v.string(), v.description('When the issuer raised it (ISO 8601, UTC).')),
  closed_at: v.pipe(v.nullable(v.string()), v.description('When it was found to be closed; null if it is not.')),
};

export const ChargebackSummarySchema = v.object(chargebackSummaryFields);

export const ChargebackDetails = v.object({
  ...chargebackSummaryFields,
  money_taken: v.pipe(v.boolean(), v.description('Whether the money is with the issuer now.')),
  accepted: v.pipe(v.nullable(v.object({ by: ByReply, at: AtReply })), v.description('Who accepted it.')),
  evidence_submitted_at: v.pipe(
    v.nullable(v.string()),
    v.description('When the processor accepted our evidence; null: it has not.'),
  ),
  history: v.pipe(
    v.array(
      v.object({
        at: AtReply,
        by: ByReply,
        stage: v.pipe(
          v.picklist(disputeStages),
          v.description('inquiry: nothing is taken yet; chargeback; arbitration: raised a second time.'),
        ),
        status: v.pipe(
          v.picklist(disputeStatuses),
          v.description('open, under_review, won, lost, or accepted: you no longer contest it.'),
        ),
      }),
    ),
    v.description('How it got there, the oldest first.'),
  ),
});
