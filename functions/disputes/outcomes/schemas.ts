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
  provider: v.pipe(v.picklist(outcomeProviders), v.description('The alert provider.')),
  provider_case_id: ProviderCaseIdReply,
  sid: SiteIdReply,
  mid: MerchantIdReply,
  state: v.pipe(
    v.picklist(outcomeStates),
    v.description(
      'PENDING: it is being told; ACCEPTED, REFUSED: what it said; EXPIRED: given up; SUPERSEDED: overtaken by a later ' +
        'answer, or the case was taken back; MANUAL: a person has to enter it at the provider.',
    ),
  ),
  final: v.pipe(v.boolean(), v.description('Whether it ends the alert.')),
  status: v.pipe(v.string(), v.description('The status that the alert was given.')),
  reason_code: ReasonCodeReply,
  created_at: CreatedAtReply,
  sent_at: v.pipe(v.nullable(v.string()), v.description('When it was sent last.')),
  accepted_at: v.pipe(v.nullable(v.string()), v.description('When the other side accepted it (ISO 8601, UTC).')),
  next_attempt_at: v.nullable(NextAttemptAtReply),
  expires_at: v.pipe(v.string(), v.description('Until when it is tried.')),
  attempts: v.pipe(v.number(), v.description('How often it was sent.')),
  error: v.pipe(v.nullable(v.string()), v.description('Why the provider does not have it, as known last.')),
};

/** A provider's outcome for one update, as lists show it. */
export const NetworkOutcomeSummarySchema = v.object(outcomeSummaryFields);

/** The same with each attempt. */
export const OutcomeDetails = v.object({
  ...outcomeSummaryFields,
  ...answeredFields,
  marked: v.pipe(
    v.nullable(
      v.object({
        by: ByReply,
        at: AtReply,
        note: v.pipe(v.string(), v.description('A remark by the person who did it.')),
      }),
    ),
    v.description('Who entered it at the provider by hand, or found it there.'),
  ),
  attempt_list: v.pipe(
    v.array(
      v.object({
        at: AtReply,
        result: v.pipe(v.picklist(attemptResults), v.description('What came of the attempt.')),
        status: v.pipe(v.nullable(v.number()), v.description('The HTTP status; null if none came.')),
        error: v.pipe(v.nullable(v.string()), v.description('What the provider said; null if it said nothing.')),
      }),
    ),
    v.description('The newest 20, oldest first.'),
  ),
});
