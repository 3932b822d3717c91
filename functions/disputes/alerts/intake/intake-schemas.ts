import * as v from 'valibot';
import { AlertIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag } from '#core/kernel/schema/field-words.ts';

/** The reply to a provider once its alert is stored durably. */
export const IntakeReply = v.object({
  alert_id: describeField(
    v.nullable(AlertIdReply),
    'The alert’s number; null for the withdrawal of a case that has not arrived yet.',
  ),
  is_duplicate: flag('Whether an alert about the same transaction came before.'),
  matched: flag('False while the alert is in the unmatched inbox.'),
});

/** A message before its provider's reader has checked it. */
export const AnyMessage = v.looseObject({});
