import { createHash } from 'node:crypto';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Role } from '#core/platform/operation/operation.ts';

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

/** A sign-in that was sent to the identity provider. */
export type SsoAttempt = {
  state: string;
  mid: number;
  nonce: string;
  /** The secret of PKCE, of which the provider has a digest. */
  verifier: string;
  /** SHA-256 of the secret in the browser's cookie. */
  binding: string;
  redirectUri: string;
  expiresAt: string;
};

/** An identity provider's statement about a person. */
export type SsoPerson = {
  subject: string;
  email: string;
  isVerified: boolean | null;
  name: string;
  groups: readonly string[];
};

export const ssoContext = (mid: number): string => `merchant:${mid}:sso`;

export const ssoAttemptSeconds = 600;

/** When an attempt that begins now (ISO) expires. */
export const ssoAttemptEnd = (at: string): string => iso(Date.parse(at) + ssoAttemptSeconds * milliseconds.second);

/** The digest of a person's identity, by which their user is found. */
export const identityDigest = ({ mid, issuer }: Pick<SingleSignOn, 'mid' | 'issuer'>, subject: string): string =>
  sha256(`${mid}\n${issuer}\n${subject}`);

type Asking = {
  endpoint: string;
  clientId: string;
  attempt: Pick<SsoAttempt, 'state' | 'nonce' | 'verifier' | 'redirectUri'>;
};

/** The address at which a person signs in: authorization code with PKCE (RFC 7636). */
export const authorizationUrl = ({ endpoint, clientId, attempt }: Asking): string => {
  const url = new URL(endpoint);
  const challenge = createHash('sha256').update(attempt.verifier).digest('base64url');
  const parameters = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: attempt.redirectUri, scope: 'openid email profile' },
    ...{ state: attempt.state, nonce: attempt.nonce, code_challenge: challenge, code_challenge_method: 'S256' },
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** Reads the claims of a verified token; undefined without an address. */
export const personOfClaims = (claims: Readonly<Record<string, unknown>>, roleClaim: string): SsoPerson | undefined => {
  const { sub, email, email_verified: verified, name } = claims;
  if (typeof sub !== 'string' || typeof email !== 'string') return undefined;
  const groups = [claims[roleClaim]].flat().filter((one) => typeof one === 'string');
  const isVerified = typeof verified === 'boolean' ? verified : null;
  return {
    subject: sub,
    email: email.trim().toLowerCase(),
    isVerified,
    name: typeof name === 'string' ? name : '',
    groups,
  };
};

/** Why a person may not sign in here, as a sentence; undefined if they may. */
export const personProblem = ({ domains }: SingleSignOn, { email, isVerified }: SsoPerson): string | undefined => {
  if (isVerified === false) return 'The identity provider has not verified your e-mail address.';
  const domain = email.split('@').at(-1) ?? '';
  return email.split('@').length === 2 && domains.includes(domain)
    ? undefined
    : 'Your e-mail address is of a domain that this merchant does not admit.';
};

/** The most powerful role that the person's groups give; null if none does. */
export const roleOfPerson = ({ roleValues, defaultRole }: SingleSignOn, { groups }: SsoPerson): Role | null =>
  (['manager', 'developer', 'analyst'] as const).find((role) =>
    roleValues[role].some((value) => groups.includes(value)),
  ) ?? defaultRole;
