import * as v from 'valibot';
import type { QueueName } from '../operation/grants.ts';
import { pickShard } from '../table/shard.ts';

/**
 * Work that becomes due. Each row that waits for work declares, in a file `<noun>-due.ts` next to it, which queue gets which message,
 * when the sweep finds the row in the index `due`, and which writes send the message sooner. `npm run fix` collects the declarations
 * for the router and the sweep in `functions/jobs/registered-dues.ts`.
 */

/**
 * Shards of the index `due`: a thousand alerts a second, each of which adds and removes seven entries, fill none (computed in
 * test/disputes/alerts/partitions.test.ts). A power of two, so that the parts of `SweepCompleted` add up to exactly one. There may be more
 * in time, not fewer: what is due in the others would not be found.
 */
export const dueShards = 16;

export const duePartition = (shard: number): string => `DUE#${shard}`;

/** A row as the table's stream reports it, or as the index `due` has it. */
export type Row = Readonly<Record<string, unknown>>;

/** The time of the slot or check that a message was sent for. */
export const Slot = v.pipe(v.string(), v.isoTimestamp());

/** When a message is to arrive: at a time (ISO), as far as its queue can hold it back, or after a delay. */
type When = { at?: string; delaySeconds?: number };

/** A message and the queue it goes to. Messages of one `group` do not hold up those of another. */
export type Outgoing = { queue: QueueName; body: object; group?: string } & When;

/** A write of the table. `before`: the row, if it was of the same entity; `replaced`: whatever had its key. */
export type RowChange = { before: Row | undefined; replaced: Row | undefined; after: Row };

type Woken<Body> = { body: Body } & When;

/** The messages that a write of an entity calls for. `now`: ISO. `isNewOnly`: only new rows call for any. */
type Wake<Body> = {
  isNewOnly?: true;
  messages: (change: RowChange, now: string) => readonly Woken<Body>[];
};

type Declared<S extends v.GenericSchema<object>, Body = v.InferOutput<S>> = {
  /** The word for it in the index: the entity, unless an entity has several. */
  kind: Uppercase<string>;
  /** The queue of its messages. If that depends on the row: all of them, and the one of a row. */
  queue: QueueName | { all: readonly QueueName[]; of: (row: Row) => QueueName };
  /** The schema of a message. */
  message: S;
  /** The message that the sweep of a slot sends for a row, from the attributes that the index has: `id`, `sid`. */
  swept: (row: Row, slot: string) => Body;
  /** By entity, the writes after which a message is sent at once. Without one, the sweep alone finds the row. */
  wakes?: Readonly<Record<Uppercase<string>, Wake<Body>>>;
  /** The message group of a message. */
  group?: (body: Body) => string;
  /** Messages that each sweep sends once, whatever is due. */
  everySlot?: readonly Body[];
};

/** The time at which a row of the `due` index is due: its sort key begins with it. */
export const dueAt = (row: Row): string => String(row['dueSk']).split('#')[0] ?? '';

/** The kind of a row of the `due` index. */
export const dueKindOf = (row: Row): string => String(row['dueSk']).split('#')[1] ?? '';

/** Declares one kind of due work, once. */
export const defineDue = <S extends v.GenericSchema<object>>({
  kind,
  queue,
  swept,
  wakes = {},
  group,
  everySlot = [],
}: Declared<S>) => {
  type Body = v.InferOutput<S>;
  const queueOf = (row: Row): QueueName => (typeof queue === 'string' ? queue : queue.of(row));
  const send = (to: QueueName, { body, ...when }: Woken<Body>): Outgoing => ({
    ...{ queue: to, body, ...when },
    ...(group && { group: group(body) }),
  });
  return {
    kind,
    queues: typeof queue === 'string' ? [queue] : queue.all,
    /** The keys under which the sweep finds a row from a time (ISO) on. `id`: spreads the rows over the shards. */
    keys: (at: string, id: string | number) => ({
      duePk: duePartition(pickShard(String(id), dueShards)),
      dueSk: `${at}#${kind}#${id}`,
    }),
    /** A message to the queue. `row`: whose message it is, if the queue depends on it. */
    message: (body: Body, when: When = {}, row: Row = {}): Outgoing => send(queueOf(row), { body, ...when }),
    sweptMessage: (row: Row, slot: string): Outgoing => send(queueOf(row), { body: swept(row, slot) }),
    wakes: Object.entries(wakes).map(([entity, { isNewOnly = false, messages }]) => ({
      entity,
      isNewOnly,
      messages: (change: RowChange, now: string): Outgoing[] =>
        messages(change, now).map((woken) => send(queueOf(change.after), woken)),
    })),
    slotMessages: everySlot.map((body) => send(queueOf({}), { body })),
  };
};

/** The parts of a declaration that the router and the sweep need. */
export type Due = Omit<ReturnType<typeof defineDue>, 'message'>;

/** A new row calls for a message at once; later writes of it call for none. */
export const whenNew = <Body>(body: (row: Row) => Body): Wake<Body> => ({
  isNewOnly: true,
  messages: ({ before, after }) => (before ? [] : [{ body: body(after) }]),
});

/** A message as soon as a row becomes due, or due at another time. */
export const whenDue = <Body>(body: (row: Row) => Body, when: When = {}): Wake<Body> => ({
  messages: ({ before, after }) =>
    after['dueSk'] === undefined || before?.['dueSk'] === after['dueSk'] ? [] : [{ body: body(after), ...when }],
});

/** A message that arrives at the time in an attribute, whenever that is set to another time. */
export const whenTimed = <Body>(attribute: string, body: (row: Row, at: string) => Body): Wake<Body> => ({
  messages: ({ before, after }) => {
    const at = after[attribute];
    return typeof at !== 'string' || before?.[attribute] === at ? [] : [{ body: body(after, at), at }];
  },
});
