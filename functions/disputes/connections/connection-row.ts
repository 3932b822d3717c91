import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type Connections, noConnections } from './connection.ts';

const ConnectionShape = v.looseObject({
  ...texts('id', 'kind', 'label'),
  sids: v.nullable(v.array(v.number())),
  active: v.boolean(),
  sealed: v.nullable(v.string()),
  shown: v.record(v.string(), v.string()),
});

const ConnectionsRow = defineRow<Connections>({
  entity: 'CONNECTIONS',
  attribute: 'connections',
  schema: v.looseObject({ list: v.array(ConnectionShape), retired: v.array(ConnectionShape), version: v.number() }),
});

export const toConnectionsItem = (mid: number, connections: Connections): Item => ({
  ...keys.connections(mid),
  ...ConnectionsRow.stamp,
  connections,
});

/** Reads a merchant's connections back; a merchant without a row has none. */
export const fromConnectionsItem = (item: Item | undefined): Connections => ConnectionsRow.find(item) ?? noConnections;
