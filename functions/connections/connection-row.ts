import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';
import { type Connections, noConnections } from './connection.ts';

export const toConnectionsItem = (mid: number, connections: Connections): Item => ({
  ...keys.connections(mid),
  entity: 'CONNECTIONS',
  connections,
});

/** Reads a merchant's connections back; one that never had any has none. The table holds only what toConnectionsItem wrote. */
export const fromConnectionsItem = (item: Item | undefined): Connections =>
  (item?.['connections'] as Connections | undefined) ?? noConnections;
