import * as v from 'valibot';
import {
  AtReply,
  ByReply,
  ChargebackIdReply,
  CurrencyReply,
  MerchantIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag, text } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { disputeStages, disputeStatuses } from '#payments/processors/ports/dispute.ts';
import { evidenceFileTypes, evidenceKinds } from '#payments/processors/ports/evidence-kinds.ts';
import { allProcessorNames } from '#payments/processors/ports/processors.ts';

/** A chargeback's identifier; one that we cannot have issued is simply not found. */
export const ChargebackParams = v.object({
  id: v.pipe(AnyText, v.maxLength(64, 'is not the id of a chargeback'), v.description('The chargeback.')),
});

const kindWords =
  'What the file proves: a receipt, a conversation with the customer, shipping, a service, a policy, a signature, two separate charges, or something else.';

export const EvidenceKindField = describeField(
  v.picklist(evidenceKinds, `must be one of ${evidenceKinds.join(', ')}`),
  kindWords,
);
export const FileIdReply = text('The file.');
export const FileIdField = v.pipe(
  AnyText,
  v.regex(/^file_[0-9a-z]{24}$/, 'is not the id of a file'),
  v.description('The file, as `…/files/upload` named it.'),
);

const evidenceFileFields = {
  file_id: FileIdReply,
  kind: describeField(v.picklist(evidenceKinds), kindWords),
  name: text('Its name, for people.'),
  type: describeField(v.picklist(evidenceFileTypes), 'Its type, by its content.'),
  bytes: count('Its size.'),
  pages: describeField(v.exactOptional(v.number()), 'Its pages; absent if they could not be counted.'),
  by: ByReply,
  at: AtReply,
};
/** A file with the address from which it can be downloaded. */
export const DownloadableFile = v.object({
  ...evidenceFileFields,
  url: text('From where it can be downloaded for 15 minutes.'),
});

const statusWords =
  'open, under_review, won, lost, accepted: you no longer contest it; or refunded_by_network: the cardholder has the money, and there is no chargeback.';

const chargebackSummaryFields = {
  chargeback_id: ChargebackIdReply,
  processor: describeField(v.picklist(allProcessorNames), 'The processor.'),
  reference: text("The processor's own identifier of the payment."),
  dispute_reference: text("The processor's own identifier of the dispute."),
  txid: describeField(v.nullable(v.number()), 'The payment, if it was taken here.'),
  alert_id: describeField(v.nullable(v.number()), 'The alert that was about the payment.'),
  mid: MerchantIdReply,
  sid: describeField(
    v.nullable(v.number()),
    'The site that took the payment; null: none of the merchant’s sites here.',
  ),
  connection: describeField(
    v.nullable(v.string()),
    "The merchant's own connection at which it was taken; null: it was taken here.",
  ),
  reason_code: text('Why the issuer raised it: the scheme’s code, or the processor’s word.'),
  network: text('The card’s scheme, as the processor names it.'),
  amount: text('What is disputed.'),
  currency: CurrencyReply,
  stage: describeField(v.picklist(disputeStages), 'inquiry: nothing has been taken, and a refund may still end it.'),
  status: describeField(v.picklist(disputeStatuses), statusWords),
  unmapped_state: describeField(
    v.nullable(v.string()),
    'A state at the processor that is not known here: stage and status are the last known ones.',
  ),
  due_by: describeField(v.nullable(v.string()), 'Until when it can be contested.'),
  opened_at: text('When the issuer raised it (ISO 8601, UTC).'),
  closed_at: describeField(v.nullable(v.string()), 'When it was found to be closed; null if it is not.'),
  evidence_submitted_at: describeField(
    v.nullable(v.string()),
    'When the processor accepted our evidence; null: it has not.',
  ),
  evidence_kinds: describeField(v.array(v.picklist(evidenceKinds)), 'What its files prove.'),
};

export const ChargebackSummarySchema = v.object(chargebackSummaryFields);

export const ChargebackDetails = v.object({
  ...chargebackSummaryFields,
  money_taken: flag('Whether the money is with the issuer or the cardholder now.'),
  accepted: describeField(v.nullable(v.object({ by: ByReply, at: AtReply })), 'Who accepted it.'),
  files: describeField(v.array(v.object(evidenceFileFields)), 'Files of evidence, one of a kind at most.'),
  response: describeField(
    v.nullable(v.object({ text: text('What it says.'), by: ByReply, at: AtReply })),
    'The response to the issuer as a user saved it; null: it is made from the facts.',
  ),
  history: describeField(
    v.array(
      v.object({
        at: AtReply,
        by: ByReply,
        stage: describeField(
          v.picklist(disputeStages),
          'inquiry: nothing is taken yet; chargeback; arbitration: raised a second time.',
        ),
        status: describeField(v.picklist(disputeStatuses), statusWords),
      }),
    ),
    'How it got there, the oldest first.',
  ),
});
