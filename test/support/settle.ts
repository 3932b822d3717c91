import { answering } from '#disputes/refunds/alert-answer-store.ts';
import { type SettleMeans, settleTransaction } from '#payments/transactions/settlement/settle-flow.ts';

/** Settles a transaction as the worker does: the result of a refund answers its alert. */
export const settle = (message: Parameters<typeof settleTransaction>[0], means: Partial<SettleMeans> = {}) =>
  settleTransaction(message, { alongside: answering(), ...means });
