import type * as v from 'valibot';
import { type Money, parseAmount } from '#core/kernel/money/money.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { needFreshForAlert } from '#disputes/alerts/fresh-refund-store.ts';
import { refundResult } from '#payments/transactions/follow-up/follow-up.ts';
import { refundedPayment, refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import { alertHolding } from '../../held-alert-store.ts';
import { refundDispute } from '../../refund-dispute-flow.ts';
import { type ProcessRefundBody, processRefundOperation } from './operation.ts';

/** The amount to refund; null: what is left. */
const sentMoney = ({ amount, currency }: v.InferOutput<typeof ProcessRefundBody>): Money | null => {
  if (amount === undefined) return null;
  if (currency === undefined) throw new Refusal('request_invalid', 'currency: is required with amount');
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') throw new Refusal('request_invalid', `amount: ${money}`);
  return money;
};

export const handler = endpoint(
  processRefundOperation,
  idempotent(processRefundOperation, async ({ params, body, caller }, claim) => {
    const money = sentMoney(body);
    const { alert_id: named = null, tid = null, again = false } = body;
    if (again && caller.role === 'analyst')
      throw new Refusal('role_missing', 'again: only a manager may refund again.');
    const found = await refundedPayment({ parentTxid: params.parentxid, caller });
    const isImplied = named === null && !again;
    const { alertId, payment } = isImplied ? await alertHolding(found) : { alertId: named, payment: found };
    if (alertId !== null) await needFreshForAlert(alertId, body, caller);
    const by = caller.subject;
    const answer = body.answer === false ? undefined : {};
    const dispute = alertId === null ? null : refundDispute({ alertId, by, answer, isImplied });
    const parentTxid = payment.transaction.txid;
    const order = {
      parentTxid,
      money,
      currency: body.currency,
      dispute,
      tid,
      again,
      by,
      caller,
      claim,
      parent: payment,
    };
    return refundResult(await refundThroughLedger(order));
  }),
);
