import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type Alert, disputeCaseIdOf } from '../alert.ts';
import type { CaseRefund, DisputeCase } from './dispute-case.ts';
import { priorEventOf, reasonAfter } from './prior-event.ts';

/** The facts that a case shows of a refund at a merchant's own processor. */
const ConnectionRefundRow = defineRow<{
  alertId: number;
  connection: string;
  amount: string;
  currency: string;
  state: string;
  begunAt: string;
}>({
  entity: 'REFUND',
  attribute: 'refund',
  schema: v.looseObject({
    alertId: v.number(),
    ...texts('connection', 'amount', 'currency', 'state', 'begunAt'),
  }),
});

/** The refund at a merchant's own processor in an alert's refund row; undefined if there is none. */
export const connectionRefundOf = (item: Item | undefined): CaseRefund | undefined => {
  const refund = ConnectionRefundRow.find(item);
  if (!refund) return undefined;
  const { alertId, connection, amount, currency, state, begunAt } = refund;
  return {
    alertId,
    by: 'forewarn',
    at: begunAt,
    money: { amount, currency },
    txid: null,
    connection,
    state: state === 'done' || state === 'failed' ? state : 'pending',
  };
};

/** A case as the details of one of its alerts show it, names as on the wire. */
export const toCaseDto = ({ state, alerts, txid, refunds, chargeback }: DisputeCase, alert: Alert) => {
  const prior = priorEventOf(alert);
  return {
    case_id: disputeCaseIdOf(alert),
    state,
    suggested_reason: prior && reasonAfter[prior.kind],
    alerts: alerts.map(({ alert: one, credit }) => ({
      alert_id: one.alertId,
      provider: one.providerAlert.provider,
      provider_case_id: one.providerAlert.caseId,
      alert_type: one.providerAlert.type,
      status: one.status,
      duplicate_alertid: one.duplicateOf,
      sequence: one.providerAlert.sequence ?? null,
      provider_date: one.providerAlert.providerDate,
      alert_date: one.receivedAt,
      withdrawn_at: one.withdrawnAt,
      credit,
    })),
    txid,
    refunds: refunds.map(({ alertId, by, at, money, txid: refund, connection, state: stage }) => ({
      alert_id: alertId,
      by,
      at,
      amount: money?.amount ?? null,
      currency: money?.currency ?? null,
      txid: refund,
      connection,
      state: stage,
    })),
    chargeback: chargeback && {
      chargeback_id: chargeback.id,
      opened_at: chargeback.openedAt,
      stands: chargeback.stands,
    },
  };
};
