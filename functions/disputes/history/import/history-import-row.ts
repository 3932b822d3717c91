import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import { changedRow, type Item, newRow, requireNew, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type HistoryImport, percentDone } from './history-import.ts';
import { historyImportDue } from './history-import-due.ts';

const Named = v.record(v.string(), v.looseObject({ charges: v.number(), last: v.string() }));

const ImportRow = defineRow<HistoryImport>({
  entity: 'IMPORT',
  attribute: 'import',
  schema: v.looseObject({
    ...texts('id', 'connection', 'kind', 'from', 'to', 'by', 'state', 'startedAt', 'updatedAt', 'nextAt', 'reading'),
    ...texts('position'),
    ...numbers('mid', 'failures', 'version'),
    parts: v.array(v.string()),
    trouble: v.nullable(v.string()),
    listsDisputes: v.exactOptional(v.boolean()),
    cursor: v.nullable(v.string()),
    pages: v.optional(v.number(), 0),
    counts: v.looseObject({
      ...numbers('charges', 'disputes', 'orders', 'refunds'),
      unreadable: v.optional(v.number(), 0),
    }),
    unread: v.optional(v.array(v.string()), []),
    statistics: v.looseObject({
      months: v.record(v.string(), v.looseObject({ settled: v.number(), charged_back: v.number() })),
      sums: v.record(v.string(), v.looseObject({ charged: v.number(), refunded: v.number() })),
      descriptors: Named,
      acceptors: Named,
    }),
  }),
});

/** An import on the wire. */
export const toImportDto = (one: HistoryImport) => ({
  import_id: one.id,
  mid: one.mid,
  connection: one.connection,
  kind: one.kind,
  what: [...one.parts],
  from: one.from,
  to: one.to,
  state: one.state,
  percent: percentDone(one),
  reading: one.reading,
  trouble: one.trouble,
  counts: { ...one.counts },
  unreadable: [...one.unread],
  started_by: one.by,
  started_at: one.startedAt,
  updated_at: one.updatedAt,
});

/** An import is kept for two years: its history is that of a year. */
const keptMilliseconds = 730 * milliseconds.day;

const toImportItem = (one: HistoryImport): Item => ({
  ...keys.historyImport(one.id),
  ...ImportRow.stamp,
  id: one.id,
  ...(one.state === 'RUNNING' && historyImportDue.keys(one.nextAt, one.id)),
  ttl: Math.ceil((Date.parse(one.startedAt) + keptMilliseconds) / milliseconds.second),
  import: one,
});

/** Reads an import back. */
export const fromImportItem = ImportRow.find;

const LatestRow = defineRow<{ id: string }>({
  entity: 'LATEST_IMPORT',
  attribute: null,
  schema: v.looseObject({ id: v.string() }),
});

/** The latest import of a connection. */
export const fromLatestImportItem = LatestRow.find;

/** Parts of a transaction: a new import, on condition that `latest` is still the latest of its connection. */
export const newImportWrites = (one: HistoryImport, latest: string | undefined): Write[] => [
  newRow(toImportItem(one)),
  {
    Put: {
      Item: { ...keys.latestImport(one.mid, one.connection), ...LatestRow.stamp, id: one.id },
      ...(latest === undefined
        ? requireNew
        : {
            ConditionExpression: '#id = :latest',
            ExpressionAttributeNames: { '#id': 'id' },
            ExpressionAttributeValues: { ':latest': latest },
          }),
    },
  },
];

/** The part that writes an import's progress. Its condition fails if the row has changed since it was read. */
export const importWrite = (one: HistoryImport): Write => changedRow(toImportItem(one), one.version - 1, 'import');
