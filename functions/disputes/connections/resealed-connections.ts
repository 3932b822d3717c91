import type { Reseal } from '#core/kernel/key-ring.ts';
import { type Connection, type Connections, keysContext } from './connection.ts';

/** A merchant's connections, including the retired ones, with all credentials resealed. */
export const resealedConnections = (mid: number, connections: Connections, reseal: Reseal): Connections => {
  const anew = (one: Connection): Connection =>
    one.sealed === null ? one : { ...one, sealed: reseal(keysContext(mid, one.id), one.sealed) };
  return { ...connections, list: connections.list.map(anew), retired: connections.retired.map(anew) };
};
