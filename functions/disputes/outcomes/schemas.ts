import * as v from 'valibot';
import { attemptResults, outcomeStates } from '#disputes/alerts/answer/outcome.ts';
import { outcomeProviders } from '#disputes/providers/providers.ts';

/** An outcome's identifier; one that we never issued is simply not found. */
export const OutcomeParams = v.object({ id: v.pipe(v.string(), v.maxLength(64, 'is not the id of an outcome')) });

const summaryFields = {
  id: v.string(),
  alert_id: v.number(),
  provider: v.picklist(outcomeProviders),
  provider_case_id: v.string(),
  sid: v.number(),
  mid: v.number(),
  state: v.pipe(
    v.picklist(outcomeStates),
    v.description(
      'PENDING: it is being told; ACCEPTED, REFUSED: what it said; EXPIRED: given up; SUPERSEDED: overtaken by a later ' +
        'answer, or the case was taken back; MANUAL: a person has to enter it at the provider.',
    ),
  ),
  final: v.pipe(v.boolean(), v.description('Whether it ends the alert.')),
  status: v.string(),
  reason_code: v.string(),
  created_at: v.string(),
  sent_at: v.pipe(v.nullable(v.string()), v.description('When it was sent last.')),
  accepted_at: v.nullable(v.string()),
  next_attempt_at: v.nullable(v.string()),
  expires_at: v.pipe(v.string(), v.description('Until when it is tried.')),
  attempts: v.pipe(v.number(), v.description('How often it was sent.')),
  error: v.pipe(v.nullable(v.string()), v.description('Why the provider does not have it, as known last.')),
};

/** An outcome owed to a provider for one update, as lists show it. */
export const OutcomeSummary = v.object(summaryFields);

/** The same with each attempt. */
export const OutcomeDetails = v.object({
  ...summaryFields,
  alert_outcome_amount: v.nullable(v.string()),
  alert_outcome_currency: v.nullable(v.string()),
  alert_outcome_action_date: v.nullable(v.string()),
  comments: v.nullable(v.string()),
  marked: v.pipe(
    v.nullable(v.object({ by: v.string(), at: v.string(), note: v.string() })),
    v.description('Who entered it at the provider by hand, or found it there.'),
  ),
  attempt_list: v.pipe(
    v.array(
      v.object({
        at: v.string(),
        result: v.picklist(attemptResults),
        status: v.pipe(v.nullable(v.number()), v.description('The HTTP status; null if none came.')),
        error: v.nullable(v.string()),
      }),
    ),
    v.description('The newest 20, oldest first.'),
  ),
});
