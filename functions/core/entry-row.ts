import type { Entry, Source } from './entries.ts';
import { keys } from './keys.ts';
import type { Item } from './table.ts';

export const toEntryItem = (source: Source, entry: Entry): Item => ({
  ...keys.dataEntry(source, entry.id),
  entity: 'DATA_ENTRY',
  entry,
});

/** Reads an entry back. The table holds only what toEntryItem wrote. */
export const fromEntryItem = (item: Item): Entry => item['entry'] as Entry;
