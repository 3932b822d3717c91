import * as v from 'valibot';
import { sha256 } from '#core/kernel/crypto.ts';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { PasskeyChallenge } from './passkey.ts';

/** The user of a passkey, whose row has the passkey itself. */
type PasskeyOwner = { username: string };

const OwnerRow = defineRow<PasskeyOwner>({
  entity: 'PASSKEY',
  attribute: 'passkey',
  schema: v.looseObject({ username: v.string() }),
});

const ChallengeRow = defineRow<PasskeyChallenge>({
  entity: 'PASSKEY_CHALLENGE',
  attribute: 'challenge',
  schema: v.looseObject({
    ...texts('id', 'challenge', 'purpose', 'rpId', 'origin', 'expiresAt'),
    username: v.nullable(v.string()),
    signIn: v.nullable(v.string()),
  }),
});

export const passkeyKey = (id: string) => keys.passkey(sha256(id));

/** The part of a transaction that makes a user the owner of a credential. Its condition fails if another user has it. */
export const passkeyOwnerWrite = (id: string, username: string): Write => ({
  Put: {
    Item: { ...passkeyKey(id), ...OwnerRow.stamp, passkey: { username } },
    ConditionExpression: 'attribute_not_exists(pk) OR #passkey.#username = :username',
    ExpressionAttributeNames: { '#passkey': 'passkey', '#username': 'username' },
    ExpressionAttributeValues: { ':username': username },
  },
});

/** Reads the owner of a passkey back. */
export const fromPasskeyItem = OwnerRow.find;

export const toPasskeyChallengeItem = (challenge: PasskeyChallenge): Item => ({
  ...keys.passkeyChallenge(challenge.id),
  ...ChallengeRow.stamp,
  challenge,
  ttl: Math.ceil(Date.parse(challenge.expiresAt) / 1000),
});

/** Reads the challenge of a passkey back. */
export const fromPasskeyChallengeItem = ChallengeRow.find;

/** The part of a transaction that uses up a challenge. Its condition fails if it was answered before. */
export const passkeyChallengeUse = (id: string): Write => ({
  Delete: { Key: keys.passkeyChallenge(id), ConditionExpression: 'attribute_exists(pk)' },
});
