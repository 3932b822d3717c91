import * as v from 'valibot';

/** What a provider is told once its alert is stored durably. */
export const IntakeReply = v.object({
  alert_id: v.number(),
  is_duplicate: v.boolean(),
  matched: v.pipe(v.boolean(), v.description('False while the alert is in the unmatched inbox.')),
});
