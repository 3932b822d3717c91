import * as v from 'valibot';
import { log } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { secretText } from '#core/platform/secrets/secrets.ts';
import type { SsoProvider } from './single-sign-on.ts';

const Names = v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.minLength(1));

const Settings = v.object({
  issuer: v.pipe(v.string(), v.nonEmpty()),
  client_id: v.pipe(v.string(), v.nonEmpty()),
  client_secret: v.pipe(v.string(), v.nonEmpty()),
  /** The only domains that addresses may have. */
  domains: Names,
  /** The values of the claim `role_claim` that make a person an operator. */
  operator_groups: Names,
  role_claim: v.optional(v.string(), 'groups'),
  verified_claim: v.optional(v.string(), 'email_verified'),
  link_by_email: v.optional(v.boolean(), false),
});

/**
 * The identity provider of the operators, as the secret `operator-sso` describes it, and the client's secret; undefined if there
 * is none, or it describes none. Throws sso_unavailable if it cannot be used.
 */
export const findOperatorSso = async (): Promise<{ provider: SsoProvider; clientSecret: string } | undefined> => {
  const text = await secretText('operator-sso');
  if (text === undefined) return undefined;
  const fields = parse(text);
  if (fields !== null && typeof fields === 'object' && !('issuer' in fields)) return undefined;
  const { success, output, issues } = v.safeParse(Settings, fields);
  if (!success) throw unusable(issues.map((issue) => v.getDotPath(issue)).join(', '));
  const { issuer, client_id: clientId, client_secret: clientSecret, operator_groups: operators, domains } = output;
  const provider = {
    ...{ mid: null, issuer, clientId, linkByEmail: output.link_by_email, verifiedClaim: output.verified_claim },
    domains: domains.map((domain) => domain.toLowerCase()),
    roleClaim: output.role_claim,
    // Operators have no roles: only these groups make an operator.
    roleValues: { analyst: [], developer: [], manager: operators },
    defaultRole: null,
  };
  return { provider, clientSecret };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw unusable('it is no JSON');
  }
};

const unusable = (what: string): Refusal => {
  log('error', 'operator_sso_unusable', { what });
  return new Refusal('sso_unavailable', 'The secret operator-sso is not set up correctly.');
};
