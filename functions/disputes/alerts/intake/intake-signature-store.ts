import { nowMilliseconds } from '#core/kernel/clock.ts';
import { isSignedBody } from '#core/kernel/provider-signature.ts';
import type { Unparsed } from '#core/platform/http/http.ts';
import { log } from '#core/platform/log/log.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { SecretName } from '#core/platform/operation/grants.ts';
import { validKeys } from '#core/platform/secrets/secrets.ts';

/** Refuses (signature_invalid) a request that does not carry the signature of the provider whose secret this is. */
export const requireSignature =
  (secret: SecretName) =>
  async ({ headers, rawBytes }: Unparsed): Promise<void> => {
    const now = nowMilliseconds();
    if (isSignedBody(headers['x-signature'], rawBytes, await validKeys(secret), now)) return;
    throw new Refusal(
      'signature_invalid',
      `Send x-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">; it is now ${Math.floor(now / 1000)}.`,
    );
  };

/** Refuses (signature_invalid) a request whose client certificate, which the gateway has checked, is not that of provider_a. */
export const requireCertificate = async ({ clientSubject }: Unparsed): Promise<void> => {
  if (clientSubject !== undefined && clientSubject === optional('PROVIDER_A_SUBJECT')) return;
  // The operator learns from it which subject to set.
  log('warn', 'client_certificate_refused', { subject: clientSubject ?? null });
  throw new Refusal('signature_invalid', 'Use the domain name with mutual TLS, and the client certificate agreed on.');
};
