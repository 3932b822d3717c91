import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';
import { emptyLists, type FraudLists } from './lists.ts';

export const toListsItem = (sid: number, lists: FraudLists): Item => ({
  ...keys.fraudLists(sid),
  entity: 'FRAUD_LISTS',
  version: lists.version,
  lists,
});

/** Reads a site's lists back; a site that never set any has empty ones. */
export const fromListsItem = (item: Item | undefined): FraudLists =>
  (item?.['lists'] as FraudLists | undefined) ?? emptyLists;
