import * as v from 'valibot';
import { AmountReply, CommentsReply } from '#core/kernel/schema/field-schemas.ts';
import { refundMakers } from './answer/alert-update.ts';

export const DuplicateAlertidReply = v.pipe(
  v.number(),
  v.description('The alert that came before about the same transaction.'),
);

export const RefundedByReply = v.pipe(
  v.nullable(v.picklist(refundMakers)),
  v.description(
    'Who made the refund that the answer states: `forewarn`, `network`, or `merchant` if only the merchant reports it; null if the ' +
      'answer states no refund.',
  ),
);

export const AssigneeReply = v.pipe(
  v.nullable(v.string()),
  v.description('The username of the user to whom it is assigned; null if it is assigned to none.'),
);

/** A person's statement about a refund that Forewarn did not make. */
const RefundedElsewhereReply = v.pipe(
  v.nullable(
    v.object({
      date: v.pipe(v.string(), v.description('When it was made (ISO 8601, UTC).')),
      reference: v.pipe(v.optional(v.string()), v.description('The reference of the refund where it was made.')),
      amount: v.optional(AmountReply),
    }),
  ),
  v.description('What a person has stated of a refund that was made elsewhere; null if nothing.'),
);

/** The statements of an answer about a refund, as replies show them. */
export const answeredFields = {
  alert_outcome_amount: v.pipe(v.nullable(v.string()), v.description('What was refunded; a decimal.')),
  alert_outcome_currency: v.pipe(
    v.nullable(v.string()),
    v.description('The currency of what was refunded (ISO 4217).'),
  ),
  alert_outcome_action_date: v.pipe(
    v.nullable(v.string()),
    v.description('When you acted (ISO 8601); if absent, when the answer was received.'),
  ),
  comments: v.nullable(CommentsReply),
} as const;

/** The user to whom an alert is assigned, and the refund that its answer states. */
export const handledFields = {
  assignee: AssigneeReply,
  refunded_by: RefundedByReply,
  refunded_elsewhere: RefundedElsewhereReply,
} as const;
