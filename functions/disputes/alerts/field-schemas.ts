import * as v from 'valibot';
import { CommentsReply } from '#core/kernel/schema/field-schemas.ts';

export const DuplicateAlertidReply = v.pipe(
  v.number(),
  v.description('The alert that came before about the same transaction.'),
);

/** What an answer said of a refund, as replies show it. */
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
