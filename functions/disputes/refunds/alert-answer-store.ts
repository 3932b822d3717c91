import { formatAmount } from '#core/kernel/money/money.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, type Item, type Write } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { answerOfRefund } from '#disputes/alerts/answer/refund-answer.ts';
import {
  type AnsweredAlert,
  type AnswerRows,
  answerByRefund,
  answerKeys,
  awaitRefund,
  type ChangeOfAlert,
  refundFailedWrites,
} from '#disputes/alerts/answer/refund-answer-store.ts';
import { type Decision, unansweringRefund } from '#disputes/alerts/automatic/automatic.ts';
import { entryOfChange } from '#disputes/alerts/history/history.ts';
import { changedAlertWrites } from '#disputes/alerts/history/history-row.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import type { RefundAnswer, Transaction } from '#payments/transactions/transaction/transaction.ts';
import type { Alongside } from '#payments/transactions/transaction/transaction-store.ts';

/**
 * Answers the dispute alert of a refund, in the transaction that records the refund's result: done answers it, not known yet leaves it in
 * progress, and failed gives it back. `first`: the rows that the answer needs, where they were read already; after a conflict they are read
 * again. `told`: is called with the alert as it is answered; not where that fails.
 */
export const answering = (first?: AnswerRows, told?: (alert: Alert | undefined) => void): Alongside => {
  let known = first;
  return async (before, after) => {
    const rows = known;
    known = undefined;
    if (after.status === 'EXC') return failedWrites(before, after);
    const { answer } = after;
    if (!answer || before.status !== 'PEND') return [];
    const current = rows ?? (await getItems(answerKeys(answer)));
    const answered = toAnswered(after, answer, current);
    told?.(answered?.alert);
    if (answered) return answered.writes;
    return after.status === 'OK' ? decisionWrites(current[0], after, unansweringRefund) : [];
  };
};

const toAnswered = (refund: Transaction, answer: RefundAnswer, rows: AnswerRows): AnsweredAlert | undefined => {
  const { status, money, updatedAt } = refund;
  const { currency } = money;
  if (status === 'PEND') return awaitRefund(rows, answer, updatedAt);
  const update = answerOfRefund(answer, { amount: formatAmount(fromKeptMoney(money)), currency }, updatedAt);
  const { reason_code: answeredWith } = update;
  return answerByRefund(rows, answer, update, updatedAt, (alert) =>
    settleDecision(alert, { result: 'refunded', reason: null, answeredWith }),
  );
};

/** Settles a rule's decision that waited for a refund. */
const settleDecision = (
  { automatic, action }: Alert,
  settled: Pick<Decision, 'result' | 'reason' | 'answeredWith'>,
): ReturnType<ChangeOfAlert> => {
  const decision = automatic?.decision;
  if (!automatic || decision?.result !== 'refund_pending') return {};
  const decided = { ...automatic, decision: { ...decision, ...settled } };
  return { automatic: decided, action: settled.result === 'refunded' ? 'RESOLVED' : action };
};

/**
 * Checks whether it is by this refund that an alert has its answer: a person's answers it when it is done, a rule's as soon as its
 * processor has it. What its merchant has answered while it was under way is their own.
 */
const isAnsweredBy =
  ({ txid, answer, status }: Transaction) =>
  ({ automatic }: Alert): boolean =>
    (answer !== undefined && status === 'OK') || automatic?.refund?.payment_gateway_reference2 === String(txid);

const failedWrites = async (before: Transaction, after: Transaction): Promise<readonly Write[]> => {
  const { alertId, txid, error, updatedAt } = after;
  if (alertId === null) return [];
  const waiting = decisionWrites(await getItem(keys.alert(alertId)), after, () => ({
    result: 'left_to_merchant',
    reason: error?.code ?? 'refund_failed',
  }));
  if (waiting.length > 0) return waiting;
  return refundFailedWrites(alertId, isAnsweredBy(before), `refund ${txid}: ${error?.code ?? 'failed'}`, updatedAt);
};

/** Settles a rule's decision that waited for this refund, without an answer; no writes if none has. */
const decisionWrites = (
  item: Item | undefined,
  { txid, status, updatedAt }: Transaction,
  settledFor: (alert: Alert) => Pick<Decision, 'result' | 'reason'>,
): readonly Write[] => {
  if (!item) return [];
  const before = fromAlertItem(item);
  const change = settleDecision(before, settledFor(before));
  if (!change.automatic) return [];
  const alert = { ...before, ...change, version: before.version + 1 };
  const event = status === 'OK' ? 'refunded' : 'refund failed';
  const source = { by: `refund ${txid}`, via: 'refund' } as const;
  return changedAlertWrites(alert, entryOfChange(before, alert, event, updatedAt, source));
};
