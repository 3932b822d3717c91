import { nowIso } from '#core/kernel/clock.ts';
import { log } from '#core/platform/log/log.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { getAlert } from '#disputes/alerts/alert-store.ts';
import { refundFailedWrites } from '#disputes/alerts/answer/refund-answer-store.ts';
import { findConnectedProcessor } from '#disputes/connections/connected-processor-flow.ts';
import { showRefundElsewhere } from '#disputes/lookups/order/order-refund-store.ts';
import type { RefundState } from '#payments/processors/ports/connected-processor.ts';
import type { AnyProcessorName } from '#payments/processors/ports/processors.ts';
import { type AlertRefund, failAfterDone, isLeased, refundRequestOf } from './refund.ts';
import { changedRefundWrite } from './refund-row.ts';
import { readAlertRefund } from './refund-store.ts';
import { withReturned } from './reservation.ts';
import { chargeRefundsWrite, fromChargeRefundsItem } from './reservation-row.ts';

/** A charge at a merchant's own connection. */
type ChargePlace = { connection: string; processor: AnyProcessorName; charge: string };

/**
 * Checks refunds of a charge that counted as done, after its processor reported that one has failed: banks take days. If one
 * did fail, it is marked as failed, and its alert goes back to the merchant and may be refunded again. Throws RetryLaterError if the processor
 * could not be asked.
 */
export const heedFailedRefunds = async ({ connection, processor, charge }: ChargePlace): Promise<void> => {
  const known = fromChargeRefundsItem(await getItem(keys.chargeRefunds(connection, charge)));
  for (const alertId of Object.keys(known?.refunds ?? {}).map(Number)) {
    const refund = (await readAlertRefund(alertId))?.refund;
    // A process that is asking may yet record an answer that is older than the failure. A refund in another state has checks of its own.
    if (refund && isLeased(refund, nowIso()))
      throw new RetryLaterError(`Another process is requesting the refund of alert ${alertId}`);
    if (refund?.state !== 'done') continue;
    const state = await askRefundState(refund);
    if (state.outcome === 'UNKNOWN') throw new RetryLaterError(`${processor}: ${state.detail}`);
    if (state.outcome !== 'EXC') continue;
    const why = state.detail ?? state.code;
    log('warn', 'refund_failed_late', { alertId, processor, words: why });
    await retryOnConflict(() => undo(refund, why), { onExhausted: changedMeanwhile });
  }
};

/** If the processor cannot be asked, what its webhooks reported about the refund is kept. */
const askRefundState = async (refund: AlertRefund): Promise<RefundState> => {
  const connected = await findConnectedProcessor(refund);
  if (!connected) return { outcome: 'UNKNOWN', detail: 'nobody to ask' };
  const reference = refund.refund?.payment_gateway_reference ?? '';
  return connected.recallRefund ? connected.recallRefund(reference) : connected.refundState(refundRequestOf(refund));
};

const undo = async ({ alertId, number }: AlertRefund, why: string): Promise<void> => {
  const row = await readAlertRefund(alertId);
  // The alert may have been refunded again meanwhile.
  if (row?.refund.state !== 'done' || row.refund.number !== number) return;
  const { refund } = row;
  const alert = await getAlert(alertId);
  const { connection, reference: charged } = refund;
  if (alert) await showRefundElsewhere(alert, { refund: null, connection, reference: charged });
  const at = nowIso();
  const after = failAfterDone(refund, why);
  const charge = fromChargeRefundsItem(await getItem(keys.chargeRefunds(refund.connection, refund.reference)));
  const returned = withReturned(charge, after);
  const reference = refund.refund?.payment_gateway_reference;
  await transact({
    refund: changedRefundWrite(refund, { refund: after, begun: null }),
    charge: returned && chargeRefundsWrite(returned),
    alert: await refundFailedWrites(
      alertId,
      // Answered by this refund, not by what its merchant has said since.
      ({ automatic }) => automatic?.refund?.payment_gateway_reference === reference,
      `refund at ${refund.connection}: ${why}`,
      at,
    ),
  });
};
