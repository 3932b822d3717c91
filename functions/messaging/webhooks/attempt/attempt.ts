import { redactText } from '#core/platform/log/redaction.ts';
import type { Attempt } from '#core/platform/post/sender.ts';
import { signatureHeaders } from '#core/platform/post/signature.ts';
import type { Delivery, DeliveryAttempt, ReplyUpdateResult } from '../delivery/delivery.ts';
import { isUnreadable, updateInReply } from './reply.ts';

/**
 * The secrets with which a site's callbacks are signed and authorised at a time. `token`: null if the site has set none; `username` is used
 * then.
 */
export type CallbackSecrets = { signingSecrets: readonly string[]; token: string | null; username: string };

const plainHeaders = (contentType: string) => ({
  accept: 'application/json',
  'content-type': contentType,
  'user-agent': 'Forewarn',
});

/** The headers of a message to a chat, which has no use for the site's secrets and must not see them. */
export const chatHeaders = ({ contentType }: Pick<Delivery, 'contentType'>): Record<string, string> =>
  plainHeaders(contentType);

/** The token, or else the username as a user without a password. */
const authorisation = ({ token, username }: Pick<CallbackSecrets, 'token' | 'username'>): Record<string, string> => {
  if (token !== null) return { authorization: `Bearer ${token}` };
  return username === '' ? {} : { authorization: `Basic ${Buffer.from(`${username}:`).toString('base64')}` };
};

/** The headers of one attempt (interface §5.5, §6, Standard Webhooks). `at`: ISO. */
export const makeHeaders = (
  { id, body, contentType }: Pick<Delivery, 'id' | 'body' | 'contentType'>,
  { signingSecrets, ...authorised }: CallbackSecrets,
  at: string,
): Record<string, string> => ({
  ...plainHeaders(contentType),
  ...authorisation(authorised),
  ...signatureHeaders({ id, timestampSeconds: Math.floor(Date.parse(at) / 1000), body, secrets: signingSecrets }),
});

/** Checks whether the receiver took the notification: a 2xx, and nothing went wrong until the reply's end (or its 16 KiB). */
export const isAttemptAccepted = ({ status, error }: Pick<Attempt, 'status' | 'error'>): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

/**
 * The update in the reply to a new alert, or why it cannot be read, worded for the merchant; null if the reply is only an
 * acknowledgement. Only a reply that accepted the alert counts, and only a whole one.
 */
export const updateIn = (
  kind: Delivery['kind'],
  result: Attempt,
): { update: Record<string, unknown> } | { unreadable: string } | null => {
  if (kind !== 'new_alert' || !isAttemptAccepted(result)) return null;
  if (result.undecoded !== undefined) {
    return {
      unreadable: `The reply cannot be read: it is compressed (${result.undecoded}). Send it without Content-Encoding.`,
    };
  }
  const update = result.responseTruncated ? null : updateInReply(result.response);
  if (update) return { update };
  if (!isUnreadable(result.response)) return null;
  const why = result.responseTruncated
    ? 'it is longer than 16 KiB'
    : 'it is neither a JSON object nor a form with one status and reason_code';
  return { unreadable: `The reply contains a reason_code but cannot be read: ${why}` };
};

type Made = Pick<DeliveryAttempt, 'id' | 'at' | 'slot' | 'url'>;

/** Endpoints echo what they get: card numbers and secrets are recognised by their form, and those that were sent by their value. */
const maskSecrets = (reply: string, secrets: readonly string[]): string =>
  redactText(secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), reply));

/** An attempt as it is kept, without what the reply may have repeated of the secrets that were sent; the longest of them first. */
export const toDeliveryAttempt = (
  made: Made,
  result: Attempt,
  replyUpdate: ReplyUpdateResult | null,
  secrets: readonly string[],
): DeliveryAttempt => ({
  ...made,
  status: result.status,
  latencyMilliseconds: result.latencyMilliseconds,
  error: isAttemptAccepted(result) ? null : (result.error ?? 'http_status'),
  response: maskSecrets(result.response, secrets),
  responseTruncated: result.responseTruncated,
  replyUpdate,
});

/** An attempt that could not be made, because the site has no URL for it. */
export const attemptWithoutUrl = (made: Made): DeliveryAttempt => ({
  ...made,
  status: null,
  latencyMilliseconds: 0,
  error: 'no_url',
  response: '',
  responseTruncated: false,
  replyUpdate: null,
});
