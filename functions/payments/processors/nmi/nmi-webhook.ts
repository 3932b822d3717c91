import { equalSecrets, hmacSha256 } from '#core/kernel/crypto.ts';
import { parseStrictJson } from '#core/kernel/schema/strict-json.ts';
import { txidOfReference } from '../merchant-reference.ts';
import { type Node, toNode } from '../ports/outside-data.ts';
import type { Processor, ProcessorEvent } from '../ports/processor.ts';

type WebhookCall = Parameters<Processor['readWebhook']>[0];

const idText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** More references than a settlement batch may name; other webhooks name few. */
const maxReferences = 50;

/**
 * Reads a webhook of NMI's; undefined if its signature is wrong. `Webhook-Signature: t=<nonce>,s=<HMAC-SHA256 of "nonce.body">`:
 * the nonce is not a time, so an old webhook passes. It says what to query, and a repeated query does no harm.
 * @see https://docs.nmi.com/reference/overview
 */
export const readNmiWebhook = (
  key: string,
  { headers, rawBody }: WebhookCall,
): readonly ProcessorEvent[] | undefined => {
  const [, nonce, signature] = /^t=([^,]{1,200}),s=([\da-f]{64})$/i.exec(headers['webhook-signature'] ?? '') ?? [];
  if (key === '' || nonce === undefined || signature === undefined) return undefined;
  if (!equalSecrets(signature.toLowerCase(), hmacSha256(key, `${nonce}.${rawBody}`))) return undefined;
  const { event_id, event_type, event_body } = toNode(parseStrictJson(rawBody));
  const id = idText(event_id);
  if (id === '') return [];
  // Chargebacks come in batches that name no transactions.
  const news = event_type === 'chargeback.batch.complete' ? { hasDisputes: true as const } : {};
  return [{ ...nmiEvent(id, toNode(event_body)), ...news }];
};

const nmiEvent = (id: string, { transaction_id, order_id, transaction_ids }: Node): ProcessorEvent => {
  const named = [transaction_id, ...(Array.isArray(transaction_ids) ? transaction_ids : [])].map(idText);
  return {
    id,
    txid: txidOfReference(idText(order_id)),
    references: named.filter((reference) => /^\d{1,20}$/.test(reference)).slice(0, maxReferences),
  };
};
