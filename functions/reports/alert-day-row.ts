import type { Alert } from '../alerts/alert.ts';
import { keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';
import { differenceOf, type Figures, figuresOf } from './alert-day.ts';

/** What is counted of an alert already: as of which of its versions, and which figures. */
export type Mark = { version: number; figures: Figures };

const nothing: Mark = { version: 0, figures: new Map() };

/** Reads a mark back; of an alert that was never counted, nothing is. */
export const fromMarkItem = (item: Item | undefined): Mark =>
  item
    ? { version: Number(item['version']), figures: new Map(Object.entries(item['figures'] as Record<string, number>)) }
    : nothing;

const markWrite = (alert: Alert, mark: Mark): Write => ({
  Put: {
    Item: {
      ...keys.alertDayMark(alert.alertId),
      entity: 'REPORTMARK',
      version: alert.version,
      figures: Object.fromEntries(figuresOf(alert)),
    },
    ...(mark.version === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#version = :version',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':version': mark.version },
        }),
  },
});

const dayWrite = (scope: string, day: string, changes: Figures): Write => {
  const entries = [...changes];
  return {
    Update: {
      Key: keys.alertDay(scope, day),
      UpdateExpression: `SET entity = :entity ADD ${entries.map((_, index) => `#a${index} :n${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], index) => [`#a${index}`, name])),
      ExpressionAttributeValues: {
        ':entity': 'REPORT',
        ...Object.fromEntries(entries.map(([, n], index) => [`:n${index}`, n])),
      },
    },
  };
};

/**
 * The parts of a transaction that count an alert as it is now in place of what was counted of it; none where nothing is new. Its
 * mark changes with the days, so that a state which comes twice, late or after a newer one changes nothing.
 */
export const alertDayWrites = (alert: Alert, mark: Mark): Write[] => {
  if (!alert.owner || alert.version <= mark.version) return [];
  const changes = differenceOf(mark.figures, figuresOf(alert));
  if (changes.size === 0) return [];
  const day = alert.receivedAt.slice(0, 'YYYY-MM-DD'.length);
  const scopes = [`M${alert.owner.mid}`, `S${alert.owner.sid}`];
  return [markWrite(alert, mark), ...scopes.map((scope) => dayWrite(scope, day, changes))];
};

/** A day's figures by name, from its row. */
export const figuresOfItem = (item: Item): { day: string; figures: Figures } => ({
  day: String(item['sk']).slice('DAY#'.length),
  figures: new Map(
    Object.entries(item).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value] as const] : [])),
  ),
});
