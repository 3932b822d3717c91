import * as v from 'valibot';
import { iso, milliseconds } from '../core/clock.ts';
import { dueKeys, keys } from '../core/keys.ts';
import { defineRow } from '../core/row.ts';
import type { Item, Write } from '../core/table.ts';
import { disputeListers, type GatewayKind } from '../processors/processors.ts';
import type { Connections } from './connection.ts';

/**
 * That a connection is looked at for disputes, every day, whatever its webhooks tell. `since`: what came up before is known. `part`: of a
 * look that has more to read than is read at once, when it began, and before when what it has not read came up.
 */
export type DisputeLook = {
  mid: number;
  connection: string;
  kind: GatewayKind;
  since: string;
  nextAt: string;
  part?: { begunAt: string; before: string };
};

const LookRow = defineRow<DisputeLook>({
  entity: 'DISPUTE_LOOK',
  attribute: 'look',
  fields: {
    mid: v.number(),
    connection: v.string(),
    kind: v.string(),
    since: v.string(),
    nextAt: v.string(),
    part: v.optional(v.object({ begunAt: v.string(), before: v.string() })),
  },
});

export const disputeLookItem = (look: DisputeLook): Item => {
  const { mid, connection, nextAt } = look;
  const id = `${mid}.${connection}`;
  return { ...keys.disputeLook(mid, connection), ...LookRow.stamp, id, ...dueKeys('DISPUTE_LOOK', nextAt, id), look };
};

/** The part of a transaction that begins to look at a connection. */
export const newLookWrite = (look: DisputeLook): Write => ({ Put: { Item: disputeLookItem(look) } });

/** Reads one back. */
export const fromDisputeLookItem = LookRow.find;

/** The mid and the connection of a look's id. */
export const readLookId = (id: string): Pick<DisputeLook, 'mid' | 'connection'> => {
  const [mid = '', connection = ''] = id.split('.');
  return { mid: Number(mid), connection };
};

/** Less than a day: sweeps come at fixed times, and none is to be missed by seconds. */
const lookEvery = 23 * milliseconds.hour;
/** How far back a new connection is looked at: issuers dispute for months, but what is older concerns no alert of ours. */
const firstLook = 30 * milliseconds.day;

/** Looks again tomorrow: what could not be asked is asked for then. */
export const lookLater = (look: DisputeLook, at: string): DisputeLook => ({
  ...look,
  nextAt: iso(Date.parse(at) + lookEvery),
});

/** The look after some of it, or the last, was read: from when it began on, more may have come up. */
export const lookAfter = (look: DisputeLook, before: string | undefined, at: string): DisputeLook => {
  const { part, ...whole } = look;
  const begunAt = part?.begunAt ?? at;
  return before === undefined
    ? lookLater({ ...whole, since: begunAt }, at)
    : { ...whole, nextAt: at, part: { begunAt, before } };
};

/** The looks that begin with connections as they are set now. */
export const newLooks = (mid: number, before: Connections, after: Connections, at: string): DisputeLook[] => {
  const was = new Set(before.list.filter(({ active }) => active).map(({ id }) => id));
  return after.list
    .filter(({ id, kind, active }) => active && disputeListers.includes(kind) && !was.has(id))
    .map(({ id, kind }) => ({
      ...{ mid, connection: id, kind },
      since: iso(Date.parse(at) - firstLook),
      nextAt: at,
    }));
};
