import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { Permission } from '#core/platform/operation/operation.ts';

/** A credential of a merchant's program, in place of a person's token. The key itself is not stored. */
export type ApiKey = {
  id: number;
  mid: number;
  /** Its purpose, in the words of its creator. */
  name: string;
  permissions: readonly Permission[];
  /** The only sites that it may see; null: all of its merchant. */
  sites: readonly number[] | null;
  /** In CIDR notation; empty: any address. */
  ipRanges: readonly string[];
  /** SHA-256 of its secret. */
  digest: string;
  createdAt: string;
  createdBy: string;
  expiresAt: string | null;
  revokedAt: string | null;
  /** Accurate to an hour: see `isUseRecorded`. */
  lastUsedAt: string | null;
};

/** A key as its program sends it: `fwk_`, its number, and its secret. */
export const apiKeyText = ({ id }: Pick<ApiKey, 'id'>, secret: string): string => `fwk_${id}_${secret}`;

/** The parts of a key in an `Authorization` header; undefined if the header has none. */
export const apiKeyIn = (header: string | undefined): { id: number; secret: string } | undefined => {
  const [, id, secret] = /^Bearer +fwk_(\d{1,12})_([\w-]{43}) *$/i.exec(header ?? '') ?? [];
  return id !== undefined && secret !== undefined ? { id: Number(id), secret } : undefined;
};

/** Checks whether a use at a time (ISO) needs no write: the last one that was written is less than an hour ago. */
export const isUseRecorded = ({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>, at: string): boolean =>
  lastUsedAt !== null && Date.parse(at) - Date.parse(lastUsedAt) < milliseconds.hour;

/** When a key that is created at a time (ISO) expires; null: never. */
export const apiKeyEnd = (at: string, validDays: number | undefined): string | null =>
  validDays === undefined ? null : iso(Date.parse(at) + validDays * milliseconds.day);
