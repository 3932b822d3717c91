/** 001 refunded, 002 not refunded, 003 not settled. */
type Result = '001' | '002' | '003';

export type DisputeReason = {
  reason: string;
  meaning: string;
  /** The status that an update with this reason may end the alert with; WIP ends nothing. */
  outcome: 'RESOLVED' | 'DECLINED' | 'WIP';
  results: readonly Result[];
};

export const anyResult: readonly Result[] = ['001', '002', '003'];
export const refundedOrNot: readonly Result[] = ['001', '002'];

export const reason = (
  code: string,
  outcome: DisputeReason['outcome'],
  results: readonly Result[],
  meaning: string,
): DisputeReason => ({ reason: code, meaning, outcome, results });
