import { nowMilliseconds } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import type { SecretName } from '../../core/grants.ts';
import type { Unparsed } from '../../core/http.ts';
import { isSignedBody } from '../../core/provider-signature.ts';
import { validKeys } from '../../core/secrets.ts';

/** Refuses (signature_invalid) a request that does not carry the signature of the provider whose secret this is. */
export const requireSignature =
  (secret: SecretName) =>
  async ({ headers, rawBody }: Unparsed): Promise<void> => {
    const now = nowMilliseconds();
    if (isSignedBody(headers['x-signature'], rawBody, await validKeys(secret), now)) return;
    throw new Refusal(
      'signature_invalid',
      `Send x-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">; it is now ${Math.floor(now / 1000)}.`,
    );
  };
