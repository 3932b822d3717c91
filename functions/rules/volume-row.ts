import type { Alert } from '../alerts/alert.ts';
import { milliseconds } from '../core/clock.ts';
import { keys } from '../core/keys.ts';
import type { Key, Write } from '../core/table.ts';
import { minorOf, subjectOf, volumeAttributes, volumeDay, volumeNames } from './volume.ts';

/** Long enough for the longest window at the end of the longest dry run. */
const keptMilliseconds = 62 * milliseconds.day;

const ttlAfter = (at: string): number => Math.ceil((Date.parse(at) + keptMilliseconds) / milliseconds.second);

/** The part of a transaction that marks an alert as counted. Its condition fails if it is. */
export const countedWrite = ({ alertId, receivedAt }: Alert): Write => ({
  Put: {
    Item: { ...keys.volumeMark(alertId), entity: 'VOLUMEMARK', ttl: ttlAfter(receivedAt) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** The parts of a transaction that add alerts to the rows they count in, each row once. */
export const volumeWrites = (alerts: readonly Alert[]): Write[] => {
  const rows = new Map<string, { key: Key; at: string; additions: Map<string, number> }>();
  for (const alert of alerts) {
    const { providerAlert, receivedAt: at } = alert;
    const subject = subjectOf(alert);
    if (!subject) continue;
    const { count, sum } = volumeAttributes(at, providerAlert.currency);
    for (const name of Object.values(volumeNames(subject))) {
      const key = keys.volume(subject.sid, name, volumeDay(at));
      const row = rows.get(`${key.pk}\n${key.sk}`) ?? { key, at, additions: new Map<string, number>() };
      row.additions.set(count, (row.additions.get(count) ?? 0) + 1);
      row.additions.set(sum, (row.additions.get(sum) ?? 0) + minorOf(providerAlert.amount, providerAlert.currency));
      rows.set(`${key.pk}\n${key.sk}`, row);
    }
  }
  return [...rows.values()].map(({ key, at, additions }) => addition(key, [...additions], ttlAfter(at)));
};

const addition = (key: Key, entries: readonly (readonly [string, number])[], ttl: number): Write => ({
  Update: {
    Key: key,
    UpdateExpression: `SET entity = :entity, #ttl = :ttl ADD ${entries.map((_, index) => `#a${index} :n${index}`).join(', ')}`,
    ExpressionAttributeNames: {
      '#ttl': 'ttl',
      ...Object.fromEntries(entries.map(([name], index) => [`#a${index}`, name])),
    },
    ExpressionAttributeValues: {
      ':entity': 'VOLUME',
      ':ttl': ttl,
      ...Object.fromEntries(entries.map(([, n], index) => [`:n${index}`, n])),
    },
  },
});
