import type { listTransactionsOperation as ListTransactionsOperation } from '#payments/transactions/api/list-transactions/operation.ts';
import type { RowOf } from '../app/client.ts';
import { sumsText } from '../parts/money.ts';

export type TransactionRow = RowOf<typeof ListTransactionsOperation>;

/** A payment as its list shows it, with its newest step among the rows. */
export type PaymentRow = Omit<TransactionRow, 'payment'> & {
  changed_at: string;
  /** The newest refund, capture or void; null: it is as it was made. */
  change: TransactionRow | null;
};

/** One row for each payment, from the rows of its steps, which are in order, newest first. Pure. */
export const foldPayments = (rows: readonly TransactionRow[]): PaymentRow[] =>
  [...Map.groupBy(rows, ({ parent_txid }) => parent_txid)].map(([txid, [newest, ...older]]) => {
    const step = newest as TransactionRow;
    const { payment: _none, ...own } = [step, ...older].find((row) => row.txid === txid) ?? step;
    const change = step.txid === txid ? null : step;
    return { ...own, ...(own.txid !== txid && step.payment), txid, changed_at: step.created_at, change };
  });

/** The sum of some payments. Those that failed took nothing. */
export const sumPayments = (rows: readonly Pick<TransactionRow, 'status' | 'amount' | 'currency'>[]): string =>
  sumsText(rows.filter(({ status }) => status !== 'EXC'));

type Standing = Pick<TransactionRow, 'status' | 'tx_action' | 'money_state'>;

/** The one status of the payment that a row belongs to, by which lists filter. */
export const paymentState = (row: Standing & { payment?: Standing | null }): string => {
  const { status, tx_action: action, money_state: money } = row.payment ?? row;
  return status === 'OK' ? (money ?? action) : status;
};
