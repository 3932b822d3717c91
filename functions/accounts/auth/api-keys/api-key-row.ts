import * as v from 'valibot';
import { nullableTexts, texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { ApiKey } from './api-key.ts';

export const apiKeyEntity = 'API_KEY';

const ApiKeyRow = defineRow<ApiKey>({
  entity: apiKeyEntity,
  attribute: 'apiKey',
  schema: v.looseObject({
    id: v.number(),
    mid: v.number(),
    ...texts('name', 'digest', 'createdAt', 'createdBy'),
    permissions: v.array(v.string()),
    sites: v.nullable(v.array(v.number())),
    ipRanges: v.array(v.string()),
    ...nullableTexts('expiresAt', 'revokedAt', 'lastUsedAt'),
  }),
});

/** A key as lists show it, names as on the wire. */
export const toApiKeyDto = (key: ApiKey) => ({
  id: key.id,
  mid: key.mid,
  name: key.name,
  permissions: [...key.permissions],
  sites: key.sites && [...key.sites],
  ip_ranges: [...key.ipRanges],
  created_at: key.createdAt,
  created_by: key.createdBy,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
  last_used_at: key.lastUsedAt,
});
export type ApiKeySummary = ReturnType<typeof toApiKeyDto>;

export const toApiKeyItem = (key: ApiKey): Item => ({
  ...keys.apiKey(key.id),
  ...ApiKeyRow.stamp,
  ...listKeys(
    apiKeyEntity,
    ['all', `M${key.mid}`],
    facetOf(key.revokedAt === null ? 'active' : 'revoked', '-'),
    listPosition(key.createdAt, String(key.id)),
  ),
  summary: toApiKeyDto(key),
  apiKey: key,
});

/** Reads a key's row back. */
export const fromApiKeyItem = ApiKeyRow.find;
