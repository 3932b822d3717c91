import { createHmac } from 'node:crypto';
import * as v from 'valibot';

/** The output of `npm run init` about the merchant of a proof. */
export type ProvedMerchant = { alertId: string; rcode: string; signingSecret: string };

/** Reads the printed words of `npm run init --confirm`. Throws an Error if something is missing. */
export const readProvedMerchant = (printed: string): ProvedMerchant => {
  const find = (pattern: RegExp): string => {
    const [, found] = pattern.exec(printed) ?? [];
    if (found === undefined) throw new Error(`npm run init has not printed ${pattern.source}`);
    return found;
  };
  return {
    alertId: find(/Test alert (\d+)/),
    rcode: find(/rcode (\S+) \(shown once\)/),
    signingSecret: find(/Signing secret (whsec_\S+)/),
  };
};

const Events = v.object({ events: v.array(v.object({ message: v.string() })) });
const Received = v.object({ path: v.string(), headers: v.record(v.string(), v.string()), body: v.string() });
export type ReceivedWebhook = v.InferOutput<typeof Received>;

/** The requests that the receiver has logged. `answer`: what `aws logs filter-log-events` printed. */
export const receivedIn = (answer: string): ReceivedWebhook[] =>
  v.parse(Events, JSON.parse(answer)).events.flatMap(({ message }) => requestIn(message));

/** The receiver's log has other lines, such as the reports of Lambda. */
const requestIn = (message: string): ReceivedWebhook[] => {
  const [, json] = /(\{.*\})\s*$/.exec(message) ?? [];
  try {
    return json === undefined ? [] : [v.parse(Received, JSON.parse(json))];
  } catch {
    return [];
  }
};

/** @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const isSigned = ({ headers, body }: ReceivedWebhook, secret: string): boolean => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
};

/**
 * Checks whether the receiver got the webhook of the merchant's alert with a valid signature. `answer`: what `aws logs filter-log-events` printed.
 * Throws an Error for a webhook that is not signed with the merchant's secret.
 */
export const hasReceivedAlert = (answer: string, { alertId, signingSecret }: ProvedMerchant): boolean => {
  const own = receivedIn(answer).filter(({ body }) => new URLSearchParams(body).get('alert_id') === alertId);
  if (own.some((one) => !isSigned(one, signingSecret)))
    throw new Error(`A webhook of alert ${alertId} is not signed with the merchant's secret`);
  return own.length > 0;
};
