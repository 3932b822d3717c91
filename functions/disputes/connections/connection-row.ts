import * as v from 'valibot';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type Connections, noConnections } from './connection.ts';

const ConnectionsRow = defineRow<Connections>({
  entity: 'CONNECTIONS',
  attribute: 'connections',
  fields: { list: v.array(v.unknown()), retired: v.array(v.unknown()), version: v.number() },
});

export const toConnectionsItem = (mid: number, connections: Connections): Item => ({
  ...keys.connections(mid),
  ...ConnectionsRow.stamp,
  connections,
});

/** Reads a merchant's connections back; a merchant without a row has none. */
export const fromConnectionsItem = (item: Item | undefined): Connections => ConnectionsRow.find(item) ?? noConnections;
