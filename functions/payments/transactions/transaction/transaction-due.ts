import * as v from 'valibot';
import { defineDue, type Row, Slot, whenTimed } from '#core/platform/work/due.ts';

/**
 * See what became of this transaction. `told`: the processor or the payer reported that something has happened, so the check comes
 * before its time. `slot`: the check it was sent for; if that was moved, the message for the new one is on its way.
 */
export const TransactionMessage = v.object({
  txid: v.number(),
  told: v.optional(v.literal(true)),
  slot: v.optional(Slot),
});

const txidBody = ({ id }: Row) => ({ txid: Number(id) });

/** A transaction that is not final is checked when its processor must be asked again. */
export const transactionDue = defineDue({
  kind: 'TRANSACTION',
  queue: 'settlement',
  message: TransactionMessage,
  swept: txidBody,
  wakes: { TRANSACTION: whenTimed('nextCheckAt', (row, slot) => ({ ...txidBody(row), slot })) },
});
