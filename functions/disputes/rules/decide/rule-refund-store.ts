import type { Site } from '#accounts/merchants/site/site.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { tryTransact } from '#core/platform/table/table.ts';
import { type Alert, isInformational } from '#disputes/alerts/alert.ts';
import { hasExtras, pickExtras } from '#disputes/alerts/automatic/actions.ts';
import {
  type BegunRefund,
  begunRefundWrite,
  dailyRefundWrite,
  type RefundAmount,
} from '#disputes/alerts/automatic/decision-row.ts';
import type { TransactionSearch } from '#disputes/alerts/automatic/gateway-transaction.ts';
import type { RefundPort } from '#disputes/alerts/automatic/refund-port.ts';
import { sameAlertWrite } from '#disputes/alerts/history/history-row.ts';
import { type AlertRefund, newAlertRefund, refundReasonOf } from '#disputes/refunds/refund.ts';
import { type FailedBefore, newRefundWrite } from '#disputes/refunds/refund-row.ts';
import { reservationWrite } from '#disputes/refunds/refund-store.ts';
import type { ChargeTotals } from '#disputes/refunds/reservation.ts';
import { getTransaction } from '#payments/transactions/transaction/transaction-store.ts';
import { answersEarlier, connectionUnavailable, planFound } from './refund-plan.ts';
import {
  dailyRefundsOf,
  earlierRefundAnswer,
  notRefunded,
  pendingRefund,
  type RefundOutcome,
  refundAnswer,
  refundBarrier,
} from './rule-decision.ts';

/** As many as a merchant can look through and a notification can carry. */
const maxMatchesShown = 20;

/** The refund that a person began for the alert before: at its merchant's own processor, or of a payment taken here. */
type Before = { before: AlertRefund | undefined; here: number | null };

type Wanted = Pick<BegunRefund, 'rule' | 'facts' | 'shadows'>;

/**
 * Refunds an alert's transaction, if nothing forbids it and it is the only one it can be. Before the processor is asked to
 * refund, the decision is written and counted among the site's refunds of the day (`at`: ISO): after a crash, the
 * next try continues with `resumeRefund` instead of asking the rules again.
 */
export const refundFor = async (
  alert: Alert,
  site: Site,
  wanted: Wanted & Before,
  port: RefundPort,
  at: string,
): Promise<RefundOutcome> => {
  const outcome = await tryRefund(alert, site, wanted, port, at);
  // A finished refund has done the rule's further effects. Without one, at least the order is held.
  if (outcome.afterwards) return outcome;
  const held = await holdFirst(alert, wanted, port);
  return held.length === 0 ? outcome : { ...outcome, afterwards: held };
};

/** Holds the order that a rule wants held, whatever becomes of its payment. It may be repeated. Returns in words what was done, or why not. */
const holdFirst = async (
  alert: Alert,
  { rule }: Pick<Wanted, 'rule'>,
  port: RefundPort,
): Promise<readonly string[]> => {
  if (!pickExtras(rule.action).hold_order || alert.providerAlert.test) return [];
  return (await port.doExtras?.(alert, { rule: { ...rule, action: { type: 'notify', hold_order: true } } })) ?? [];
};

const tryRefund = async (
  alert: Alert,
  site: Site,
  { before, here, ...wanted }: Wanted & Before,
  port: RefundPort,
  at: string,
): Promise<RefundOutcome> => {
  // A person was faster, and what they began is not done or answered yet.
  if (before && before.state !== 'failed') return notRefunded('refund_under_way');
  const { providerAlert, duplicateOf } = alert;
  const barrierOf = ({ amount, currency }: Pick<RefundAmount, 'amount' | 'currency'>) =>
    refundBarrier({ test: providerAlert.test, isDuplicate: duplicateOf !== null, amount, currency }, site);
  // A transaction that may not be refunded is still searched for, to show it to the merchant.
  const found = providerAlert.test ? ({ found: 'none' } as const) : await port.findTransactions(alert);
  const isDuplicate = duplicateOf !== null;
  const plan = planFound(found, providerAlert, { isDuplicate, answers: answersEarlier(wanted.rule.action), barrierOf });
  if (plan.plan !== 'refund') {
    const refundedBy = found.found === 'one' && found.place === undefined ? 'forewarn' : 'merchant';
    const answer = plan.plan === 'answer' && { answer: earlierRefundAnswer(plan.reason, plan.at, refundedBy) };
    return notRefunded(plan.reason, { ...toMatchesDto(found), ...answer });
  }
  const { transaction, standing, match, place } = plan.one;
  const begun = { ...wanted, transaction, match, refund: plan.refund, ...(place && { place }) };
  if (place && !(await isFailedHere(here))) return notRefunded('refund_under_way', { transaction, match });
  const obstacle = await beginAtRule(alert, site, { begun, failed: { elsewhere: before, here }, taken: standing }, at);
  return obstacle === null ? resumeRefund(alert, begun, port) : notRefunded(obstacle, { transaction, match });
};

/** Does what a rule wants that refunds nothing; null if it wants no more than its action. */
export const doExtrasFor = async (
  alert: Alert,
  { rule }: Pick<Wanted, 'rule'>,
  port: RefundPort,
): Promise<RefundOutcome | null> => {
  if (!hasExtras(rule.action)) return null;
  if (alert.providerAlert.test) return notRefunded('test_alert');
  const found = await port.findTransactions(alert);
  if (found.found === 'unavailable') {
    await holdFirst(alert, { rule }, port);
    return notRefunded(connectionUnavailable, toMatchesDto(found));
  }
  const { transaction, place } = found.found === 'one' ? found : {};
  const wanted = { rule, ...(transaction && { transaction }), ...(place && { place }) };
  const afterwards = (await port.doExtras?.(alert, wanted)) ?? [];
  return { ...notRefunded('', toMatchesDto(found)), reason: null, afterwards };
};

/** Returns the transactions that were found and not refunded, as a merchant sees them. */
const toMatchesDto = (found: TransactionSearch): Partial<RefundOutcome> => {
  if (found.found === 'one') return { transaction: found.transaction, match: found.match };
  const transactions = 'transactions' in found ? found.transactions.slice(0, maxMatchesShown) : [];
  return transactions.length > 0 ? { potentialMatches: transactions } : {};
};

/** Asks the processor for a refund that was begun; the same key makes a second time harmless. */
export const resumeRefund = async (
  alert: Alert,
  begun: Pick<BegunRefund, 'rule' | 'transaction' | 'match' | 'refund' | 'place'>,
  port: RefundPort,
): Promise<RefundOutcome> => {
  const { transaction, match, refund, place } = begun;
  const { alertId, providerAlert } = alert;
  const { amount, currency } = refund ?? providerAlert;
  const idempotencyKey = `alert-${alertId}`;
  const asked = { alert, transaction, amount, currency, idempotencyKey, ...(place && { place }) };
  const result = await port.refund(asked);
  if (result.refunded === 'pending') return pendingRefund(begun);
  if (!result.refunded) return notRefunded(result.reason, { transaction, match });
  const answer = refundAnswer(refund ?? { amount, currency, isPart: false });
  const afterwards = (await port.doExtras?.(alert, begun)) ?? [];
  const { transaction: made, txid } = result;
  const outcome = { transaction, match, refund: made, potentialMatches: null, reason: null, answer, afterwards };
  return txid === undefined ? outcome : { ...outcome, txid };
};

/** Checks whether a refund of a payment taken here, if there was one, has failed. */
const isFailedHere = async (txid: number | null): Promise<boolean> =>
  txid === null || (await getTransaction(txid))?.status === 'EXC';

/**
 * Begins the refund; returns why not if the day's limit is reached, or other alerts take what is left. Throws ConditionFailedError if it was begun before, as that
 * decision has to be continued; or if the alert was answered during the search for its transaction.
 */
const beginAtRule = async (
  alert: Alert,
  site: Site,
  { begun, failed, taken }: { begun: BegunRefund; failed: FailedBefore; taken: ChargeTotals },
  at: string,
): Promise<string | null> => {
  const [{ alertId }, { sid }] = [alert, site];
  const day = { day: at.slice(0, 'YYYY-MM-DD'.length), most: dailyRefundsOf(site) };
  const reserves = begun.place && reservation(alert, begun, begun.place, failed.elsewhere);
  const atCharge = reserves && (await reservationWrite(reserves, taken));
  if (reserves && !atCharge) return 'amount_not_available';
  const conflict = await tryTransact({
    refund: reserves ? newRefundWrite({ refund: reserves, begun }, failed) : begunRefundWrite(alertId, begun),
    day: dailyRefundWrite(sid, day),
    charge: atCharge,
    alert: sameAlertWrite(alert),
  });
  if (!conflict) return null;
  if (conflict.onlyOn('day')) return 'daily_cap';
  throw conflict;
};

/** A refund to request at the merchant's own processor. */
const reservation = (
  alert: Alert,
  begun: BegunRefund,
  { connection, reference, isSettled }: NonNullable<BegunRefund['place']>,
  before: AlertRefund | undefined,
): AlertRefund => {
  const { alertId, owner, providerAlert } = alert;
  if (!owner || !begun.refund) throw new Error(`The refund of alert ${alertId} was begun without an amount`);
  const { amount, currency, isPart } = begun.refund;
  const by = `rule ${begun.rule.id}`;
  return newAlertRefund(
    {
      alertId,
      sid: owner.sid,
      mid: owner.mid,
      connection,
      reference,
      charge: begun.transaction,
      amount,
      currency,
      isSettled,
      by,
      reason: refundReasonOf(providerAlert),
      answer: isInformational(providerAlert.type) ? null : { alertId, sid: owner.sid, by, isPart },
    },
    before,
    nowIso(),
  );
};
