import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Clock } from '../clock.ts';
import { number, optionalNumber, optionalText, type Row, type State, text } from '../state.ts';

/** A queue as the template describes it. */
export type QueueDefinition = {
  name: string;
  arn: string;
  visibilityTimeoutSeconds: number;
  delaySeconds: number;
  retentionSeconds: number;
  maximumMessageBytes: number;
  /** Where a message goes that was received this often without being deleted. */
  redrive?: { arn: string; maxReceiveCount: number };
};

export type Message = {
  messageId: string;
  /** Names this one receipt of the message; a later receipt makes it void. */
  receiptHandle: string;
  body: string;
  groupId: string | undefined;
  attributes: Readonly<Record<string, unknown>>;
  sentAt: number;
  receiveCount: number;
  firstReceivedAt: number;
};

type Outgoing = {
  body: string;
  groupId?: string | undefined;
  attributes?: Readonly<Record<string, unknown>> | undefined;
  delaySeconds?: number | undefined;
};

/** The digest by which a client checks that a body arrived whole. */
export const md5Of = (body: string): string => createHash('md5').update(body).digest('hex');

/** Standard SQS queues that live in the state file and go by the stack's clock. */
export type Queues = {
  definitions: readonly QueueDefinition[];
  find(nameOrArn: string): QueueDefinition | undefined;
  send(queue: QueueDefinition, message: Outgoing): { messageId: string; md5: string };
  /** Takes up to `limit` visible messages, those first that have been visible longest, and hides them for the timeout. */
  receive(queue: QueueDefinition, limit: number, visibilityTimeoutSeconds?: number): Message[];
  /** Returns whether the receipt still stood for a message. */
  remove(queue: QueueDefinition, receiptHandle: string): boolean;
  changeVisibility(queue: QueueDefinition, receiptHandle: string, seconds: number): boolean;
  depth(queue: QueueDefinition): { visible: number; hidden: number };
  /** Checks whether a message could be received now; `upTo`: one that was sent before `newest` gave this number. */
  hasVisible(queue: QueueDefinition, upTo?: number): boolean;
  /** A number that every message sent so far is below or at. */
  newest(): number;
  /** When the next hidden message of a queue shows itself; undefined if none is hidden. */
  nextVisibleAt(queue: QueueDefinition): number | undefined;
  purge(queue: QueueDefinition): void;
  /** Emits the name of a queue when something in it has become visible. */
  arrivals: EventEmitter<{ arrival: [queueName: string] }>;
  /** Returns the number of messages that were sent so far. */
  countSent(): number;
};

const schema = `
  CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, message_id TEXT NOT NULL, body TEXT NOT NULL,
    group_id TEXT, attributes TEXT NOT NULL, sent_at INTEGER NOT NULL, visible_at INTEGER NOT NULL,
    receive_count INTEGER NOT NULL DEFAULT 0, first_received_at INTEGER, receipt TEXT) STRICT;
  CREATE INDEX IF NOT EXISTS messages_visible ON messages (queue, visible_at, id);
  CREATE INDEX IF NOT EXISTS messages_sent ON messages (queue, sent_at);
  CREATE INDEX IF NOT EXISTS messages_receipt ON messages (receipt)`;

const prepare = (database: State['database']) => {
  database.exec(schema);
  return {
    insert: database.prepare(
      'INSERT INTO messages (queue, message_id, body, group_id, attributes, sent_at, visible_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    visible: database.prepare(
      'SELECT * FROM messages WHERE queue = ? AND visible_at <= ? ORDER BY visible_at, id LIMIT ?',
    ),
    hide: database.prepare(
      'UPDATE messages SET visible_at = ?, receipt = ?, receive_count = ?, first_received_at = ? WHERE id = ?',
    ),
    redrive: database.prepare(
      'UPDATE messages SET queue = ?, visible_at = ?, receipt = NULL, receive_count = 0 WHERE id = ?',
    ),
    remove: database.prepare('DELETE FROM messages WHERE queue = ? AND receipt = ?'),
    show: database.prepare('UPDATE messages SET visible_at = ? WHERE queue = ? AND receipt = ?'),
    expire: database.prepare('DELETE FROM messages WHERE queue = ? AND sent_at < ?'),
    depth: database.prepare(
      'SELECT count(*) FILTER (WHERE visible_at <= ?) AS visible, count(*) AS total FROM messages WHERE queue = ?',
    ),
    next: database.prepare('SELECT min(visible_at) AS at FROM messages WHERE queue = ? AND visible_at > ?'),
    purge: database.prepare('DELETE FROM messages WHERE queue = ?'),
    release: database.prepare(
      `UPDATE messages SET visible_at = ?, receipt = NULL, receive_count = max(0, receive_count - 1)
       WHERE receipt IS NOT NULL AND visible_at > ?`,
    ),
    first: database.prepare('SELECT min(visible_at) AS at FROM messages WHERE queue = ?'),
    newest: database.prepare('SELECT max(id) AS id FROM messages'),
    visibleUpTo: database.prepare('SELECT id FROM messages WHERE queue = ? AND visible_at <= ? AND id <= ? LIMIT 1'),
  };
};

/**
 * When the first message of each queue is, or was, to be seen. Queues are asked many times a second, and most of them are empty: the file is
 * looked at only when something has been done to the queue since.
 */
const createFirsts = (lookUp: (queueName: string) => number | undefined) => {
  const known = new Map<string, number>();
  return {
    of: (queueName: string): number => {
      const at = known.get(queueName) ?? lookUp(queueName) ?? Number.POSITIVE_INFINITY;
      known.set(queueName, at);
      return at;
    },
    forget: (queueName: string): void => void known.delete(queueName),
  };
};

/**
 * Opens the queues in their last state. What the last process was working on, or had failed, is visible again: no process works on it. That
 * receipt does not count: frequent restarts are not a message's fault.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table of short calls, all on the same prepared statements.
export const openQueues = (state: State, clock: Clock, definitions: readonly QueueDefinition[]): Queues => {
  const sql = prepare(state.database);
  const arrivals = new EventEmitter<{ arrival: [string] }>();
  // Each queue's function listens, and so does everything that waits for a message: however many, that is no leak.
  arrivals.setMaxListeners(0);
  const find = (nameOrArn: string) => definitions.find(({ name, arn }) => name === nameOrArn || arn === nameOrArn);
  let sent = 0;
  sql.release.run(clock.now(), clock.now());
  const firsts = createFirsts((name) => optionalNumber(sql.first.get(name), 'at'));
  /** Checks whether a write to a queue has changed anything. */
  const change = (queueName: string, { changes }: { changes: number | bigint }): boolean => {
    firsts.forget(queueName);
    return changes > 0;
  };

  const redrive = (row: Row, target: QueueDefinition): void => {
    change(target.name, sql.redrive.run(target.name, clock.now(), number(row, 'id')));
    arrivals.emit('arrival', target.name);
  };
  const take = (row: Row, visibleAt: number): Message => {
    const message = messageIn(row, clock.now());
    sql.hide.run(visibleAt, message.receiptHandle, message.receiveCount, message.firstReceivedAt, number(row, 'id'));
    return message;
  };
  const hasVisible = (queue: QueueDefinition, upTo = Number.MAX_SAFE_INTEGER): boolean =>
    firsts.of(queue.name) <= clock.now() &&
    (upTo === Number.MAX_SAFE_INTEGER || sql.visibleUpTo.get(queue.name, clock.now(), upTo) !== undefined);
  return {
    definitions,
    find,
    arrivals,
    countSent: () => sent,
    send: (queue, { body, groupId, attributes = {}, delaySeconds = queue.delaySeconds }) => {
      const messageId = randomUUID();
      const visibleAt = clock.now() + delaySeconds * 1000;
      const of = JSON.stringify(attributes);
      change(queue.name, sql.insert.run(queue.name, messageId, body, groupId ?? null, of, clock.now(), visibleAt));
      sent += 1;
      if (delaySeconds === 0) arrivals.emit('arrival', queue.name);
      return { messageId, md5: md5Of(body) };
    },
    receive: (queue, limit, visibilityTimeoutSeconds = queue.visibilityTimeoutSeconds) => {
      // Called many times a second, mostly without a result: a poll writes nothing, and also notices what is too old.
      if (!hasVisible(queue)) return [];
      firsts.forget(queue.name);
      return state.together(() => {
        sql.expire.run(queue.name, clock.now() - queue.retentionSeconds * 1000);
        const rows = sql.visible.all(queue.name, clock.now(), limit);
        const target = queue.redrive && find(queue.redrive.arn);
        const isSpent = (row: Row) => target && number(row, 'receive_count') >= (queue.redrive?.maxReceiveCount ?? 0);
        for (const row of rows) if (target && isSpent(row)) redrive(row, target);
        const visibleAt = clock.now() + visibilityTimeoutSeconds * 1000;
        return rows.filter((row) => !isSpent(row)).map((row) => take(row, visibleAt));
      });
    },
    remove: (queue, receiptHandle) => change(queue.name, sql.remove.run(queue.name, receiptHandle)),
    changeVisibility: (queue, receiptHandle, seconds) => {
      const isKnown = change(queue.name, sql.show.run(clock.now() + seconds * 1000, queue.name, receiptHandle));
      if (isKnown && seconds === 0) arrivals.emit('arrival', queue.name);
      return isKnown;
    },
    hasVisible,
    newest: () => optionalNumber(sql.newest.get(), 'id') ?? 0,
    depth: (queue) => {
      const row = sql.depth.get(clock.now(), queue.name);
      return { visible: number(row, 'visible'), hidden: number(row, 'total') - number(row, 'visible') };
    },
    nextVisibleAt: (queue) => {
      const at = firsts.of(queue.name);
      if (at > clock.now()) return Number.isFinite(at) ? at : undefined;
      return optionalNumber(sql.next.get(queue.name, clock.now()), 'at');
    },
    purge: (queue) => void change(queue.name, sql.purge.run(queue.name)),
  };
};

const messageIn = (row: Row, now: number): Message => ({
  messageId: text(row, 'message_id'),
  receiptHandle: randomUUID(),
  body: text(row, 'body'),
  groupId: optionalText(row, 'group_id'),
  attributes: JSON.parse(text(row, 'attributes')),
  sentAt: number(row, 'sent_at'),
  receiveCount: number(row, 'receive_count') + 1,
  firstReceivedAt: optionalNumber(row, 'first_received_at') ?? now,
});

/** A message's system attributes as SQS spells them. */
export const systemAttributes = (message: Message): Record<string, string> => ({
  SenderId: 'local',
  SentTimestamp: String(message.sentAt),
  ApproximateReceiveCount: String(message.receiveCount),
  ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
  ...(message.groupId === undefined ? {} : { MessageGroupId: message.groupId }),
});
