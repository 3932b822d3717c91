import * as v from 'valibot';
import {
  AlertIdReply,
  AtReply,
  ByReply,
  CreatedAtReply,
  IdReply,
  MerchantIdReply,
  NextAttemptAtReply,
  ProviderCaseIdReply,
  ReasonCodeReply,
  SiteIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { attemptResults, outcomeStates } from '#disputes/alerts/answer/network-outcome.ts';
import { answeredFields } from '#disputes/alerts/field-schemas.ts';
import { outcomeProviders } from '#disputes/providers/providers.ts';

/** An outcome's identifier; one that we never issued is simply not found. */
export const OutcomeParams = v.object({
  id: v.pipe(AnyText, v.maxLength(64, 'is not the id of an outcome'), v.description('Its identifier.')),
});

const outcomeSummaryFields = {
  id: IdReply,
  alert_id: AlertIdReply,
  provider: describeField(v.picklist(outcomeProviders), 'The alert provider.'),
  provider_case_id: ProviderCaseIdReply,
  sid: SiteIdReply,
  mid: MerchantIdReply,
  state: describeField(
    v.picklist(outcomeStates),
    'PENDING: it is being told; ACCEPTED, REFUSED: what it said; EXPIRED: given up; SUPERSEDED: overtaken by a later ' +
      'answer, or the case was taken back; MANUAL: a person has to enter it at the provider.',
  ),
  final: flag('Whether it ends the alert.'),
  status: text('The status that the alert was given.'),
  reason_code: ReasonCodeReply,
  created_at: CreatedAtReply,
  sent_at: nullableText('When it was sent last.'),
  accepted_at: nullableText('When the other side accepted it (ISO 8601, UTC).'),
  next_attempt_at: v.nullable(NextAttemptAtReply),
  expires_at: text('Until when it is tried.'),
  attempts: count('How often it was sent.'),
  error: nullableText('Why the provider does not have it, as known last.'),
};

/** A provider's outcome for one update, as lists show it. */
export const NetworkOutcomeSummarySchema = v.object(outcomeSummaryFields);

/** The same with each attempt. */
export const OutcomeDetails = v.object({
  ...outcomeSummaryFields,
  ...answeredFields,
  marked: describeField(
    v.nullable(
      v.object({
        by: ByReply,
        at: AtReply,
        note: text('A remark by the person who did it.'),
      }),
    ),
    'Who entered it at the provider by hand, or found it there.',
  ),
  attempt_list: describeField(
    v.array(
      v.object({
        at: AtReply,
        result: describeField(v.picklist(attemptResults), 'What came of the attempt.'),
        status: nullableCount('The HTTP status; null if none came.'),
        error: nullableText('What the provider said; null if it said nothing.'),
      }),
    ),
    'The newest 20, oldest first.',
  ),
});
