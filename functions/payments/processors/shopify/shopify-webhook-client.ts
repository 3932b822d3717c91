import * as v from 'valibot';
import { equalSecrets, hmacSha256 } from '#core/kernel/crypto.ts';
import { keepNumberText } from '#core/kernel/money/number-text.ts';
import type { WebhookCall, WebhookOf } from '../ports/account.ts';
import type { ProcessorEvent } from '../ports/processor.ts';
import { shopifyReferenceOf } from './shopify-orders.ts';

/** Identifiers have more digits than a number holds exactly. */
const Id = v.pipe(v.union([v.number(), v.string()]), v.transform(String), v.regex(/^\d{1,20}$/));

/** A dispute, or a transaction of an order. */
const Subject = v.object({
  id: Id,
  kind: v.optional(v.nullable(v.string())),
  status: v.optional(v.nullable(v.string())),
  parent_id: v.optional(v.nullable(Id)),
});

const parseLong = (rawBody: string): unknown => {
  try {
    return JSON.parse(rawBody, keepNumberText);
  } catch {
    return undefined;
  }
};

/** The events of a webhook. They name objects to query, and a repeated query does no harm. */
const eventsIn = ({ headers, rawBody }: WebhookCall): readonly ProcessorEvent[] => {
  const { success, output } = v.safeParse(Subject, parseLong(rawBody));
  if (!success) return [];
  const topic = headers['x-shopify-topic'] ?? '';
  const { id, kind, status, parent_id: parent } = output;
  const hasFailed =
    topic === 'order_transactions/create' && kind === 'refund' && ['failure', 'error'].includes(status ?? '');
  return [
    {
      ...{ id: headers['x-shopify-event-id'] ?? `${topic} ${id}`, txid: null, references: [] },
      ...(topic.startsWith('disputes/') && { dispute: shopifyReferenceOf(id) }),
      ...(hasFailed && parent && { refundFailed: shopifyReferenceOf(parent) }),
    },
  ];
};

/** https://shopify.dev/docs/apps/build/webhooks/verify-deliveries */
export const shopifyWebhookOf: WebhookOf = ({ open }, call) => {
  const right = Buffer.from(hmacSha256(open('shopify').client_secret, call.rawBody), 'hex').toString('base64');
  return equalSecrets(call.headers['x-shopify-hmac-sha256'] ?? '', right) ? eventsIn(call) : undefined;
};
