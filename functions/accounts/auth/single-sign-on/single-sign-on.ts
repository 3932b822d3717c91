import { createHash } from 'node:crypto';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Role } from '#core/platform/operation/operation.ts';
import { sessionSeconds } from '../sessions/session.ts';

/** The identity provider with which a merchant's people sign in (OpenID Connect). */
export type SingleSignOn = {
  mid: number;
  /** The provider's issuer, exactly as its tokens state it. */
  issuer: string;
  clientId: string;
  /** The client's secret, sealed for `ssoContext`. */
  sealed: string;
  /** The only domains that addresses may have. */
  domains: readonly string[];
  /** True: a person is linked to the existing user whose username is their verified address. */
  linkByEmail: boolean;
  /** The claim that states whether the address is verified: `email_verified` in the standard, `xms_edov` at Entra ID. */
  verifiedClaim: string;
  /** The claim of the token that names groups or roles. */
  roleClaim: string;
  /** The values of that claim for each role. */
  roleValues: Readonly<Record<Role, readonly string[]>>;
  /** The role of a person with none of these values; null: they may not sign in. */
  defaultRole: Role | null;
  enabled: boolean;
  /** Goes up with every write. */
  version: number;
};

/** An identity provider: of a merchant's people or, with `mid` null, of the operators. */
export type SsoProvider = Pick<
  SingleSignOn,
  'issuer' | 'clientId' | 'domains' | 'linkByEmail' | 'verifiedClaim' | 'roleClaim' | 'roleValues' | 'defaultRole'
> & { mid: number | null };

/** A sign-in that was sent to the identity provider. */
export type SsoAttempt = {
  state: string;
  /** Null: of an operator. */
  mid: number | null;
  nonce: string;
  /** The secret of PKCE, of which the provider has a digest. */
  verifier: string;
  /** SHA-256 of the secret in the browser's cookie. */
  binding: string;
  redirectUri: string;
  /** True: the person has to authenticate at the provider again, whether or not they are signed in there. */
  isStepUp: boolean;
  expiresAt: string;
};

/** An identity provider's statement about a person. */
export type SsoPerson = {
  subject: string;
  email: string;
  /** Null: the token does not state whether the address is verified. */
  isVerified: boolean | null;
  /** When (ISO) the person authenticated at the provider; null: the token does not state it. */
  authenticatedAt: string | null;
  name: string;
  groups: readonly string[];
};

export const ssoContext = (mid: number): string => `merchant:${mid}:sso`;

export const ssoAttemptSeconds = 600;

/** When an attempt that begins now (ISO) expires. */
export const ssoAttemptEnd = (at: string): string => iso(Date.parse(at) + ssoAttemptSeconds * milliseconds.second);

const clockTolerance = milliseconds.minute;

/** Checks whether a person authenticated after a sign-in was sent to the provider; the clocks may differ by a minute. */
export const hasSteppedUp = ({ expiresAt }: SsoAttempt, { authenticatedAt }: SsoPerson): boolean =>
  authenticatedAt !== null && ssoAttemptEnd(iso(Date.parse(authenticatedAt) + clockTolerance)) >= expiresAt;

/** The digest of a person's identity, by which their user is found. */
export const identityDigest = ({ mid, issuer }: Pick<SsoProvider, 'mid' | 'issuer'>, subject: string): string =>
  sha256(`${mid ?? 'operators'}\n${issuer}\n${subject}`);

/** The sentence that tells a person whom to ask. */
export const askWhom = ({ mid }: Pick<SsoProvider, 'mid'>): string =>
  mid === null ? 'Ask the person who deployed this service.' : 'Ask a manager of your merchant.';

type Asking = {
  endpoint: string;
  clientId: string;
  attempt: Pick<SsoAttempt, 'state' | 'nonce' | 'verifier' | 'redirectUri' | 'isStepUp'>;
};

/**
 * The address at which a person signs in: authorization code with PKCE (RFC 7636). A request with `max_age` obliges the provider to state
 * `auth_time`.
 * @see https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest
 */
export const authorizationUrl = ({ endpoint, clientId, attempt }: Asking): string => {
  const url = new URL(endpoint);
  const challenge = createHash('sha256').update(attempt.verifier).digest('base64url');
  const parameters = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: attempt.redirectUri, scope: 'openid email profile' },
    ...{ state: attempt.state, nonce: attempt.nonce, code_challenge: challenge, code_challenge_method: 'S256' },
    ...(attempt.isStepUp ? { max_age: '0', prompt: 'login' } : { max_age: String(sessionSeconds) }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** Providers state a Boolean as such, as a number or as text. */
const readFlagClaim = (value: unknown): boolean | null =>
  value === undefined || value === null ? null : [true, 1, '1', 'true'].some((one) => one === value);

const readTimeClaim = (seconds: unknown): string | null =>
  Number.isSafeInteger(seconds) && Math.abs(Number(seconds)) < 1e12 ? iso(Number(seconds) * 1000) : null;

/** Reads the claims of a verified token; undefined without an address. */
export const personOfClaims = (
  claims: Readonly<Record<string, unknown>>,
  { roleClaim, verifiedClaim }: Pick<SingleSignOn, 'roleClaim' | 'verifiedClaim'>,
): SsoPerson | undefined => {
  const { sub, email, name } = claims;
  if (typeof sub !== 'string' || typeof email !== 'string') return undefined;
  const groups = [claims[roleClaim]].flat().filter((one) => typeof one === 'string');
  return {
    subject: sub,
    email: email.trim().toLowerCase(),
    isVerified: readFlagClaim(claims[verifiedClaim]),
    authenticatedAt: readTimeClaim(claims['auth_time']),
    name: typeof name === 'string' ? name : '',
    groups,
  };
};

/**
 * Why a person may not sign in here, as a sentence; undefined if they may. `isKnown`: they have a user already, which was found by their
 * subject, so that the address does not decide.
 */
export const personProblem = (
  { mid, domains, verifiedClaim }: SsoProvider,
  { email, isVerified }: SsoPerson,
  isKnown: boolean,
): string | undefined => {
  if (isVerified === false) return 'The identity provider has not verified your e-mail address.';
  const domain = email.split('@').at(-1) ?? '';
  if (email.split('@').length !== 2 || !domains.includes(domain))
    return 'Your e-mail address is of a domain that is not admitted here.';
  return isVerified || isKnown
    ? undefined
    : `The identity provider does not state that your e-mail address is verified (claim ${verifiedClaim}). ${askWhom({ mid })}`;
};

/** The most powerful role that the person's groups give; null if none does. */
export const roleOfPerson = (
  { roleValues, defaultRole }: Pick<SsoProvider, 'roleValues' | 'defaultRole'>,
  { groups }: SsoPerson,
): Role | null =>
  (['manager', 'developer', 'analyst'] as const).find((role) =>
    roleValues[role].some((value) => groups.includes(value)),
  ) ?? defaultRole;
