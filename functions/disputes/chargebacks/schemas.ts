import * as v from 'valibot';
import {
  AtReply,
  ByReply,
  ChargebackIdReply,
  CurrencyReply,
  MerchantIdReply,
  NameReply,
  RuleIdReply,
  VersionReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { chargebackActionTypes, evidenceFloors } from '#disputes/alerts/automatic/chargeback-actions.ts';
import { disputeStages, disputeStatuses } from '#payments/processors/ports/dispute.ts';
import { evidenceFileTypes, evidenceKinds } from '#payments/processors/ports/evidence-kinds.ts';
import { allProcessorNames } from '#payments/processors/ports/processors.ts';
import { feeKinds, unknownParts } from './automatic/estimate.ts';
import { chargebackResults } from './automatic/handling.ts';

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

export const chargebackSummaryFields = {
  chargeback_id: ChargebackIdReply,
  processor: describeField(v.picklist(allProcessorNames), 'The processor.'),
  reference: text("The processor's own identifier of the payment."),
  dispute_reference: text("The processor's own identifier of the dispute."),
  txid: nullableCount('The payment, if it was taken here.'),
  alert_id: nullableCount('The alert that was about the payment.'),
  mid: MerchantIdReply,
  sid: nullableCount('The site that took the payment; null: none of the merchant’s sites here.'),
  connection: nullableText("The merchant's own connection at which it was taken; null: it was taken here."),
  reason_code: text('Why the issuer raised it: the scheme’s code, or the processor’s word.'),
  network: text('The card’s scheme, such as visa, mastercard or amex; any other as the processor names it.'),
  amount: text('What is disputed.'),
  currency: CurrencyReply,
  stage: describeField(v.picklist(disputeStages), 'inquiry: nothing has been taken, and a refund may still end it.'),
  status: describeField(v.picklist(disputeStatuses), statusWords),
  unmapped_state: nullableText(
    'A state at the processor that is not known here: stage and status are the last known ones.',
  ),
  due_by: nullableText('Until when it can be contested.'),
  opened_at: text('When the issuer raised it (ISO 8601, UTC).'),
  closed_at: nullableText('When it was found to be closed; null if it is not.'),
  evidence_submitted_at: nullableText('When the processor accepted our evidence; null: it has not.'),
  evidence_kinds: describeField(v.array(v.picklist(evidenceKinds)), 'What its files prove.'),
  assignee: nullableText('The user to whom a rule has assigned it.'),
};

export const ChargebackSummarySchema = v.object(chargebackSummaryFields);

const DecisionReply = v.object({
  rule_id: RuleIdReply,
  version: VersionReply,
  name: NameReply,
  action: describeField(
    v.object({
      type: describeField(v.picklist(chargebackActionTypes), 'The kind of action: submit, accept, assign or review.'),
      floor: describeField(v.exactOptional(v.picklist(evidenceFloors)), 'Of submit: the least evidence.'),
      fee_acknowledged: describeField(v.exactOptional(v.literal(true)), 'Of submit: whether a fee is agreed to.'),
      assignee: describeField(v.exactOptional(v.string()), 'Of assign: the user.'),
    }),
    'The action of the rule, as it was then.',
  ),
  facts: describeField(
    v.record(v.string(), v.nullable(v.union([v.boolean(), v.string(), v.number()]))),
    'The facts as they were then; null: not known.',
  ),
  result: describeField(
    v.picklist(chargebackResults),
    'What came of it. `recorded`: a shadow rule, which does nothing; `left_to_merchant`: it could not be done.',
  ),
  reason: nullableText(
    'Why it is left to you: `evidence_below_floor`, `evidence_refused`, `chargeback_over` or `user_not_found`.',
  ),
  words: nullableText('The refusal of the processor, in its words, or in ours.'),
  at: AtReply,
});

export const EstimateReply = describeField(
  v.nullable(
    v.object({
      win_chance: nullableCount(
        'The share, in percent, of your chargebacks with the same claim that were won after evidence was submitted here; null without any.',
      ),
      won: count('How many of these were won.'),
      cases: count('How many of these were decided.'),
      fees: describeField(
        v.array(
          v.object({
            kind: describeField(
              v.picklist(feeKinds),
              'For the dispute, for contesting it, or for a compliance dispute.',
            ),
            amount: text('The fee, in the currency of the chargeback.'),
            currency: CurrencyReply,
            returned_if_won: flag('Whether it is returned if the dispute is won.'),
          }),
        ),
        'Fees of the processor, as far as they are known.',
      ),
      expected_recovery: nullableText('The chance times the amount.'),
      expected_value: nullableText('The same less all fees.'),
      gain_over_accepting: nullableText(
        'What contesting brings in comparison with accepting, which costs the fee for the dispute as well.',
      ),
      unknown: describeField(
        v.array(v.picklist(unknownParts)),
        'The parts that are not known; what needs one is null.',
      ),
    }),
  ),
  'What contesting it is worth; null if its amount cannot be read.',
);

export const ChargebackDetails = v.object({
  ...chargebackSummaryFields,
  money_taken: flag('Whether the money is with the issuer or the cardholder now.'),
  accepted: describeField(v.nullable(v.object({ by: ByReply, at: AtReply })), 'Who accepted it.'),
  files: describeField(v.array(v.object(evidenceFileFields)), 'Files of evidence, one of a kind at most.'),
  response: describeField(
    v.nullable(v.object({ text: text('What it says.'), by: ByReply, at: AtReply })),
    'The response to the issuer as a user saved it; null: it is made from the facts.',
  ),
  contest_fee: describeField(
    v.nullable(v.object({ amount: text('What it costs to contest it.'), currency: CurrencyReply })),
    'What the processor charges for contesting it unless it is won: submit it with `fee_acknowledged`. Null: none is known.',
  ),
  automatic: describeField(
    v.nullable(
      v.object({
        decision: describeField(
          v.nullable(DecisionReply),
          'The rule that decided it; null: only shadow rules matched.',
        ),
        shadows: describeField(v.array(DecisionReply), 'What shadow rules would have done.'),
      }),
    ),
    'What rules did with it; null if none matched.',
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
