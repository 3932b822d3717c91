import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';

/** A long-lived token issued at the command line. The token itself is not stored. */
export type LongLivedToken = {
  jti: string;
  username: string;
  issuedAt: string;
  expiresAt: string;
  revokedAt: string | null;
};

const TokenRow = defineRow<LongLivedToken>({
  entity: 'TOKEN',
  attribute: 'token',
  schema: v.looseObject({
    ...texts('jti', 'username', 'issuedAt', 'expiresAt'),
    revokedAt: v.nullable(v.string()),
  }),
});

export const toTokenItem = (token: LongLivedToken): Item => ({
  ...keys.token(token.jti),
  ...TokenRow.stamp,
  token,
  ttl: Math.ceil(Date.parse(token.expiresAt) / 1000),
});

/** Reads a token's row back. */
export const fromTokenItem = TokenRow.find;
