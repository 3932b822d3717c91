import type { Alert } from '../alerts/alert.ts';
import {
  type BegunRefund,
  beginRefundWrites,
  dailyRefundWrite,
  type RefundAmount,
} from '../alerts/automatic/decision-row.ts';
import type { RefundPort } from '../alerts/automatic/refund-port.ts';
import { nowIso } from '../core/clock.ts';
import { ConditionFailed, transact, type Write } from '../core/table.ts';
import type { Site } from '../merchants/site.ts';
import { type AlertRefund, refundReasonOf, reserved } from '../refunds/refund.ts';
import { newRefundWrite } from '../refunds/refund-row.ts';
import {
  dailyRefundsOf,
  earlierAnswer,
  notRefunded,
  pendingRefund,
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
  { before, ...wanted }: Wanted & { before: AlertRefund | undefined },
  port: RefundPort,
  at: string,
): Promise<RefundOutcome> => {
  // A person was faster, and what they began is not done or answered yet.
  if (before && before.state !== 'failed') return notRefunded('refund_under_way');
  const { providerAlert, duplicateOf } = alert;
  const barrierOf = ({ amount, currency }: Pick<RefundAmount, 'amount' | 'currency'>) =>
    refundBarrier({ test: providerAlert.test, isDuplicate: duplicateOf !== null, amount, currency }, site);
  // What may not be refunded may still be found: the merchant then sees which transaction it is.
  const found = providerAlert.test ? ({ found: 'none' } as const) : await port.findTransactions(alert);
  if (found.found === 'many') {
    return notRefunded('several_matches', { potentialMatches: found.transactions.slice(0, mostMatchesShown) });
  }
  if (found.found === 'unavailable') {
    const barrier = barrierOf(providerAlert);
    const transactions = found.transactions.slice(0, mostMatchesShown);
    return notRefunded(barrier ?? unavailable, transactions.length > 0 ? { potentialMatches: transactions } : {});
  }
  if (found.found !== 'one') {
    return notRefunded(barrierOf(providerAlert) ?? (found.found === 'none' ? 'no_transaction' : found.found));
  }
  const { transaction, standing, place } = found;
  const plan = planRefund(providerAlert, standing);
  if (plan.plan !== 'refund') {
    const isAnswered = plan.plan === 'answer' && duplicateOf === null && answersFor(wanted);
    return notRefunded(plan.reason, { transaction, ...(isAnswered && { answer: earlierAnswer(plan.reason) }) });
  }
  const barrier = barrierOf(plan.refund);
  if (barrier !== null) return notRefunded(barrier, { transaction });
  const begun = { ...wanted, transaction, refund: plan.refund, ...(place && { place }) };
  const isBegun = await begin(alert, site, { begun, before }, at);
  return isBegun ? resumeRefund(alert, begun, port) : notRefunded('daily_cap', { transaction });
};

/** Why nothing was refunded where a processor could not be asked: the rules are asked again. */
export const unavailable = 'connection_unavailable';

/** Whether the network is told of what was refunded or charged back before. */
const answersFor = ({ rule: { action } }: Pick<Wanted, 'rule'>): boolean =>
  action.type === 'refund' && action.already !== 'leave';

/** Asks the processor for a refund that was begun; the same key makes a second time harmless. */
export const resumeRefund = async (
  alert: Alert,
  { transaction, refund, place }: Pick<BegunRefund, 'transaction' | 'refund' | 'place'>,
  port: RefundPort,
): Promise<RefundOutcome> => {
  const { alertId, providerAlert } = alert;
  const { amount, currency } = refund ?? providerAlert;
  const idempotencyKey = `alert-${alertId}`;
  const asked = { alert, transaction, amount, currency, idempotencyKey, ...(place && { place }) };
  const result = await port.refund(asked);
  if (result.refunded === 'pending') return pendingRefund(transaction);
  if (!result.refunded) return notRefunded(result.reason, { transaction });
  const answer = refundAnswer(refund ?? { amount, currency, isPart: false });
  return { transaction, refund: result.transaction, potentialMatches: null, reason: null, answer };
};

/**
 * Begins the refund; false if the day has had as many as it may. Throws ConditionFailed if it was begun before: what was
 * decided then is to be gone on with.
 */
const begin = async (
  alert: Alert,
  site: Site,
  { begun, before }: { begun: BegunRefund; before: AlertRefund | undefined },
  at: string,
): Promise<boolean> => {
  const [{ alertId }, { sid }] = [alert, site];
  const day = { day: at.slice(0, 'YYYY-MM-DD'.length), most: dailyRefundsOf(site) };
  const writes = begun.place
    ? [reservation(alert, begun, begun.place, before), dailyRefundWrite(sid, day)]
    : beginRefundWrites({ alertId, sid }, begun, day);
  try {
    await transact(writes);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed && !error.items.has(0)) return false;
    throw error;
  }
};

/** The part that reserves a refund at the merchant's own processor, with what it was decided on. */
const reservation = (
  alert: Alert,
  begun: BegunRefund,
  { connection, reference, isSettled }: NonNullable<BegunRefund['place']>,
  before: AlertRefund | undefined,
): Write => {
  const { alertId, owner, providerAlert } = alert;
  if (!owner || !begun.refund) throw new Error(`The refund of alert ${alertId} was begun without an amount`);
  const { amount, currency, isPart } = begun.refund;
  const by = `rule ${begun.rule.id}`;
  const refund = reserved(
    {
      ...{ alertId, sid: owner.sid, mid: owner.mid, connection, reference, charge: begun.transaction },
      ...{ amount, currency, isSettled, by, reason: refundReasonOf(providerAlert) },
      answer: { alertId, sid: owner.sid, by, isPart },
    },
    before,
    nowIso(),
  );
  return newRefundWrite({ refund, begun }, before);
};
