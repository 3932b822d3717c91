import { transactionByRcode } from '../transaction/status-store.ts';
import { isTransactionFinal, type Transaction } from '../transaction/transaction.ts';
import { changeTransaction } from '../transaction/transaction-store.ts';
import { askAgain, type SettleMeans } from './settle-flow.ts';

export type RequeryRequest = {
  txid: number;
  sid: number;
  rcode: string;
  /** Taken over where they are given. */
  reference: string | undefined;
  postbackUrl: string | undefined;
};

/**
 * Asks the processor about a pending transaction now instead of when its time has come; a final one is answered as it is.
 * Throws rcode_wrong.
 */
export const requery = async (
  { txid, sid, rcode, reference, postbackUrl }: RequeryRequest,
  means: SettleMeans,
): Promise<{ transaction: Transaction; rcode: string }> => {
  const proven = await transactionByRcode(txid, sid, rcode);
  const change = { ...(reference !== undefined && { reference }), ...(postbackUrl !== undefined && { postbackUrl }) };
  const transaction =
    Object.keys(change).length > 0 ? await changeTransaction(proven.transaction, change) : proven.transaction;
  return {
    transaction: isTransactionFinal(transaction) ? transaction : await askAgain(transaction, means),
    rcode: proven.rcode,
  };
};
