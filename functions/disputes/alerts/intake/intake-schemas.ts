import * as v from 'valibot';
import { AlertIdReply } from '#core/kernel/schema/field-schemas.ts';

/** The reply to a provider once its alert is stored durably. */
export const IntakeReply = v.object({
  alert_id: v.pipe(
    v.nullable(AlertIdReply),
    v.description('The alert’s number; null for the withdrawal of a case that has not arrived yet.'),
  ),
  is_duplicate: v.pipe(v.boolean(), v.description('`yes` if an alert about the same transaction came before.')),
  matched: v.pipe(v.boolean(), v.description('False while the alert is in the unmatched inbox.')),
});

/** A message before its provider's reader has checked it. */
export const AnyMessage = v.looseObject({});
