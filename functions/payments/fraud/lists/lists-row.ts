import * as v from 'valibot';
import { textLists } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow, type Upgrade } from '#core/platform/table/row.ts';
import { emptyLists, type FraudLists } from './lists.ts';

/** Rows written before `watch` existed watch no entries. */
const withWatch: Upgrade = (before) => ({ ...emptyLists, ...before });
const ListedCardShape = v.looseObject({ token: v.string(), card: v.string() });
const FraudListShape = v.looseObject({
  cards: v.array(ListedCardShape),
  ...textLists('emails', 'ips', 'countries', 'bins'),
});

const ListsRow = defineRow<FraudLists>({
  entity: 'FRAUD_LISTS',
  attribute: 'lists',
  schema: v.looseObject({ block: FraudListShape, allow: FraudListShape, watch: FraudListShape, version: v.number() }),
  upgrades: [withWatch],
});

export const toListsItem = (sid: number, lists: FraudLists): Item => ({
  ...keys.fraudLists(sid),
  ...ListsRow.stamp,
  version: lists.version,
  lists,
});

/** Reads a site's lists back; those that were never set are empty. */
export const fromListsItem = (item: Item | undefined): FraudLists => ListsRow.find(item) ?? emptyLists;
