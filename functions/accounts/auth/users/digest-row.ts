import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type Digest, digestSweptFrom, nextDigestAt } from './digest.ts';
import { digestDue } from './digest-due.ts';
import type { User } from './user.ts';

const DigestRow = defineRow<Digest>({
  entity: 'DIGEST',
  attribute: 'digest',
  schema: v.looseObject({
    ...texts('username', 'nextAt', 'since'),
    mid: v.number(),
    zone: v.nullable(v.string()),
    version: v.number(),
  }),
});

const toDigestItem = (digest: Digest): Item => ({
  ...keys.digest(digest.username),
  ...DigestRow.stamp,
  ...digestDue.keys(digestSweptFrom(digest), digest.username),
  id: digest.username,
  nextAt: digest.nextAt,
  digest,
});

/**
 * The parts of a transaction that follow a user's choice at a time (ISO): their digest is due at the next hour for it, or never. An
 * operator has none, because operators have no alerts of their own.
 */
export const digestWrites = ({ username, mid, zone, digest }: User, at: string): Write[] => {
  if (!digest || mid === null) return [{ Delete: { Key: keys.digest(username) } }];
  const next = { username, mid, zone: zone ?? null, nextAt: nextDigestAt(at, zone ?? null), since: at, version: 1 };
  return [{ Put: { Item: toDigestItem(next) } }];
};

/** The part that moves a digest on. Its condition fails if another process has done that, or if the user chose otherwise. */
export const changedDigestWrite = (before: Digest, after: Digest): Write => ({
  Put: {
    Item: toDigestItem(after),
    ConditionExpression: '#digest.#version = :version AND #digest.#nextAt = :nextAt',
    ExpressionAttributeNames: { '#digest': 'digest', '#version': 'version', '#nextAt': 'nextAt' },
    ExpressionAttributeValues: { ':version': before.version, ':nextAt': before.nextAt },
  },
});

export const fromDigestItem = DigestRow.find;
