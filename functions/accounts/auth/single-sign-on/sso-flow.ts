import { now, nowIso } from '#core/kernel/clock.ts';
import { equalSecrets, sha256 } from '#core/kernel/crypto.ts';
import type { CallOrigin } from '#core/platform/audit/audit.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Opened } from '../sessions/session-store.ts';
import { claimsOfIdentityToken } from './identity-token.ts';
import { browserAddress, callIssuer, IssuerError } from './issuer-client.ts';
import { findOperatorSso } from './operator-sso-store.ts';
import {
  askWhom,
  authorizationUrl,
  hasSteppedUp,
  personOfClaims,
  type SsoAttempt,
  type SsoPerson,
  type SsoProvider,
} from './single-sign-on.ts';
import { findSingleSignOn, secretOfSingleSignOn } from './single-sign-on-store.ts';
import { beginSsoAttempt, takeSsoAttempt } from './sso-attempt-store.ts';
import { openSsoSession } from './sso-user-store.ts';

const noSettings = (mid: number | null): Refusal =>
  new Refusal(
    'sso_not_found',
    mid === null
      ? 'mid: say which merchant you belong to; operators of this service have no single sign-on.'
      : 'mid: this merchant has no single sign-on.',
  );

const notSteppedUp = (provider: SsoProvider): Refusal =>
  new Refusal(
    'sso_refused',
    `The identity provider does not state that you have just signed in there (claim auth_time). Use a passkey. ${askWhom(provider)}`,
    { fields: { code: 'sso_refused' } },
  );

type Usable = { provider: SsoProvider; clientSecret: () => Promise<string> };

/** The identity provider of a merchant's people; of the operators, if `mid` is null. Throws sso_not_found, sso_unavailable. */
const usableProvider = async (mid: number | null): Promise<Usable> => {
  if (mid === null) {
    const found = await findOperatorSso();
    if (!found) throw noSettings(mid);
    return { provider: found.provider, clientSecret: async () => found.clientSecret };
  }
  const settings = await findSingleSignOn(mid);
  if (!settings?.enabled) throw noSettings(mid);
  return { provider: settings, clientSecret: () => secretOfSingleSignOn(settings) };
};

/** Reads the provider's metadata (OpenID Connect Discovery). Throws IssuerError. */
const discover = async ({ issuer }: SsoProvider) => {
  const found = await callIssuer(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const endpoint = (name: string): string => {
    const value = found[name];
    if (typeof value !== 'string') throw new IssuerError(`The provider does not state its ${name}`);
    return value;
  };
  if (found['issuer'] !== issuer) throw new IssuerError('The provider states another issuer');
  return {
    authorize: browserAddress(endpoint('authorization_endpoint')),
    token: endpoint('token_endpoint'),
    keys: endpoint('jwks_uri'),
  };
};

const inWords = (error: unknown): never => {
  if (!(error instanceof IssuerError)) throw error;
  throw new Refusal('sso_unavailable', 'Try again later, or ask for the settings to be checked.', { cause: error });
};

/** Sends a person to their identity provider: the address, and the secret that binds the sign-in to this browser. */
export const beginSso = async (
  mid: number | null,
  isStepUp: boolean,
  baseUrl: string,
): Promise<{ url: string; secret: string }> => {
  const { provider } = await usableProvider(mid);
  const { authorize } = await discover(provider).catch(inWords);
  const { attempt, secret } = await beginSsoAttempt({ mid, redirectUri: `${baseUrl}/dashboard`, isStepUp });
  return { url: authorizationUrl({ endpoint: authorize, clientId: provider.clientId, attempt }), secret };
};

/**
 * Signs a person in with the code that their identity provider sent back. Throws session_over, sso_not_found, sso_unavailable,
 * sso_refused.
 */
export const finishSso = async (
  { state, code, secret }: { state: string; code: string; secret: string | undefined },
  from: CallOrigin,
): Promise<Opened> => {
  const attempt = await takeSsoAttempt(
    state,
    ({ binding, expiresAt }) => secret !== undefined && equalSecrets(binding, sha256(secret)) && nowIso() < expiresAt,
  );
  const usable = await usableProvider(attempt.mid);
  const { provider } = usable;
  const person = await identify(usable, attempt, code).catch(inWords);
  if (!person) throw new Refusal('sso_refused', 'The identity provider sent no valid e-mail address.');
  if (attempt.isStepUp && !hasSteppedUp(attempt, person)) throw notSteppedUp(provider);
  return openSsoSession(provider, person, from);
};

const identify = async (
  { provider, clientSecret }: Usable,
  attempt: SsoAttempt,
  code: string,
): Promise<SsoPerson | undefined> => {
  const endpoints = await discover(provider);
  const { clientId, issuer } = provider;
  const credentials = [clientId, await clientSecret()].map(encodeURIComponent).join(':');
  const { id_token: token } = await callIssuer(endpoints.token, {
    form: {
      ...{ grant_type: 'authorization_code', code, redirect_uri: attempt.redirectUri },
      ...{ client_id: clientId, code_verifier: attempt.verifier },
    },
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  });
  const expected = { issuer, clientId, nonce: attempt.nonce, at: now() };
  const claims =
    typeof token === 'string'
      ? await claimsOfIdentityToken(token, await callIssuer(endpoints.keys), expected)
      : undefined;
  if (!claims) throw new IssuerError('The identity token is not valid');
  return personOfClaims(claims, provider);
};
