import * as v from 'valibot';
import { FromTime, Id, Ok, OneOrMore, pageFields, pageReply, ToTime } from '../core/schema.ts';
import { deliveryStates } from '../notifications/delivery.ts';
import { deliveryKinds } from '../notifications/policy.ts';

/** Any delivery's identifier; one that we cannot have given out is simply not found. */
export const DeliveryParams = v.object({ id: v.pipe(v.string(), v.maxLength(64, 'is not a notification of ours')) });

/** Which deliveries to list. */
export const ListDeliveries = v.object({
  mid: v.optional(Id),
  sid: v.optional(Id),
  alert_id: v.optional(Id),
  state: v.optional(OneOrMore(deliveryStates)),
  kind: v.optional(OneOrMore(deliveryKinds)),
  date_from: v.optional(FromTime),
  date_to: v.optional(ToTime),
  ...pageFields,
});

const attemptFields = {
  at: v.string(),
  slot: v.string(),
  status: v.nullable(v.number()),
  latency_ms: v.number(),
  error: v.nullable(v.string()),
  reply_update: v.optional(v.object({ accepted: v.boolean(), reason: v.optional(v.string()) })),
};

const deliveryFields = {
  id: v.string(),
  kind: v.picklist(deliveryKinds),
  state: v.picklist(deliveryStates),
  sid: v.number(),
  alert_id: v.nullable(v.number()),
  url: v.pipe(v.nullable(v.string()), v.description('Where the latest attempt went; null before the first.')),
  created_at: v.string(),
  expires_at: v.string(),
  next_attempt_at: v.nullable(v.string()),
};

/** One delivery of a list. */
export const DeliverySummary = v.object({
  ...deliveryFields,
  attempts: v.pipe(
    v.array(v.object(attemptFields)),
    v.description("Without the replies' text, which the details show."),
  ),
});

export const DeliveryPage = pageReply(DeliverySummary);

/** One delivery with the replies it got. */
export const DeliveryDetails = v.object({
  ...deliveryFields,
  attempts: v.array(
    v.object({
      ...attemptFields,
      response: v.pipe(
        v.string(),
        v.description("The reply's first 16 KiB, without control characters; card numbers and secrets masked."),
      ),
    }),
  ),
});

/** A replay was asked for. */
export const Replayed = v.object({ ...Ok.entries, id: v.string() });
