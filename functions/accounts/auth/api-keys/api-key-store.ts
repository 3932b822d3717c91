import { merchantForCaller } from '#accounts/merchants/merchant/merchant-store.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { equalSecrets, sha256 } from '#core/kernel/crypto.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessMerchant, merchantOfRequest } from '#core/platform/operation/merchant-access.ts';
import type { Caller, Permission } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { nextNumber } from '#core/platform/table/number-store.ts';
import { ConditionFailedError, getItem, getItems, putItem, updateItem } from '#core/platform/table/table.ts';
import { newSessionSecret } from '../sessions/session-secrets.ts';
import { type ApiKey, apiKeyEnd, apiKeyText } from './api-key.ts';
import { fromApiKeyItem, toApiKeyItem } from './api-key-row.ts';

type NewApiKey = {
  mid?: number | undefined;
  name: string;
  permissions: readonly Permission[];
  sites?: readonly number[] | undefined;
  ip_ranges?: readonly string[] | undefined;
  valid_days?: number | undefined;
};

/** Creates a key and returns it with its text, which is not stored. Throws merchant_not_found, site_not_found. */
export const createApiKey = async (sent: NewApiKey, caller: Caller): Promise<{ key: ApiKey; text: string }> => {
  const { mid } = await merchantForCaller(merchantOfRequest(sent.mid, caller), caller);
  if (sent.sites) await checkSites(mid, sent.sites);
  const { secret, digest } = newSessionSecret();
  const at = nowIso();
  const key: ApiKey = {
    id: await nextNumber('api-key'),
    mid,
    name: sent.name,
    permissions: [...new Set(sent.permissions)],
    sites: sent.sites ? [...new Set(sent.sites)] : null,
    ipRanges: [...new Set(sent.ip_ranges)],
    digest,
    createdAt: at,
    createdBy: caller.subject,
    expiresAt: apiKeyEnd(at, sent.valid_days),
    revokedAt: null,
    lastUsedAt: null,
  };
  // Only this call uses the number, so the write needs no condition, and repeating it changes nothing.
  await putItem(toApiKeyItem(key));
  return { key, text: apiKeyText(key, secret) };
};

const checkSites = async (mid: number, sites: readonly number[]): Promise<void> => {
  const items = await getItems([...new Set(sites)].map(keys.site));
  const isOwn = items.every((item) => item !== undefined && fromSiteItem(item).mid === mid);
  if (!isOwn) throw new Refusal('site_not_found', 'sites: each must be a site of the merchant.');
};

/** Revokes a key; doing so again changes nothing. Throws api_key_not_found. */
export const revokeApiKey = async (id: number, caller: Caller): Promise<ApiKey> => {
  const key = fromApiKeyItem(await getItem(keys.apiKey(id)));
  if (!key || !canAccessMerchant(caller, key.mid)) throw new Refusal('api_key_not_found', 'id: you have no such key.');
  if (key.revokedAt !== null) return key;
  const revoked = { ...key, revokedAt: nowIso() };
  await putItem(toApiKeyItem(revoked));
  return revoked;
};

/** Records that a key was used at a time (ISO). A failure is logged: the call that uses the key must not depend on it. */
export const recordApiKeyUse = async ({ id }: ApiKey, at: string): Promise<void> => {
  try {
    await updateItem({
      Key: keys.apiKey(id),
      UpdateExpression: 'SET #key.#used = :at, #summary.#last = :at',
      // A revocation writes the whole row, without this time: a key that is revoked stays as it is.
      ConditionExpression: '#key.#revoked = :null',
      ExpressionAttributeNames: {
        ...{ '#key': 'apiKey', '#used': 'lastUsedAt', '#revoked': 'revokedAt' },
        ...{ '#summary': 'summary', '#last': 'last_used_at' },
      },
      ExpressionAttributeValues: { ':at': at, ':null': null },
    });
  } catch (error) {
    if (error instanceof ConditionFailedError) return;
    log('warn', 'api_key_use_not_recorded', { keyId: id, error: describeError(error) });
  }
};

/** The key of this number, if the secret is its own. */
export const findApiKey = async ({ id, secret }: { id: number; secret: string }): Promise<ApiKey | undefined> => {
  const key = fromApiKeyItem(await getItem(keys.apiKey(id)));
  return key && equalSecrets(key.digest, sha256(secret)) ? key : undefined;
};
