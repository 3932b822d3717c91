import * as v from 'valibot';
import type { Addition } from '#core/platform/table/additions-row.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { daySumPrefix, type Reported } from '#disputes/alerts/cost/cost-row.ts';
import { dayFigures, type Figures, figuresDifferenceOf, figuresRevision } from './alert-day.ts';

/** The revision of marks that were stored before they had the field. */
const firstRevision = 1;

type Mark = { version: number; revision?: number; figures: Readonly<Record<string, number>> };
const MarkRow = defineRow<Mark>({
  entity: 'REPORTMARK',
  attribute: null,
  schema: v.looseObject({
    version: v.number(),
    revision: v.exactOptional(v.number()),
    figures: v.record(v.string(), v.number()),
  }),
});

/** Reads what an earlier release has counted of an alert, in a row of its own; null if it counted nothing. */
export const fromMarkItem = (item: Item | undefined): Reported | null => {
  const mark = MarkRow.find(item);
  if (!mark) return null;
  const { version, revision = firstRevision, figures } = mark;
  return { version, revision, figures };
};

/**
 * Returns the counts of an alert by its present state, and their additions to its days; null if nothing is new. Both are written in one
 * transaction, so that a state that is repeated, late or older than the counted one changes nothing.
 */
export const alertDayChange = (
  alert: Alert,
  reported: Reported | null,
): { reported: Reported; additions: Addition[] } | null => {
  const { owner, version } = alert;
  const figures = dayFigures(alert);
  const changes = isReported(alert, reported)
    ? new Map<string, number>()
    : figuresDifferenceOf(new Map(Object.entries(reported?.figures ?? {})), figures);
  if (!owner || changes.size === 0) return null;
  const day = alert.receivedAt.slice(0, 'YYYY-MM-DD'.length);
  return {
    reported: { version, revision: figuresRevision, figures: Object.fromEntries(figures) },
    additions: [`M${owner.mid}`, `S${owner.sid}`].flatMap((scope) =>
      [...changes].map(([attribute, n]) => ({
        key: keys.alertDay(scope, day),
        fixed: { entity: 'REPORT' },
        attribute,
        n,
      })),
    ),
  };
};

const isReported = ({ version }: Alert, reported: Reported | null): boolean =>
  reported !== null &&
  (version < reported.version || (version === reported.version && reported.revision >= figuresRevision));

/** A day's figures by name, from its row; undefined if no alert came in on it. */
export const figuresOfItem = (item: Item): { day: string; figures: Figures } | undefined => {
  const figures = Object.entries(item).flatMap(([name, value]) =>
    // A sum beyond the exact numbers, of a release whose sums had no limit, is read as a bigint.
    (typeof value === 'number' || typeof value === 'bigint') && !name.startsWith(daySumPrefix)
      ? [[name, Number(value)] as const]
      : [],
  );
  if (figures.length === 0) return undefined;
  return { day: String(item['sk']).slice('DAY#'.length), figures: new Map(figures) };
};
