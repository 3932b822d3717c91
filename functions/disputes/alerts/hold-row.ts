import * as v from 'valibot';
import { type Item, newRow, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { holdDue } from './hold-due.ts';

/** A dispute alert's search for its transaction, then its hold on it, until the alert has its outcome. */
export type Hold = {
  alertId: number;
  /** ISO; since when the transaction is looked for. */
  since: string;
  /** The transaction it holds; null: not found yet, or several are possible. */
  txid: number | null;
  /** The possible transactions, if there are several. */
  txids: readonly number[];
  /** The transactions that a person has ruled out; absent: none. */
  ruledOut?: readonly number[];
  /** The transaction had been refunded as a whole before; absent: it had not, or none is held. */
  isRefunded?: boolean;
  /** The first search found nothing; absent: there was none yet, or it found something. */
  isSearched?: boolean;
  version: number;
};

/** Checks whether the first search has not ended yet: a notification that names the payment waits a moment for it. */
export const isHoldAwaited = ({ txid, txids, isSearched = false }: Hold): boolean =>
  txid === null && txids.length === 0 && !isSearched;

const HoldRow = defineRow<Hold>({
  entity: 'HOLD',
  attribute: 'hold',
  schema: v.looseObject({
    alertId: v.number(),
    since: v.string(),
    txid: v.nullable(v.number()),
    txids: v.array(v.number()),
    ruledOut: v.exactOptional(v.array(v.number())),
    isRefunded: v.exactOptional(v.boolean()),
    isSearched: v.exactOptional(v.boolean()),
    version: v.number(),
  }),
});

/** `dueAt` (ISO): since when the hold is due; every sweep retries it. Null: nothing is awaited. */
const toHoldItem = (hold: Hold, dueAt: string | null): Item => ({
  ...keys.disputeHold(hold.alertId),
  ...HoldRow.stamp,
  id: hold.alertId,
  ...(dueAt !== null && holdDue.keys(dueAt, hold.alertId)),
  hold,
});

/** Reads a hold back. */
export const fromHoldItem = HoldRow.find;

/** The part of a transaction that makes the search for a new alert's payment due. `at`: ISO. */
export const newHoldWrite = (alertId: number, at: string): Write => ({
  Put: { Item: toHoldItem({ alertId, since: at, txid: null, txids: [], version: 1 }, at) },
});

/** The part that writes a hold whose payment was found at once. Its condition fails if there is a hold already. */
export const foundHoldWrite = (hold: Hold, dueAt: string): Write => newRow(toHoldItem({ ...hold, version: 1 }, dueAt));

const ifUnchanged = ({ version }: Hold) => requireVersion(version, 'hold');

/** The part that changes a hold. Its condition fails if the row has been changed or deleted since. */
export const changedHoldWrite = (before: Hold, after: Hold, dueAt: string | null): Write => ({
  Put: { Item: toHoldItem({ ...after, version: before.version + 1 }, dueAt), ...ifUnchanged(before) },
});

/** The part that ends a hold, on the same condition. */
export const endedHoldWrite = (hold: Hold): Write => ({
  Delete: { Key: keys.disputeHold(hold.alertId), ...ifUnchanged(hold) },
});
