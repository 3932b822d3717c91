import { formatAmount } from '#core/kernel/money/money.ts';
import type { DeliverySummary } from '#messaging/webhooks/delivery/delivery-row.ts';
import type { Order } from '#payments/orders/order.ts';
import { toBuyerFields } from '#payments/orders/order-dto.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import { type Ledger, refundable } from '../ledger/ledger.ts';
import { listEvents } from './payment-history.ts';
import type { Transaction } from './transaction.ts';
import { toTransactionDto } from './transaction-dto-row.ts';

const ledgerDto = (ledger: Ledger) => {
  const { currency, inFlight } = ledger;
  const amount = (minor: bigint) => formatAmount({ minor, currency });
  return {
    currency,
    authorized: amount(ledger.authorized),
    captured: amount(ledger.captured),
    refunded: amount(ledger.refunded),
    voided: amount(ledger.voided),
    paid_out: amount(ledger.paidOut),
    refundable: amount(refundable(ledger)),
    in_flight: Object.entries(inFlight).map(([txid, { kind, minor, alertId }]) => ({
      txid: Number(txid),
      kind,
      amount: amount(minor),
      alert_id: alertId,
    })),
    chargebacks: Object.entries(ledger.chargebacks ?? {}).map(([id, { minor, taken, byNetwork = false }]) => ({
      chargeback_id: id,
      amount: amount(minor),
      money_taken: taken,
      refunded_by_network: byNetwork,
    })),
  };
};

const alertDtos = ({ currency, disputes }: Ledger) =>
  Object.entries(disputes).map(([alertId, { open, held, refundTxid }]) => ({
    alert_id: Number(alertId),
    open,
    held: formatAmount({ minor: held, currency }),
    refund_txid: refundTxid,
  }));

const threeDsDto = ({ source, transStatus, eci, own }: NonNullable<Transaction['threeDs']>) => ({
  source,
  transStatus,
  eci,
  authentication_id: own?.id ?? null,
  outcome: own?.outcome ?? null,
  liability_shift: own?.liabilityShift ?? null,
});

/** The order named in a payment's own rows: none if the payment failed, or once the order's time is over. */
const orderIdOf = ({ order, status, txid }: Transaction, at: string): number | null =>
  order && status !== 'EXC' && order.keptUntil > at ? txid : null;

const postbackDto = ({ id, state, created_at, next_attempt_at, attempts }: DeliverySummary) => ({
  id,
  state,
  created_at,
  next_attempt_at,
  status: attempts.at(-1)?.status ?? null,
  error: attempts.at(-1)?.error ?? null,
});

type Besides = {
  children: readonly Transaction[];
  postbacks: readonly DeliverySummary[];
  at: string;
  /** As far as the caller may read it. */
  order?: Order | undefined;
};

/** A payment as people see it, with where its money is and what was done to it. `at`: ISO, now. */
export const paymentDetails = (payment: Transaction, ledger: Ledger, { children, postbacks, at, order }: Besides) => ({
  ...toTransactionDto(payment),
  mid: payment.mid,
  rid: payment.rid,
  refs: payment.refs.filter((ref) => ref !== null),
  descriptor: payment.descriptor,
  processor: payment.processor,
  processor_reference: payment.processorReference,
  email: payment.email,
  ...toBuyerFields(order, payment.email),
  by: payment.by ?? null,
  original_amount: payment.conversion && formatAmount(fromKeptMoney(payment.conversion.original)),
  original_currency: payment.conversion?.original.currency ?? null,
  updated_at: payment.updatedAt,
  next_check_at: payment.nextCheckAt,
  ledger: ledgerDto(ledger),
  children: children.map((child) => ({ ...toTransactionDto(child), alert_id: child.alertId, by: child.by ?? null })),
  alerts: alertDtos(ledger),
  three_ds: payment.threeDs ? threeDsDto(payment.threeDs) : null,
  order_id: orderIdOf(payment, at),
  postbacks: postbacks.map(postbackDto),
  history: listEvents(payment, ledger, children).map(({ action, alertId, chargebackId, ...event }) => ({
    ...event,
    tx_action: action,
    alert_id: alertId,
    chargeback_id: chargebackId,
  })),
});
