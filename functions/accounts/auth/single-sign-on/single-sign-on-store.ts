import { merchantForCaller } from '#accounts/merchants/merchant/merchant-store.ts';
import { open, seal } from '#core/kernel/crypto.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller, Role } from '#core/platform/operation/operation.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { type SingleSignOn, ssoContext } from './single-sign-on.ts';
import { fromSingleSignOnItem, toSingleSignOnItem } from './single-sign-on-row.ts';

type Sent = {
  issuer: string;
  client_id: string;
  client_secret?: string | undefined;
  domains: readonly string[];
  link_by_email: boolean;
  verified_claim: string;
  role_claim: string;
  role_values: Readonly<Record<Role, readonly string[]>>;
  default_role: Role | null;
  enabled: boolean;
};

/** The settings of a merchant; undefined if there are none. */
export const findSingleSignOn = async (mid: number): Promise<SingleSignOn | undefined> =>
  fromSingleSignOnItem(await getItem(keys.singleSignOn(mid)));

/** The same for a caller who may see the merchant. Throws merchant_not_found. */
export const singleSignOnForCaller = async (mid: number, caller: Caller): Promise<SingleSignOn | undefined> => {
  await merchantForCaller(mid, caller);
  return findSingleSignOn(mid);
};

/**
 * Sets up a merchant's identity provider. The secret that is kept stays only with the issuer and the client that it was given for. Throws
 * merchant_not_found, request_invalid.
 */
export const saveSingleSignOn = async (
  mid: number,
  sent: Sent,
  caller: Caller,
): Promise<{ before: SingleSignOn | undefined; settings: SingleSignOn }> => {
  const before = await singleSignOnForCaller(mid, caller);
  const { issuer, client_id: clientId, client_secret: secret } = sent;
  const isSame = before?.issuer === issuer && before.clientId === clientId;
  const sealed =
    secret === undefined ? isSame && before.sealed : seal(await keyRing('encryption'), ssoContext(mid), secret);
  if (!sealed) throw new Refusal('request_invalid', 'client_secret: is required for a new issuer or client');
  const settings: SingleSignOn = {
    ...{ mid, issuer, clientId, sealed, enabled: sent.enabled },
    domains: [...new Set(sent.domains.map((domain) => domain.toLowerCase()))],
    linkByEmail: sent.link_by_email,
    verifiedClaim: sent.verified_claim,
    roleClaim: sent.role_claim,
    roleValues: sent.role_values,
    defaultRole: sent.default_role,
    version: (before?.version ?? 0) + 1,
  };
  await putItem(toSingleSignOnItem(settings));
  return { before, settings };
};

/** The client's secret in clear. */
export const secretOfSingleSignOn = async ({ mid, sealed }: SingleSignOn): Promise<string> =>
  open(await keyRing('encryption'), ssoContext(mid), sealed);
