import type { Alert } from '../alerts/alert.ts';
import { type BegunRefund, beginRefundWrites, type RefundAmount } from '../alerts/automatic/decision-row.ts';
import type { RefundPort } from '../alerts/automatic/refund-port.ts';
import { ConditionFailed, transact } from '../core/table.ts';
import type { Site } from '../merchants/site.ts';
import {
  dailyRefundsOf,
  earlierAnswer,
  notRefunded,
  type RefundOutcome,
  refundAnswer,
  refundBarrier,
} from './decision.ts';
import { planRefund } from './refund-plan.ts';

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
  const barrierOf = ({ amount, currency }: Pick<RefundAmount, 'amount' | 'currency'>) =>
    refundBarrier({ test: providerAlert.test, isDuplicate: duplicateOf !== null, amount, currency }, site);
  // What may not be refunded may still be found: the merchant then sees which transaction it is.
  const found = providerAlert.test ? ({ found: 'none' } as const) : await port.findTransactions(alert);
  if (found.found === 'many') {
    return notRefunded('several_matches', { potentialMatches: found.transactions.slice(0, mostMatchesShown) });
  }
  if (found.found !== 'one') {
    return notRefunded(barrierOf(providerAlert) ?? (found.found === 'none' ? 'no_transaction' : found.found));
  }
  const { transaction, standing } = found;
  const plan = planRefund(providerAlert, standing);
  if (plan.plan !== 'refund') {
    const isAnswered = plan.plan === 'answer' && duplicateOf === null && answersFor(wanted);
    return notRefunded(plan.reason, { transaction, ...(isAnswered && { answer: earlierAnswer(plan.reason) }) });
  }
  const barrier = barrierOf(plan.refund);
  if (barrier !== null) return notRefunded(barrier, { transaction });
  const begun = { ...wanted, transaction, refund: plan.refund };
  const isBegun = await begin(alert, site, begun, at);
  return isBegun ? resumeRefund(alert, begun, port) : notRefunded('daily_cap', { transaction });
};

/** Whether the network is told of what was refunded or charged back before. */
const answersFor = ({ rule: { action } }: Wanted): boolean => action.type === 'refund' && action.already !== 'leave';

/** Asks the processor for a refund that was begun; the same key makes a second time harmless. */
export const resumeRefund = async (
  alert: Alert,
  { transaction, refund }: Pick<BegunRefund, 'transaction' | 'refund'>,
  port: RefundPort,
): Promise<RefundOutcome> => {
  const { alertId, providerAlert } = alert;
  const { amount, currency } = refund ?? providerAlert;
  const result = await port.refund({ alert, transaction, amount, currency, idempotencyKey: `alert-${alertId}` });
  if (!result.refunded) return notRefunded(result.reason, { transaction });
  const answer = refundAnswer(refund ?? { amount, currency, isPart: false });
  return { transaction, refund: result.transaction, potentialMatches: null, reason: null, answer };
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
