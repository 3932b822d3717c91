import { retryOnConflict } from '../core/conflict-store.ts';
import { keys } from '../core/keys.ts';
import { log } from '../core/log.ts';
import { ConditionFailed, getItem, transact, type Write } from '../core/table.ts';
import { type AlertRefund, claimed } from './refund.ts';
import { changedRefundWrite, fromRefundItem, newRefundWrite, type RefundRow } from './refund-row.ts';

export const readRefund = async (alertId: number): Promise<RefundRow | undefined> =>
  fromRefundItem(await getItem(keys.refund(alertId)));

/**
 * Reserves a refund, with whatever else goes with it. Answers the one that somebody else has begun meanwhile, instead. Throws
 * ConditionFailed for the rest.
 */
export const beginRefund = async (
  row: RefundRow,
  failed: AlertRefund | undefined,
  more: readonly Write[] = [],
): Promise<RefundRow> => {
  try {
    await transact([newRefundWrite(row, failed), ...more]);
    return row;
  } catch (error) {
    const other = error instanceof ConditionFailed && fromRefundItem(error.items.get(0));
    if (!other) throw error;
    return other;
  }
};

/** Claims a refund for whoever asks its processor next, as it was read; undefined if somebody changed or claimed it meanwhile. */
export const claimRefund = async (row: RefundRow, attemptId: string, at: string): Promise<RefundRow | undefined> => {
  const after = { ...row, refund: claimed(row.refund, attemptId, at) };
  try {
    await transact([changedRefundWrite(row.refund, after)]);
    return after;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // The very write, whose answer was lost.
    const now = fromRefundItem(error.items.get(0));
    return now?.refund.lease?.attemptId === attemptId ? now : undefined;
  }
};

/**
 * Writes what came of asking, with what that means for the alert; made again where the alert was changed meanwhile. A claim
 * that was over, and has been taken since, leaves no trace but a log line: whoever took it asks again. `alongside`: the other
 * parts, from what is there at each attempt. Answers the row as it is then.
 */
export const recordRefund = (
  before: RefundRow,
  after: RefundRow,
  alongside: () => Promise<readonly Write[]>,
): Promise<RefundRow> =>
  retryOnConflict(async (conflict) => {
    const other = conflict && fromRefundItem(conflict.items.get(0));
    if (other && other.refund.version === after.refund.version && sameAs(other.refund, after.refund)) return other;
    if (other && other.refund.version !== before.refund.version) {
      log('warn', 'refund_overtaken', { alertId: before.refund.alertId, state: after.refund.state });
      return other;
    }
    await transact([changedRefundWrite(before.refund, after), ...(await alongside())]);
    return after;
  });

/** Whether a row is the very one that was to be written, whose answer was lost. */
const sameAs = (one: AlertRefund, other: AlertRefund): boolean =>
  one.state === other.state && one.askedAt === other.askedAt && one.checks === other.checks && one.lease === null;
