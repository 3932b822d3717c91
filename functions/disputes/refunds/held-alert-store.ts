import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import { alertEntity } from '#disputes/alerts/alert-row.ts';
import type { AlertSummary } from '#disputes/alerts/schemas.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { isOfCard } from '#disputes/matching/match-evidence.ts';
import { isUnsettled } from '#payments/transactions/ledger/ledger.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { getParent, type Known } from '#payments/transactions/transaction/transaction-store.ts';

/** An alert holds its payment within seconds of its receipt; until then, it is found among the merchant's latest alerts. */
const unheldMilliseconds = 15 * milliseconds.minute;
/** As many alerts of one merchant as come in within that time at most. */
const maxLatest = 500;

/** The merchant's alerts of the last minutes with a payment's card, which may not have found their payment yet. One query. */
const latestAlertsOfCard = async ({ mid, card }: Transaction): Promise<number[]> => {
  if (!card) return [];
  const latest = await readFirst<AlertSummary>({
    entity: alertEntity,
    scopeIndex: 2,
    scope: `M${mid}`,
    from: iso(nowMilliseconds() - unheldMilliseconds),
    order: 'DESC',
    size: maxLatest,
  });
  return latest.filter((alert) => isOfCard(alert.card, card)).map(({ alert_id: id }) => id);
};

/**
 * The open alert that holds a payment, so that a refund of the payment answers it; null if there is none. An alert whose payment has not
 * been found yet finds it first.
 */
export const alertHolding = async (payment: Known): Promise<{ alertId: number | null; payment: Known }> => {
  const { transaction, ledger } = payment;
  const known = Object.keys(ledger.disputes).map(Number);
  const unsettled = [...known, ...(await latestAlertsOfCard(transaction))];
  if (unsettled.length === 0) return { alertId: null, payment };
  for (const alertId of new Set(unsettled)) await settleDispute(alertId);
  const after = (await getParent(transaction.txid)) ?? payment;
  const [holding] = Object.entries(after.ledger.disputes).filter(
    // An authorization that is not captured holds nothing yet, and is voided as a whole.
    ([, { open, held, refundTxid, byNetwork }]) =>
      open && (held > 0n || isUnsettled(after.ledger)) && refundTxid === null && !byNetwork,
  );
  return { alertId: holding ? Number(holding[0]) : null, payment: after };
};
