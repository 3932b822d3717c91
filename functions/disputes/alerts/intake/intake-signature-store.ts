import { nowMilliseconds } from '#core/kernel/clock.ts';
import { isSignedBody } from '#core/kernel/provider-signature.ts';
import type { Unparsed } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { SecretName } from '#core/platform/operation/grants.ts';
import { validKeys } from '#core/platform/secrets/secrets.ts';

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
