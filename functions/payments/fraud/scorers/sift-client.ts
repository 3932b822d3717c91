import { optional } from '#core/platform/operation/environment.ts';
import { validKeys } from '#core/platform/secrets/secrets.ts';
import type { Scorer } from './scorer.ts';
import { readSift, siftRequest } from './sift.ts';

const address = 'https://api.sift.com';
const timeoutMilliseconds = 3000;

/** Tests and the local stack may ask a service on this machine; a deployment asks Sift, whatever else is set. */
const baseUrl = (): string =>
  (optional('ALLOW_LOOPBACK_HTTP') === 'true' ? optional('SIFT_URL') : undefined) ?? address;

const apiKey = async (): Promise<string> => {
  const [key = ''] = await validKeys('sift');
  // The 64 letters and digits that were generated with the stack are not a key of Sift's.
  if (!/^[0-9a-zA-Z]{8,48}$/.test(key)) throw new Error('The secret sift does not hold an API key');
  return key;
};

/**
 * Reports a new order to Sift, which scores it in the same call. Throws for any answer that is not a score.
 * @see https://developers.sift.com/docs/curl/score-api
 */
export const askSift: Scorer = async (subject) => {
  const response = await fetch(`${baseUrl()}/v205/events?return_score=true&abuse_types=payment_abuse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(siftRequest(subject, await apiKey())),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  return readSift(response.status, await response.json().catch(() => undefined));
};
