import type { Alert } from '../alerts/alert.ts';
import { answerOfRefund, type RefundAnswer } from '../alerts/answer/refund-answer.ts';
import {
  type Answered,
  type AnswerRows,
  answerKeys,
  refundAnswered,
  refundAwaited,
  refundFailedWrites,
} from '../alerts/answer/refund-answer-store.ts';
import { formatAmount } from '../core/money.ts';
import { getItems, type Write } from '../core/table.ts';
import { moneyOf } from '../payments/kept-money.ts';
import type { Transaction } from './transaction.ts';

/** What goes into the transaction that writes a refund's next state, besides that. */
export type Alongside = (before: Transaction, after: Transaction) => Promise<readonly Write[]>;

/**
 * The answer of the dispute alert that a refund is for, in the transaction that records what became of the refund: done answers
 * it, not known yet leaves it in progress, and failed after all gives it back. `first`: the rows that the answer needs, where
 * they were read already; when others were faster they are read again. `told`: is told of the alert as it is answered; of none where
 * that comes to nothing.
 */
export const answering = (first?: AnswerRows, told?: (alert: Alert | undefined) => void): Alongside => {
  let known = first;
  return async (before, after) => {
    if (after.action !== 'REFUND' && after.action !== 'VOID') return [];
    const rows = known;
    known = undefined;
    if (after.status === 'EXC') return failedWrites(before, after);
    const { answer } = after;
    if (!answer || before.status !== 'PEND') return [];
    const answered = answeredBy(after, answer, rows ?? (await getItems(answerKeys(answer))));
    told?.(answered?.alert);
    return answered?.writes ?? [];
  };
};

const answeredBy = (refund: Transaction, answer: RefundAnswer, rows: AnswerRows): Answered | undefined => {
  const { status, money, updatedAt } = refund;
  const { currency } = money;
  if (status === 'PEND') return refundAwaited(rows, answer, updatedAt);
  const update = answerOfRefund(answer, { amount: formatAmount(moneyOf(money)), currency }, updatedAt);
  return refundAnswered(rows, answer, update, updatedAt);
};

/** Whether it is by this refund that an alert has its answer. */
const isAnsweredBy =
  ({ txid, answer }: Transaction) =>
  ({ automatic }: Alert): boolean =>
    answer !== undefined || automatic?.refund?.payment_gateway_reference2 === String(txid);

const failedWrites = async (before: Transaction, after: Transaction): Promise<readonly Write[]> => {
  const { alertId, txid, error, updatedAt } = after;
  // What failed at once has answered nothing.
  if (alertId === null || (before.status === 'PEND' && before.checks === 0)) return [];
  return refundFailedWrites(alertId, isAnsweredBy(after), `refund ${txid}: ${error?.code ?? 'failed'}`, updatedAt);
};
