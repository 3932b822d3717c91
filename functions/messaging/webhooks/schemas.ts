import * as v from 'valibot';
import { deliveryStates } from './delivery/delivery.ts';
import { deliveryKinds } from './delivery/policy.ts';

/** Any delivery's identifier; one that we cannot have given out is simply not found. */
export const DeliveryParams = v.object({ id: v.pipe(v.string(), v.maxLength(64, 'is not the id of a notification')) });
export const attemptFields = {
  at: v.string(),
  slot: v.string(),
  status: v.nullable(v.number()),
  latency_ms: v.number(),
  error: v.nullable(v.string()),
  reply_update: v.optional(v.object({ accepted: v.boolean(), reason: v.optional(v.string()) })),
};

export const deliveryFields = {
  id: v.string(),
  kind: v.picklist(deliveryKinds),
  state: v.picklist(deliveryStates),
  sid: v.number(),
  alert_id: v.nullable(v.number()),
  url: v.pipe(
    v.nullable(v.string()),
    v.description('Where the latest attempt went, for a chat only the host; null before the first.'),
  ),
  created_at: v.string(),
  expires_at: v.string(),
  next_attempt_at: v.nullable(v.string()),
};
