import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, queryItems } from '#core/platform/table/table.ts';
import { fromTransactionItem, transactionSummary } from '#payments/transactions/transaction/transaction-row.ts';
import { type Alert, disputeCaseIdOf } from '../alert.ts';
import { fromAlertItem } from '../alert-row.ts';
import { refundedHereOf } from '../automatic/decision-row.ts';
import { fromCostItem } from '../cost/cost-row.ts';
import { fromHoldItem } from '../hold-row.ts';
import { fromCaseAlertItem } from '../intake/case-row.ts';
import { type CaseAlert, type CaseRefund, type DisputeCase, disputeCaseOf } from './dispute-case.ts';
import { connectionRefundOf } from './dispute-case-row.ts';

/** As many alerts of one case as are read; a payment is disputed a few times. */
const maxAlerts = 20;

/**
 * Reads the dispute case of an alert: one query of the case's later alerts, one read of the rows next to the alerts, and one of their
 * refunds if there are any.
 */
export const readDisputeCase = async (alert: Alert): Promise<DisputeCase> => {
  const alertIds = await alertsOfCase(alert);
  const items = await getItems(
    alertIds.flatMap((id) => [keys.alert(id), keys.disputeHold(id), keys.refund(id), keys.alertCost(id)]),
  );
  const rows = alertIds.map((_, index) => items.slice(index * 4, index * 4 + 4));
  const refundTxids = rows.flatMap(([, , refund]) => refundedHereOf(refund) ?? []);
  const transactions = refundTxids.length > 0 ? await getItems(refundTxids.map(keys.transaction)) : [];
  return disputeCaseOf(rows.flatMap((own) => toMember(own, transactions)));
};

/** Returns all alerts of a case, and always the alert itself: a duplicate that is older than cases has no row in its case. */
const alertsOfCase = async (alert: Alert): Promise<number[]> => {
  const caseId = disputeCaseIdOf(alert);
  const { items } = await queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :later)',
    ExpressionAttributeValues: { ':pk': keys.alert(caseId).pk, ':later': 'CASE_ALERT#' },
    Limit: maxAlerts,
    ConsistentRead: true,
  });
  const later = items.flatMap((item) => fromCaseAlertItem(item) ?? []);
  return [...new Set([alert.alertId, caseId, ...later])].slice(0, maxAlerts);
};

const toMember = (
  [item, hold, refund, cost]: readonly (Item | undefined)[],
  transactions: readonly (Item | undefined)[],
): CaseAlert[] => {
  if (!item) return [];
  const alert = fromAlertItem(item);
  return [
    {
      alert,
      heldTxid: fromHoldItem(hold)?.txid ?? null,
      refunds: [connectionRefundOf(refund) ?? [], refundHere(alert, refundedHereOf(refund), transactions) ?? []].flat(),
      credit: fromCostItem(cost)?.credit.state ?? null,
    },
  ];
};

const stateOf = { OK: 'done', EXC: 'failed', PEND: 'pending' } as const;

const refundHere = (
  { alertId }: Alert,
  txid: number | null,
  transactions: readonly (Item | undefined)[],
): CaseRefund | undefined => {
  const item = transactions.find((one) => one?.['id'] === txid);
  if (txid === null || !item) return undefined;
  const { amount_text: amount, currency, status, created_at: at } = transactionSummary(fromTransactionItem(item));
  return { alertId, by: 'forewarn', at, money: { amount, currency }, txid, connection: null, state: stateOf[status] };
};
