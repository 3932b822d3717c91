import * as v from 'valibot';
import { AmountReply, CommentsReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { refundMakers } from './answer/alert-update.ts';

export const DuplicateAlertidReply = count('The alert that came before about the same transaction.');

export const RefundedByReply = describeField(
  v.nullable(v.picklist(refundMakers)),
  'Who made the refund that the answer states: `forewarn`, `network`, or `merchant` if only the merchant reports it; null if the ' +
    'answer states no refund.',
);

export const AssigneeReply = nullableText(
  'The username of the user to whom it is assigned; null if it is assigned to none.',
);

/** A person's statement about a refund that Forewarn did not make. */
const RefundedElsewhereReply = describeField(
  v.nullable(
    v.object({
      date: text('When it was refunded (ISO 8601, UTC).'),
      reference: describeField(v.optional(v.string()), 'The reference of the refund where it was made.'),
      amount: v.optional(AmountReply),
    }),
  ),
  'What a person has stated of a refund that was made elsewhere; null if nothing.',
);

/** The statements of an answer about a refund, as replies show them. */
export const answeredFields = {
  alert_outcome_amount: nullableText('What was refunded; a decimal.'),
  alert_outcome_currency: nullableText('The currency of what was refunded (ISO 4217).'),
  alert_outcome_action_date: nullableText('When you acted (ISO 8601); if absent, when the answer was received.'),
  comments: v.nullable(CommentsReply),
} as const;

/** The user to whom an alert is assigned, and the refund that its answer states. */
export const handledFields = {
  assignee: AssigneeReply,
  refunded_by: RefundedByReply,
  refunded_elsewhere: RefundedElsewhereReply,
} as const;
