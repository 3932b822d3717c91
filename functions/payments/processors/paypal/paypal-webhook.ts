import * as v from 'valibot';
import { isFields } from '#core/kernel/is-object.ts';
import { parseJson } from '#core/platform/http/json.ts';
import type { WebhookCall } from '../ports/account.ts';
import type { ProcessorEvent } from '../ports/processor.ts';

const Event = v.object({
  id: v.pipe(v.string(), v.maxLength(100)),
  event_type: v.optional(v.string(), ''),
  resource: v.looseObject({
    dispute_id: v.optional(v.string()),
    status: v.optional(v.string(), ''),
    links: v.optional(
      v.array(v.looseObject({ href: v.optional(v.string(), ''), rel: v.optional(v.string(), '') })),
      [],
    ),
  }),
});

/**
 * The body with which PayPal is asked whether it signed a webhook; undefined if the webhook lacks something. The event is included as it
 * came, because the signature is of its bytes. https://developer.paypal.com/api/webhooks/v1/verify-webhook-signature-post
 */
export const toVerification = (webhookId: string, { headers, rawBody }: WebhookCall): string | undefined => {
  const fields = {
    auth_algo: headers['paypal-auth-algo'],
    cert_url: headers['paypal-cert-url'],
    transmission_id: headers['paypal-transmission-id'],
    transmission_sig: headers['paypal-transmission-sig'],
    transmission_time: headers['paypal-transmission-time'],
    webhook_id: webhookId,
  };
  const isWhole = Object.values(fields).every((value) => value !== undefined && value !== '' && value.length <= 600);
  if (!isWhole || !isFields(parseJson(rawBody))) return undefined;
  return `${JSON.stringify(fields).slice(0, -1)},"webhook_event":${rawBody}}`;
};

/** The events of a webhook. They name objects to query, and a repeated query does no harm. */
export const eventsOfPayPal = (rawBody: string): readonly ProcessorEvent[] => {
  const { success, output } = v.safeParse(Event, parseJson(rawBody));
  if (!success) return [];
  const { id, event_type, resource } = output;
  const isRefund = /^PAYMENT\.REFUND\./.test(event_type);
  const hasFailed = isRefund && ['FAILED', 'CANCELLED'].includes(resource.status);
  const capture = resource.links
    .find(({ rel }) => rel === 'up')
    ?.href.split('/')
    .at(-1);
  const isDispute = event_type.startsWith('CUSTOMER.DISPUTE.') && resource.dispute_id !== undefined;
  return [
    {
      ...{ id, txid: null, references: [] },
      ...(isDispute && resource.dispute_id !== undefined && { dispute: resource.dispute_id }),
      ...(hasFailed && capture !== undefined && { refundFailed: capture }),
    },
  ];
};
