import { optional } from '#core/platform/operation/environment.ts';
import { validKeys } from '#core/platform/secrets/secrets.ts';
import { minfraudRequest, readMinfraud } from './minfraud.ts';
import type { Scorer } from './scorer.ts';

const address = 'https://minfraud.maxmind.com';
const timeoutMilliseconds = 3000;

/** Tests and the local stack may ask a service on this machine; a deployment asks MaxMind, whatever else is set. */
const baseUrl = (): string =>
  (optional('ALLOW_LOOPBACK_HTTP') === 'true' ? optional('MINFRAUD_URL') : undefined) ?? address;

const authorization = async (): Promise<string> => {
  const [account = ''] = await validKeys('minfraud');
  // The value that was generated with the stack is not an account.
  if (!/^\d+:\S+$/.test(account)) throw new Error('The secret minfraud does not hold <account id>:<licence key>');
  return `Basic ${Buffer.from(account).toString('base64')}`;
};

/**
 * Asks MaxMind minFraud Score. Throws for any answer that is not a score.
 * @see https://dev.maxmind.com/minfraud/api-documentation/
 */
export const askMinfraud: Scorer = async (subject) => {
  const response = await fetch(`${baseUrl()}/minfraud/v2.0/score`, {
    method: 'POST',
    headers: {
      authorization: await authorization(),
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify(minfraudRequest(subject)),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  return readMinfraud(response.status, await response.json().catch(() => undefined));
};
