import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';
import { emptyLists, type FraudLists } from './lists.ts';

export const toListsItem = (sid: number, lists: FraudLists): Item => ({
  ...keys.fraudLists(sid),
  entity: 'FRAUD_LISTS',
  version: lists.version,
  lists,
});

/** Reads a site's lists back; those that were never set are empty, as `watch` is in rows from before there was one. */
export const fromListsItem = (item: Item | undefined): FraudLists => ({
  ...emptyLists,
  ...(item?.['lists'] as Partial<FraudLists> | undefined),
});
