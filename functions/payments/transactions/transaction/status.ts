import { formatAmount } from '#core/kernel/money/money.ts';
import { type Ledger, refundable } from '../ledger/ledger.ts';
import { type Transaction, verifiedResult } from './transaction.ts';
import type { TransactionSummary } from './transaction-row.ts';

type Status = { transaction: Transaction; ledger: Ledger; children: readonly TransactionSummary[]; rcode: string };

const toChildDto = ({
  txid,
  tx_action,
  status,
  amount,
  minor,
  currency,
  tid,
  created_at,
  ...one
}: TransactionSummary) => ({
  txid,
  tx_action,
  status,
  amount,
  currency,
  tid,
  created_at,
  amount_text: formatAmount({ minor: BigInt(minor), currency }),
  ...(one.error_code !== undefined && { error_code: one.error_code, error_msg: one.error_msg }),
});

/** Returns a transaction as its site sees it, with the later events of its payment. */
export const statusResult = ({ transaction, ledger, children, rcode }: Status) => {
  const amount = (minor: bigint) => formatAmount({ minor, currency: ledger.currency });
  const left = refundable(ledger);
  return {
    ...verifiedResult(transaction, rcode),
    captured: amount(ledger.captured),
    refunded: amount(ledger.refunded),
    refundable: amount(left > 0n ? left : 0n),
    children: children.map(toChildDto),
  };
};
