import { createHash, createHmac } from 'node:crypto';
import { equalSecrets, sha256 } from '#core/kernel/crypto.ts';
import { txidOfReference } from '../merchant-reference.ts';
import { type Node, toNode } from '../ports/outside-data.ts';
import type { Processor, ProcessorEvent } from '../ports/processor.ts';
import { parsedXml } from '../xml.ts';

type WebhookCall = Parameters<Processor['readWebhook']>[0];
type Keys = { public_key: string; private_key: string };

/** HMAC-SHA1 of the payload, keyed by the private key's digest; hexadecimal. */
export const braintreeSignature = (privateKey: string, payload: string): string =>
  createHmac('sha1', createHash('sha1').update(privateKey).digest()).update(payload).digest('hex');

/**
 * Reads a webhook of Braintree's, a form with `bt_signature` (`public key|signature`, perhaps several with & between them) and
 * `bt_payload` (XML in base64); undefined if it is not signed with these keys. It says what to query, and a repeated query does no harm.
 * @see https://developer.paypal.com/braintree/docs/guides/webhooks/parse
 */
export const readBraintreeWebhook = (
  { public_key, private_key }: Keys,
  { rawBody }: WebhookCall,
): readonly ProcessorEvent[] | undefined => {
  const form = new URLSearchParams(rawBody);
  const [signatures, payload] = [form.get('bt_signature') ?? '', form.get('bt_payload') ?? ''];
  if (private_key === '' || payload === '' || !/^[\w+/=\s]+$/.test(payload)) return undefined;
  const own = signatures
    .split('&')
    .map((pair) => pair.split('|'))
    .find(([key]) => key === public_key)?.[1];
  // Some of Braintree's own libraries sign with the line end, some without.
  const isSigned = [payload, `${payload}\n`].some((text) =>
    equalSecrets(own ?? '', braintreeSignature(private_key, text)),
  );
  return own !== undefined && isSigned
    ? readEvents(Buffer.from(payload, 'base64').toString('utf8'), sha256(payload))
    : undefined;
};

/**
 * Everything of a kind anywhere in a notification: a transaction in a dispute, by itself, or as the one that was
 * refunded.
 */
const allIn = (value: unknown, kind: 'transaction' | 'dispute', depth = 0): Node[] => {
  if (typeof value !== 'object' || value === null || depth > 8) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === kind ? (Array.isArray(inner) ? inner : [inner]).map(toNode) : []),
    ...allIn(inner, kind, depth + 1),
  ]);
};

const isReference = (value: unknown): value is string => typeof value === 'string' && /^\w{1,40}$/.test(value);

const readEvents = (xml: string, id: string): readonly ProcessorEvent[] => {
  const root = parsedXml(xml);
  if (!root) return [];
  const transactions = allIn(root, 'transaction');
  const [dispute] = allIn(root, 'dispute')
    .map((one) => one['id'])
    .filter(isReference);
  const references = transactions.flatMap((one) => [one['id'], one['refunded-transaction-id']]).filter(isReference);
  const [txid = null] = transactions
    .map((one) => txidOfReference(String(one['order-id'] ?? '')))
    .filter((one) => one !== null);
  return [
    {
      id,
      txid,
      references: [...new Set(references)],
      ...(dispute !== undefined && { dispute }),
      ...failedRefund(transactions),
    },
  ];
};

/** The statuses in which a refund, which is a transaction of its own, failed after it was accepted. */
const failedStatuses = ['settlement_declined', 'failed', 'processor_declined', 'voided'];

const failedRefund = (transactions: readonly Node[]): Pick<ProcessorEvent, 'refundFailed'> => {
  const failed = transactions.find(({ status }) => failedStatuses.includes(String(status)));
  const charge = failed?.['refunded-transaction-id'];
  return isReference(charge) ? { refundFailed: charge } : {};
};
