import { keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';
import type { Challenge } from './factor.ts';
import { type Session, sessionEnd } from './session.ts';

const ttlOf = (at: string): number => Math.ceil(Date.parse(at) / 1000);

export const toSessionItem = (session: Session): Item => ({
  ...keys.session(session.id),
  entity: 'SESSION',
  session,
  ttl: ttlOf(sessionEnd(session)),
});

/** Reads a session back. The table holds only what toSessionItem wrote. */
export const fromSessionItem = (item: Item | undefined): Session | undefined =>
  item?.['session'] as Session | undefined;

export const toChallengeItem = (challenge: Challenge): Item => ({
  ...keys.challenge(challenge.id),
  entity: 'CHALLENGE',
  challenge,
  ttl: ttlOf(challenge.expiresAt),
});

/** Reads a challenge back. The table holds only what toChallengeItem wrote. */
export const fromChallengeItem = (item: Item | undefined): Challenge | undefined =>
  item?.['challenge'] as Challenge | undefined;

/** The part of a transaction that holds only while the session's secret is as it was read. */
export const exchangeWrite = (after: Session, digestRead: string): Write => ({
  Put: {
    Item: toSessionItem(after),
    ConditionExpression: '#session.digest = :digest',
    ExpressionAttributeNames: { '#session': 'session' },
    ExpressionAttributeValues: { ':digest': digestRead },
  },
});

/** The part of a transaction that holds only while a user may still use sessions begun at a time (ISO). */
export const mayUseSessionCheck = ({ person, createdAt }: Session): Write => ({
  ConditionCheck: {
    Key: keys.user(person.username),
    ConditionExpression:
      '#user.#disabled = :false AND (attribute_not_exists(#user.#ended) OR #user.#ended = :null OR #user.#ended < :at)',
    ExpressionAttributeNames: { '#user': 'user', '#disabled': 'disabled', '#ended': 'sessionsEndedAt' },
    ExpressionAttributeValues: { ':false': false, ':null': null, ':at': createdAt },
  },
});
