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
import { evidenceFileTypes, evidenceKinds } from '#payments/processors/ports/evidence-kinds.ts';
import { allProcessorNames } from '#payments/processors/ports/processors.ts';

/** A chargeback's identifier; one that we cannot have issued is simply not found. */
export const ChargebackParams = v.object({
  id: v.pipe(AnyText, v.maxLength(64, 'is not the id of a chargeback'), v.description('The order, or the site.')),
});

const kindWords =
  'What the file proves: a receipt, a conversation with the customer, shipping, a service, a policy, a signature, two separate charges, or something else.';

export const EvidenceKindField = v.pipe(
  v.picklist(evidenceKinds, `must be one of ${evidenceKinds.join(', ')}`),
  v.description(kindWords),
);
export const FileIdReply = v.pipe(v.string(), v.description('The file.'));
export const FileIdField = v.pipe(
  AnyText,
  v.regex(/^file_[0-9a-z]{24}$/, 'is not the id of a file'),
  v.description('The file, as `…/files/upload` named it.'),
);

const evidenceFileFields = {
  file_id: FileIdReply,
  kind: v.pipe(v.picklist(evidenceKinds), v.description(kindWords)),
  name: v.pipe(v.string(), v.description('Its name, for people.')),
  type: v.pipe(v.picklist(evidenceFileTypes), v.description('Its type, by its content.')),
  bytes: v.pipe(v.number(), v.description('Its size.')),
  pages: v.pipe(v.exactOptional(v.number()), v.description('Its pages; absent if they could not be counted.')),
  by: ByReply,
  at: AtReply,
};
/** A file with the address from which it can be downloaded. */
export const DownloadableFile = v.object({
  ...evidenceFileFields,
  url: v.pipe(v.string(), v.description('From where it can be downloaded for 15 minutes.')),
});

const statusWords =
  'open, under_review, won, lost, accepted: you no longer contest it; or refunded_by_network: the cardholder has the money, and there is no chargeback.';

const chargebackSummaryFields = {
  chargeback_id: ChargebackIdReply,
  processor: v.pipe(v.picklist(allProcessorNames), v.description('The processor.')),
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
  status: v.pipe(v.picklist(disputeStatuses), v.description(statusWords)),
  unmapped_state: v.pipe(
    v.nullable(v.string()),
    v.description('A state at the processor that is not known here: stage and status are the last known ones.'),
  ),
  due_by: v.pipe(v.nullable(v.string()), v.description('Until when it can be contested.')),
  opened_at: v.pipe(v.string(), v.description('When the issuer raised it (ISO 8601, UTC).')),
  closed_at: v.pipe(v.nullable(v.string()), v.description('When it was found to be closed; null if it is not.')),
  evidence_submitted_at: v.pipe(
    v.nullable(v.string()),
    v.description('When the processor accepted our evidence; null: it has not.'),
  ),
  evidence_kinds: v.pipe(v.array(v.picklist(evidenceKinds)), v.description('What its files prove.')),
};

export const ChargebackSummarySchema = v.object(chargebackSummaryFields);

export const ChargebackDetails = v.object({
  ...chargebackSummaryFields,
  money_taken: v.pipe(v.boolean(), v.description('Whether the money is with the issuer or the cardholder now.')),
  accepted: v.pipe(v.nullable(v.object({ by: ByReply, at: AtReply })), v.description('Who accepted it.')),
  files: v.pipe(v.array(v.object(evidenceFileFields)), v.description('Files of evidence, one of a kind at most.')),
  response: v.pipe(
    v.nullable(v.object({ text: v.pipe(v.string(), v.description('What it says.')), by: ByReply, at: AtReply })),
    v.description('The response to the issuer as a user saved it; null: it is made from the facts.'),
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
        status: v.pipe(v.picklist(disputeStatuses), v.description(statusWords)),
      }),
    ),
    v.description('How it got there, the oldest first.'),
  ),
});
