import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SignInChallenge } from './factor.ts';
import { type Session, sessionEnd } from './session.ts';

const sessionTtl = (at: string): number => Math.ceil(Date.parse(at) / 1000);

const SessionRow = defineRow<Session>({
  entity: 'SESSION',
  attribute: 'session',
  schema: v.looseObject({
    ...texts('id', 'createdAt', 'usedAt', 'freshUntil', 'digest'),
    person: v.looseObject({
      mid: v.nullable(v.number()),
      ...texts('name', 'username', 'scope'),
      role: v.nullable(v.string()),
    }),
    retired: v.array(v.looseObject({ digest: v.string(), at: v.string() })),
  }),
  // Earlier rows have only one previous secret.
  upgrades: [
    ({ digestBefore, ...before }) => ({
      retired: digestBefore ? [{ digest: digestBefore, at: before['usedAt'] }] : [],
      ...before,
    }),
  ],
});

const ChallengeRow = defineRow<SignInChallenge>({
  entity: 'CHALLENGE',
  attribute: 'challenge',
  schema: v.looseObject({
    ...texts('id', 'username', 'expiresAt'),
    sealed: v.nullable(v.string()),
  }),
});

export const toSessionItem = (session: Session): Item => ({
  ...keys.session(session.id),
  ...SessionRow.stamp,
  session,
  ttl: sessionTtl(sessionEnd(session)),
});

/** Reads a session back. */
export const fromSessionItem = SessionRow.find;

export const toChallengeItem = (challenge: SignInChallenge): Item => ({
  ...keys.challenge(challenge.id),
  ...ChallengeRow.stamp,
  challenge,
  ttl: sessionTtl(challenge.expiresAt),
});

/** Reads a challenge back. */
export const fromChallengeItem = ChallengeRow.find;

/** The part of a transaction that writes a session. Its condition fails if the secret has changed since it was read. */
export const exchangeWrite = (after: Session, digestRead: string): Write => ({
  Put: {
    Item: toSessionItem(after),
    ConditionExpression: '#session.digest = :digest',
    ExpressionAttributeNames: { '#session': 'session' },
    ExpressionAttributeValues: { ':digest': digestRead },
  },
});

/** A condition check in a transaction: it fails if the user may no longer use sessions begun at this session's time. */
export const mayUseSessionCheck = ({ person, createdAt }: Session): Write => ({
  ConditionCheck: {
    Key: keys.user(person.username),
    ConditionExpression:
      '#user.#disabled = :false AND (attribute_not_exists(#user.#ended) OR #user.#ended = :null OR #user.#ended < :at)',
    ExpressionAttributeNames: { '#user': 'user', '#disabled': 'disabled', '#ended': 'sessionsEndedAt' },
    ExpressionAttributeValues: { ':false': false, ':null': null, ':at': createdAt },
  },
});
