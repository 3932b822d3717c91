import { optional } from '../core/environment.ts';
import { validKeys } from '../core/secrets.ts';
import type { Scorer } from './scorer.ts';
import { readSift, siftRequest } from './sift.ts';

const address = 'https://api.sift.com';
const timeoutMilliseconds = 3000;

/** Tests and the local stack may ask a service on this machine; a deployment asks Sift, whatever else is set. */
const baseUrl = (): string =>
  (optional('ALLOW_LOOPBACK_HTTP') === 'true' ? optional('SIFT_URL') : undefined) ?? address;

const apiKey = async (): Promise<string> => {
  const [key = ''] = await validKeys('sift');
  // Of what the stack generated when it was made, 64 letters and digits, Sift knows nothing.
  if (!/^[0-9a-zA-Z]{8,48}$/.test(key)) throw new Error('The secret sift does not hold an API key');
  return key;
};

/**
 * Has Sift score the order that is being made, in the call that tells of it. Throws for every other answer than a score.
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
