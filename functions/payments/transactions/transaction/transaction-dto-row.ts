import { formatAmount } from '#core/kernel/money/money.ts';
import type { Transaction } from './transaction.ts';
import { type TransactionSummary, transactionSummary } from './transaction-row.ts';

/** A transaction of a list as people look at it. */
export const toSummaryDto = (summary: TransactionSummary) => ({
  txid: summary.txid,
  parent_txid: summary.parent_txid,
  sid: summary.sid,
  status: summary.status,
  tx_action: summary.tx_action,
  amount: formatAmount({ minor: BigInt(summary.minor), currency: summary.currency }),
  currency: summary.currency,
  tid: summary.tid,
  reference: summary.reference,
  card: summary.card,
  card_type: summary.card_type,
  error_code: summary.error_code ?? null,
  error_msg: summary.error_msg ?? null,
  fraud: summary.fraud ?? null,
  arn: summary.arn,
  auth_code: summary.auth_code,
  created_at: summary.created_at,
});

export type TransactionDto = ReturnType<typeof toSummaryDto>;

export const toTransactionDto = (transaction: Transaction): TransactionDto =>
  toSummaryDto(transactionSummary(transaction));
