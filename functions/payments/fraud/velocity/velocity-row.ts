import { milliseconds } from '#core/kernel/clock.ts';
import { countedMinor } from '#core/kernel/money/counted-minor.ts';
import type { Key, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { FraudSubject } from '../check/subject.ts';
import {
  outdatedBuckets,
  type VelocityRow,
  type VelocityScope,
  velocityAttributes,
  velocityNames,
} from './velocity.ts';

/** The time for which a card or an e-mail address is known after its last use. */
const keptMilliseconds = 400 * milliseconds.day;

/** The number of old attributes that one write removes at most: an expression may have 4 KB. */
const maxRemoved = 50;

export const velocityKeys = (subject: FraudSubject): Key[] =>
  velocityNames(subject).map(({ name }) => keys.velocity(subject.sid, name));

/**
 * The parts of a transaction that count a subject. Hours outside every window are removed, so that a row stays small. For scopes in
 * `asked`, the condition fails if another payment was counted there since the row was read.
 */
export const velocityWrites = (
  subject: FraudSubject,
  rowOf: (name: string) => VelocityRow | undefined,
  asked: readonly VelocityScope[] = [],
): Write[] => {
  const { count, sum, first } = velocityAttributes(subject);
  return velocityNames(subject).map(({ scope, name }) => {
    const seen = rowOf(name)?.[count];
    const isUnchanged = seen === undefined ? 'attribute_not_exists(#count)' : '#count = :seen';
    const isAsked = asked.includes(scope);
    const old = outdatedBuckets(rowOf(name), subject.at).slice(0, maxRemoved);
    const removal = old.length === 0 ? '' : ` REMOVE ${old.map((_, index) => `#o${index}`).join(', ')}`;
    return {
      Update: {
        Key: keys.velocity(subject.sid, name),
        UpdateExpression:
          'SET entity = :entity, #ttl = :ttl, #first = if_not_exists(#first, :at) ' +
          `ADD #count :one, #sum :minor${removal}`,
        ExpressionAttributeNames: {
          '#ttl': 'ttl',
          '#first': first,
          '#count': count,
          '#sum': sum,
          ...Object.fromEntries(old.map((attribute, index) => [`#o${index}`, attribute])),
        },
        ...(isAsked && { ConditionExpression: isUnchanged }),
        ExpressionAttributeValues: {
          ':entity': 'VELOCITY',
          ':ttl': Math.ceil((Date.parse(subject.at) + keptMilliseconds) / milliseconds.second),
          ':at': subject.at,
          ':one': 1,
          ':minor': countedMinor(subject.money.minor),
          ...(isAsked && seen !== undefined && { ':seen': seen }),
        },
      },
    };
  });
};
