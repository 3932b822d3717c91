import type { Alert } from '../alerts/alert.ts';
import { type BegunRefund, beginRefundWrites } from '../alerts/automatic/decision-row.ts';
import type { RefundPort } from '../alerts/automatic/refund-port.ts';
import { ConditionFailed, transact } from '../core/table.ts';
import type { Site } from '../merchants/site.ts';
import { dailyRefundsOf, notRefunded, type RefundOutcome, refundBarrier } from './decision.ts';

/** A merchant looks through so many, and a notification carries them. */
const mostMatchesShown = 20;

type Wanted = Pick<BegunRefund, 'rule' | 'facts' | 'shadows'>;

/**
 * Refunds an alert's transaction, if nothing forbids it and it is the only one it can be. Before the processor is asked to
 * refund, what was decided is written down and counted among the site's refunds of the day (`at`: ISO): after a crash, the
 * next try goes on with `resumeRefund` instead of asking the rules again.
 */
export const refundFor = async (
  alert: Alert,
  site: Site,
  wanted: Wanted,
  port: RefundPort,
  at: string,
): Promise<RefundOutcome> => {
  const { providerAlert, duplicateOf } = alert;
  const { test, amount, currency } = providerAlert;
  const barrier = refundBarrier({ test, isDuplicate: duplicateOf !== null, amount, currency }, site);
  // What may not be refunded may still be found: the merchant then sees which transaction it is.
  const found = test ? ({ found: 'none' } as const) : await port.findTransactions(alert);
  if (found.found === 'many') {
    return notRefunded('several_matches', { potentialMatches: found.transactions.slice(0, mostMatchesShown) });
  }
  if (found.found !== 'one') return notRefunded(barrier ?? (found.found === 'none' ? 'no_transaction' : found.found));
  const { transaction } = found;
  if (barrier !== null) return notRefunded(barrier, { transaction });
  const begun = { ...wanted, transaction };
  const isBegun = await begin(alert, site, begun, at);
  return isBegun ? resumeRefund(alert, begun, port) : notRefunded('daily_cap', { transaction });
};

/** Asks the processor for a refund that was begun; the same key makes a second time harmless. */
export const resumeRefund = async (
  alert: Alert,
  { transaction }: Pick<BegunRefund, 'transaction'>,
  port: RefundPort,
): Promise<RefundOutcome> => {
  const { alertId, providerAlert } = alert;
  const { amount, currency } = providerAlert;
  const result = await port.refund({ alert, transaction, amount, currency, idempotencyKey: `alert-${alertId}` });
  return result.refunded
    ? { transaction, refund: result.transaction, potentialMatches: null, reason: null }
    : notRefunded(result.reason, { transaction });
};

/**
 * Begins the refund; false if the day has had as many as it may. Throws ConditionFailed if it was begun before: what was
 * decided then is to be gone on with.
 */
const begin = async (alert: Alert, site: Site, begun: BegunRefund, at: string): Promise<boolean> => {
  const [alertId, day] = [alert.alertId, at.slice(0, 'YYYY-MM-DD'.length)];
  const writes = beginRefundWrites({ alertId, sid: site.sid }, begun, { day, most: dailyRefundsOf(site) });
  try {
    await transact(writes);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed && !error.items.has(0)) return false;
    throw error;
  }
};
