import * as v from 'valibot';
import { nullableTexts, numbers } from '#core/kernel/schema/shape-fields.ts';
import { type Item, requireNew, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow, type Upgrade } from '#core/platform/table/row.ts';
import type { OrderSource } from './order-source.ts';
import { orderSourceDue } from './order-source-due.ts';

const Position = v.looseObject({ after: v.string(), page: v.nullable(v.string()) });

/** Before orders were read again. */
const withRetries: Upgrade = (before) => ({
  ...{ retries: [], contradiction: null, recheck: { position: null, dueAt: null } },
  ...before,
});

const SourceRow = defineRow<OrderSource>({
  entity: 'ORDER_SOURCE',
  attribute: 'source',
  schema: v.looseObject({
    ...numbers('sid', 'mid', 'failures', 'version'),
    kind: v.string(),
    ...nullableTexts('connection', 'baseUrl', 'sealed', 'shownKey', 'nextAt', 'lastRunAt', 'lastRefusal'),
    ...nullableTexts('contradiction', 'trouble'),
    position: Position,
    recordedAt: v.string(),
    counts: v.looseObject(numbers('imported', 'updated', 'withoutCard', 'refused')),
    leftOut: v.array(v.string()),
    retries: v.array(
      v.looseObject({
        ...{ shopId: v.string(), reference: v.string(), reason: v.string(), at: v.string(), nextAt: v.string() },
        tries: v.number(),
      }),
    ),
    recheck: v.looseObject({ position: v.nullable(Position), dueAt: v.nullable(v.string()) }),
    silences: v.record(v.string(), v.looseObject({ since: v.string(), runs: v.number() })),
  }),
  upgrades: [withRetries],
});

/** Reads a site's source back. */
export const fromOrderSourceItem = SourceRow.find;

const toSourceItem = (source: OrderSource): Item => ({
  ...keys.orderSource(source.sid),
  ...SourceRow.stamp,
  ...{ id: source.sid, sid: source.sid },
  ...(source.nextAt !== null && { nextAt: source.nextAt, ...orderSourceDue.keys(source.nextAt, source.sid) }),
  source,
});

/** The condition that a source is unchanged since it was read. */
const unchangedSource = (before: OrderSource | undefined) =>
  before === undefined ? requireNew : requireVersion(before.version, 'source');

/** The part of a transaction that replaces a source; `after` null removes it. Its condition fails if it was changed meanwhile. */
export const orderSourceWrite = (before: OrderSource | undefined, after: OrderSource | null): Write[] => {
  if (after) return [{ Put: { Item: toSourceItem(after), ...unchangedSource(before) } }];
  return before ? [{ Delete: { Key: keys.orderSource(before.sid), ...unchangedSource(before) } }] : [];
};
