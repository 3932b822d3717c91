import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose';

/** Asymmetric algorithms only: a provider's public key must not pass for a shared secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];

type Expected = { issuer: string; clientId: string; nonce: string; at: Date };

/** The claims of an identity token; undefined if it is not valid. `keys`: of the provider's `jwks_uri`. */
export const claimsOfIdentityToken = async (
  token: string,
  keys: Readonly<Record<string, unknown>>,
  { issuer, clientId, nonce, at }: Expected,
): Promise<Record<string, unknown> | undefined> => {
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys as unknown as JSONWebKeySet), {
      ...{ algorithms, issuer, audience: clientId, currentDate: at },
      ...{ clockTolerance: 60, requiredClaims: ['sub', 'exp', 'iat'] },
    });
    const isForOthers = Array.isArray(payload.aud) && payload.aud.length > 1 && payload['azp'] !== clientId;
    return payload['nonce'] === nonce && !isForOthers ? payload : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
};
