import { defineDue } from '#core/platform/work/due.ts';
import { TransactionMessage } from '../transaction/transaction-due.ts';

/** A processor has reported a transaction and must be asked about it. The code that records the report sends the first message. */
export const newsDue = defineDue({
  kind: 'TRANSACTION_NEWS',
  queue: 'settlement',
  message: TransactionMessage,
  swept: ({ id }) => ({ txid: Number(id), told: true as const }),
});
