import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';

/** A long-lived token that was issued at the command line. The token itself is not kept. */
export type LongLivedToken = {
  jti: string;
  username: string;
  issuedAt: string;
  expiresAt: string;
  revokedAt: string | null;
};

export const toTokenItem = (token: LongLivedToken): Item => ({
  ...keys.token(token.jti),
  entity: 'TOKEN',
  token,
  ttl: Math.ceil(Date.parse(token.expiresAt) / 1000),
});

/** Reads a token's row back. The table holds only what toTokenItem wrote. */
export const fromTokenItem = (item: Item | undefined): LongLivedToken | undefined =>
  item?.['token'] as LongLivedToken | undefined;
