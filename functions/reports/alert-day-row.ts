import * as v from 'valibot';
import type { Alert } from '../alerts/alert.ts';
import { keys } from '../core/keys.ts';
import { defineRow } from '../core/row.ts';
import type { Item, Write } from '../core/table.ts';
import { differenceOf, type Figures, figuresOf, figuresRevision } from './alert-day.ts';

/** What was already counted for an alert: its version then, the revision of the figures, and the figures. */
export type Mark = { version: number; revision: number; figures: Figures };

const nothing: Mark = { version: 0, revision: 0, figures: new Map() };
/** For marks that do not name their revision. */
const firstRevision = 1;

type Kept = { version: number; revision?: number; figures: Readonly<Record<string, number>> };
const MarkRow = defineRow<Kept>({
  entity: 'REPORTMARK',
  attribute: null,
  fields: { version: v.number(), revision: v.optional(v.number()), figures: v.record(v.string(), v.number()) },
});

/** Reads a mark back; for an alert that was never counted, an empty one. */
export const fromMarkItem = (item: Item | undefined): Mark => {
  const mark = MarkRow.find(item);
  if (!mark) return nothing;
  const { version, revision = firstRevision, figures } = mark;
  return { version, revision, figures: new Map(Object.entries(figures)) };
};

/** The condition that nobody has counted the alert since, at another version or by another revision. */
const isAsRead = ({ version, revision }: Mark) => ({
  ConditionExpression:
    revision === firstRevision
      ? '#version = :version AND attribute_not_exists(#revision)'
      : '#version = :version AND #revision = :revision',
  ExpressionAttributeNames: { '#version': 'version', '#revision': 'revision' },
  ExpressionAttributeValues: { ':version': version, ...(revision !== firstRevision && { ':revision': revision }) },
});

const markWrite = (alert: Alert, mark: Mark): Write => ({
  Put: {
    Item: {
      ...keys.alertDayMark(alert.alertId),
      ...MarkRow.stamp,
      version: alert.version,
      revision: figuresRevision,
      figures: Object.fromEntries(figuresOf(alert)),
    },
    ...(mark.version === 0 ? { ConditionExpression: 'attribute_not_exists(pk)' } : isAsRead(mark)),
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
 * The parts of a transaction that replace what was counted for alerts by their present state, each day once; none if
 * nothing is new. Marks change together with the days, so that a state that comes twice, late or after a newer one changes nothing.
 */
export const alertDayWrites = (alerts: readonly { alert: Alert; mark: Mark }[]): Write[] => {
  const news = alerts.flatMap(({ alert, mark }) => {
    const changes = newsOf(alert, mark);
    return alert.owner && changes.size > 0 ? [{ alert, mark, owner: alert.owner, changes }] : [];
  });
  const days = new Map<string, { scope: string; day: string; changes: Map<string, number> }>();
  for (const { alert, owner, changes } of news) {
    const day = alert.receivedAt.slice(0, 'YYYY-MM-DD'.length);
    for (const scope of [`M${owner.mid}`, `S${owner.sid}`]) {
      const row = days.get(`${scope} ${day}`) ?? { scope, day, changes: new Map<string, number>() };
      for (const [name, n] of changes) row.changes.set(name, (row.changes.get(name) ?? 0) + n);
      days.set(`${scope} ${day}`, row);
    }
  }
  const changed = [...days.values()].map(({ changes, ...row }) => ({
    ...row,
    changes: new Map([...changes].filter(([, n]) => n !== 0)),
  }));
  return [
    ...news.map(({ alert, mark }) => markWrite(alert, mark)),
    ...changed.flatMap(({ scope, day, changes }) => (changes.size > 0 ? [dayWrite(scope, day, changes)] : [])),
  ];
};

const newsOf = (alert: Alert, mark: Mark): Figures => {
  const isCounted =
    alert.version < mark.version || (alert.version === mark.version && mark.revision >= figuresRevision);
  return isCounted ? new Map() : differenceOf(mark.figures, figuresOf(alert));
};

/** A day's figures by name, from its row. */
export const figuresOfItem = (item: Item): { day: string; figures: Figures } => ({
  day: String(item['sk']).slice('DAY#'.length),
  figures: new Map(
    Object.entries(item).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value] as const] : [])),
  ),
});
