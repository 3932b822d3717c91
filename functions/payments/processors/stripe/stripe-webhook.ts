import { isSignedBody } from '#core/kernel/provider-signature.ts';
import { parseStrictJson } from '#core/kernel/schema/strict-json.ts';
import type { Processor, ProcessorEvent } from '../ports/processor.ts';

type WebhookCall = Parameters<Processor['readWebhook']>[0];

/**
 * Reads a webhook of Stripe's; undefined if its signature is wrong or older than five minutes. Stripe signs as our own
 * providers do (`t=…,v1=…`), so the intake of webhooks can do without Stripe's package.
 * @see https://docs.stripe.com/webhooks/signature
 */
export const readStripeWebhook = (
  secret: string,
  { headers, rawBody }: WebhookCall,
  nowMilliseconds: number,
): readonly ProcessorEvent[] | undefined => {
  if (secret === '' || !isSignedBody(headers['stripe-signature'], rawBody, [secret], nowMilliseconds)) return undefined;
  const { id, data } = toRecord(parseStrictJson(rawBody));
  return typeof id === 'string' ? [stripeEvent(id, toRecord(toRecord(data)['object']))] : [];
};

const stripeEvent = (id: string, about: Readonly<Record<string, unknown>>): ProcessorEvent => {
  const txid = String(toRecord(about['metadata'])['txid'] ?? '');
  return {
    id,
    txid: /^[1-9]\d{0,15}$/.test(txid) && Number.isSafeInteger(Number(txid)) ? Number(txid) : null,
    references: [about['id'], about['payment_intent']].filter((reference) => typeof reference === 'string'),
    ...(typeof about['id'] === 'string' && eventSubject(String(about['object']), about['id'])),
    ...(isFailedRefund(about) && { refundFailed: String(about['charge']) }),
  };
};

const eventSubject = (kind: string, id: string): Pick<ProcessorEvent, 'dispute' | 'warning'> => {
  if (kind === 'dispute') return { dispute: id };
  return kind === 'radar.early_fraud_warning' ? { warning: id } : {};
};

const isFailedRefund = ({ object, status, charge }: Readonly<Record<string, unknown>>): boolean =>
  object === 'refund' && (status === 'failed' || status === 'canceled') && typeof charge === 'string';

const toRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
