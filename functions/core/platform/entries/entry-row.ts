import * as v from 'valibot';
import type { Item } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { defineRow } from '../table/row.ts';
import type { DataEntry, DataSource } from './entries.ts';

const EntryRow = defineRow<DataEntry>({
  entity: 'DATA_ENTRY',
  attribute: 'entry',
  schema: v.looseObject({ id: v.number(), name: v.string(), description: v.string() }),
});

export const toEntryItem = (source: DataSource, entry: DataEntry): Item => ({
  ...keys.dataEntry(source, entry.id),
  ...EntryRow.stamp,
  entry,
});

/** Reads an entry back. */
export const fromEntryItem = EntryRow.read;
