import * as v from 'valibot';
import { equalSecrets, hmacSha256 } from '#core/kernel/crypto.ts';
import { parseJson } from '#core/platform/http/json.ts';
import type { WebhookOf } from '../ports/account.ts';
import type { ProcessorEvent } from '../ports/processor.ts';

/** https://www.checkout.com/docs/developer-resources/event-notifications/event-types/payment_refund_declined.md */
const Event = v.object({
  id: v.pipe(v.string(), v.maxLength(100)),
  type: v.string(),
  data: v.looseObject({ id: v.optional(v.string(), '') }),
});

/** The events of a webhook. They name objects to query, and a repeated query does no harm. */
const eventsIn = (rawBody: string): readonly ProcessorEvent[] => {
  const { success, output } = v.safeParse(Event, parseJson(rawBody));
  if (!success) return [];
  const { id, type, data } = output;
  return [
    {
      ...{ id, txid: null, references: [] },
      ...(type.startsWith('dispute_') && data.id.startsWith('dsp_') && { dispute: data.id }),
      ...(type === 'payment_refund_declined' && data.id.startsWith('pay_') && { refundFailed: data.id }),
    },
  ];
};

/** `Cko-Signature` is the hex HMAC-SHA256 of the body: https://checkout.com/docs/workflows/set-up-your-webhook-receiver */
export const checkoutComWebhookOf: WebhookOf = ({ open }, { headers, rawBody }) => {
  const { webhook_key: key = '' } = open('checkout_com');
  const signature = (headers['cko-signature'] ?? '').toLowerCase();
  return key !== '' && equalSecrets(signature, hmacSha256(key, rawBody)) ? eventsIn(rawBody) : undefined;
};
