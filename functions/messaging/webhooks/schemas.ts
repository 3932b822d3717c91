import * as v from 'valibot';
import {
  AlertIdReply,
  AtReply,
  CreatedAtReply,
  ExpiresAtReply,
  IdReply,
  NextAttemptAtReply,
  SiteIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { deliveryStates } from './delivery/delivery.ts';
import { deliveryKinds } from './delivery/delivery-policy.ts';

/** Any delivery's identifier; one that we cannot have given out is simply not found. */
export const DeliveryParams = v.object({
  id: v.pipe(AnyText, v.maxLength(64, 'is not the id of a notification'), v.description('Its identifier.')),
});
export const attemptFields = {
  at: AtReply,
  slot: v.pipe(v.string(), v.description('The time for which the attempt was owed.')),
  status: v.pipe(v.nullable(v.number()), v.description('The HTTP status of the reply; null if none came.')),
  latency_ms: v.pipe(v.number(), v.description('Milliseconds until the reply.')),
  error: v.pipe(v.nullable(v.string()), v.description('Why it does not count as delivered; null if it does.')),
  reply_update: v.pipe(
    v.optional(
      v.object({
        accepted: v.pipe(v.boolean(), v.description('Whether the answer was taken.')),
        reason: v.pipe(v.optional(v.string()), v.description('Why it was not.')),
      }),
    ),
    v.description('What became of an answer in the reply.'),
  ),
};

export const deliveryFields = {
  id: IdReply,
  kind: v.pipe(
    v.picklist(deliveryKinds),
    v.description('new_alert, status_update, enrollment_update, alert_deadline or postback.'),
  ),
  state: v.pipe(
    v.picklist(deliveryStates),
    v.description(
      'PENDING while it is tried, DELIVERED, EXPIRED after 72 hours, CANCELLED when the answer came first.',
    ),
  ),
  sid: SiteIdReply,
  alert_id: v.nullable(AlertIdReply),
  url: v.pipe(
    v.nullable(v.string()),
    v.description('Where the latest attempt went, for a chat only the host; null before the first.'),
  ),
  created_at: CreatedAtReply,
  expires_at: ExpiresAtReply,
  next_attempt_at: v.nullable(NextAttemptAtReply),
};
