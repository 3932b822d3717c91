import { dueKeys, keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';

/** A dispute alert that looks for its transaction or holds it, until it has its outcome. */
export type Hold = {
  alertId: number;
  /** ISO; since when it is looked for. */
  since: string;
  /** What it holds; null: not found yet, or not the only one it can be. */
  txid: number | null;
  /** Those it can be, if there are several. */
  txids: readonly number[];
  version: number;
};

/** `dueAt` (ISO): since when it is owed a look, which every sweep repeats; null: nothing is awaited. */
const toHoldItem = (hold: Hold, dueAt: string | null): Item => ({
  ...keys.disputeHold(hold.alertId),
  entity: 'HOLD',
  id: hold.alertId,
  ...(dueAt !== null && dueKeys('HOLD', dueAt, hold.alertId)),
  hold,
});

/** Reads a hold back. The table holds only what toHoldItem wrote. */
export const fromHoldItem = (item: Item | undefined): Hold | undefined => item?.['hold'] as Hold | undefined;

/** The part of a transaction by which a new alert owes it that its transaction is found. `at`: ISO. */
export const newHoldWrite = (alertId: number, at: string): Write => ({
  Put: { Item: toHoldItem({ alertId, since: at, txid: null, txids: [], version: 1 }, at) },
});

/** The part that writes one which was found at once. Its condition fails if there is one already. */
export const foundHoldWrite = (hold: Hold, dueAt: string): Write => ({
  Put: { Item: toHoldItem({ ...hold, version: 1 }, dueAt), ConditionExpression: 'attribute_not_exists(pk)' },
});

const unchanged = ({ version }: Hold) => ({
  ConditionExpression: '#hold.#version = :version',
  ExpressionAttributeNames: { '#hold': 'hold', '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

/** The part that writes what became of it. Its condition fails if somebody else has written or ended it since. */
export const changedHoldWrite = (before: Hold, after: Hold, dueAt: string | null): Write => ({
  Put: { Item: toHoldItem({ ...after, version: before.version + 1 }, dueAt), ...unchanged(before) },
});

/** The part that ends it, likewise. */
export const endedHoldWrite = (hold: Hold): Write => ({
  Delete: { Key: keys.disputeHold(hold.alertId), ...unchanged(hold) },
});
