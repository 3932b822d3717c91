import * as v from 'valibot';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type ConnectionKind, disputeListers } from '#payments/processors/ports/processors.ts';
import type { Connections } from './connection.ts';
import { disputeLookDue } from './dispute-look-due.ts';

/**
 * The daily look at a connection for disputes, whatever its webhooks report. `since`: disputes from before are known. `part`, of a look
 * with more to read than is read at once: when the look began, and before which time the unread disputes came up. `held`: how often in a row `since`
 * stayed for an unreadable dispute without a reference, and `isHeld`: an earlier part of this look had one. `failing`: since when the connection
 * could not be asked, as long as its `nextAt` is the look's; 1.1.0 writes the look after a success and keeps it.
 */
export type DisputeLook = {
  mid: number;
  connection: string;
  kind: ConnectionKind;
  since: string;
  nextAt: string;
  held?: number;
  part?: { begunAt: string; before: string; isHeld?: true };
  failing?: { since: string; nextAt: string };
};

const LookRow = defineRow<DisputeLook>({
  entity: 'DISPUTE_LOOK',
  attribute: 'look',
  schema: v.looseObject({
    mid: v.number(),
    ...texts('connection', 'kind', 'since', 'nextAt'),
    held: v.exactOptional(v.number()),
    failing: v.exactOptional(v.looseObject(texts('since', 'nextAt'))),
    part: v.exactOptional(
      v.looseObject({ begunAt: v.string(), before: v.string(), isHeld: v.exactOptional(v.literal(true)) }),
    ),
  }),
});

export const disputeLookItem = (look: DisputeLook): Item => {
  const { mid, connection, nextAt } = look;
  const id = `${mid}.${connection}`;
  return { ...keys.disputeLook(mid, connection), ...LookRow.stamp, id, ...disputeLookDue.keys(nextAt, id), look };
};

/** The part of a transaction that begins the daily look at a connection. */
export const newLookWrite = (look: DisputeLook): Write => ({ Put: { Item: disputeLookItem(look) } });

/** Reads one back. */
export const fromDisputeLookItem = LookRow.find;

/** The mid and the connection of a look's id. */
export const readLookId = (id: string): Pick<DisputeLook, 'mid' | 'connection'> => {
  const [mid = '', connection = ''] = id.split('.');
  return { mid: Number(mid), connection };
};

/** Less than a day: sweeps come at fixed times, and a look must not miss one by seconds. */
const lookEvery = 23 * milliseconds.hour;
/** The period that is checked at a new connection: issuers dispute for months, but older disputes concern no alert here. */
const firstLook = 30 * milliseconds.day;

/** The look put off to tomorrow; what could not be asked for now is asked for then. */
export const lookLater = (look: DisputeLook, at: string): DisputeLook => ({
  ...look,
  nextAt: iso(Date.parse(at) + lookEvery),
});

/** Since when a connection could not be asked; undefined if it answered the last time, or has not been asked. */
export const failingSince = ({ failing, nextAt }: DisputeLook): string | undefined =>
  failing?.nextAt === nextAt ? failing.since : undefined;

/** The look of a connection that could not be asked, put off to tomorrow. */
export const lookFailed = (look: DisputeLook, at: string): DisputeLook => {
  const later = lookLater(look, at);
  return { ...later, failing: { since: failingSince(look) ?? at, nextAt: later.nextAt } };
};

/** The number of looks that an unreadable dispute without a reference may hold back: a service may be mended within a week. */
const maxHeld = 7;

/**
 * The look after a part of it, or all, was read. The next one starts from when this one began, since more may have come up. `isNameless`:
 * the part has an unreadable dispute that cannot be asked for by its reference. `isGivenUp`: it no longer holds the look back.
 */
export const lookAfter = (
  look: DisputeLook,
  { before, isNameless, at }: { before: string | undefined; isNameless: boolean; at: string },
): { after: DisputeLook; isGivenUp: boolean } => {
  const { part, held = 0, failing: _, ...whole } = look;
  const begunAt = part?.begunAt ?? at;
  const isHeld = isNameless || part?.isHeld === true;
  if (before !== undefined) {
    const next = { begunAt, before, ...(isHeld && { isHeld }) };
    return { after: { ...whole, ...(held > 0 && { held }), nextAt: at, part: next }, isGivenUp: false };
  }
  if (isHeld && held < maxHeld) return { after: lookLater({ ...whole, held: held + 1 }, at), isGivenUp: false };
  return { after: lookLater({ ...whole, since: begunAt }, at), isGivenUp: isHeld };
};

/** The looks that begin when connections are set. */
export const newLooks = (mid: number, before: Connections, after: Connections, at: string): DisputeLook[] => {
  const was = new Set(before.list.filter(({ active }) => active).map(({ id }) => id));
  return after.list
    .filter(({ id, kind, active }) => active && disputeListers.includes(kind) && !was.has(id))
    .map(({ id, kind }) => ({ mid, connection: id, kind, since: iso(Date.parse(at) - firstLook), nextAt: at }));
};
