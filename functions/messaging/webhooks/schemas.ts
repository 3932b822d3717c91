import * as v from 'valibot';
import {
  AlertIdReply,
  AtReply,
  CreatedAtReply,
  CurrencyReply,
  ExpiresAtReply,
  IdReply,
  NextAttemptAtReply,
  SiteIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { deliveryStates } from './delivery/delivery.ts';
import { deliveryKinds } from './delivery/delivery-policy.ts';

/** Any delivery's identifier; one that we cannot have given out is simply not found. */
export const DeliveryParams = v.object({
  id: v.pipe(AnyText, v.maxLength(64, 'is not the id of a notification'), v.description('Its identifier.')),
});
export const attemptFields = {
  at: AtReply,
  slot: text('The time for which the attempt was owed.'),
  status: nullableCount('The HTTP status of the reply; null if none came.'),
  latency_ms: count('Milliseconds until the reply.'),
  error: nullableText('Why it does not count as delivered; null if it does.'),
  reply_update: describeField(
    v.optional(
      v.object({
        accepted: flag('Whether the answer was taken.'),
        reason: describeField(v.optional(v.string()), 'Why it was not.'),
      }),
    ),
    'What became of an answer in the reply.',
  ),
};

export const deliveryFields = {
  id: IdReply,
  kind: describeField(
    v.picklist(deliveryKinds),
    'new_alert, status_update, enrollment_update, alert_deadline or postback.',
  ),
  state: describeField(
    v.picklist(deliveryStates),
    'PENDING while it is tried, DELIVERED, EXPIRED after 72 hours, CANCELLED when the answer came first.',
  ),
  sid: SiteIdReply,
  alert_id: v.nullable(AlertIdReply),
  payment: describeField(
    v.optional(
      v.nullable(
        v.object({
          txid: count('The payment that the transaction belongs to.'),
          tx_action: text('PAYMENT, PREAUTH, CAPTURE, REFUND, VOID or PAYOUT.'),
          amount: text('With all decimals of its currency.'),
          currency: CurrencyReply,
        }),
      ),
    ),
    'What a postback is about. Absent or null in other notifications, and in those of earlier releases.',
  ),
  url: nullableText('Where the latest attempt went, for a chat only the host; null before the first.'),
  created_at: CreatedAtReply,
  expires_at: ExpiresAtReply,
  next_attempt_at: v.nullable(NextAttemptAtReply),
};
