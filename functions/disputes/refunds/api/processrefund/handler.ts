import { parseAmount } from '#core/kernel/money/money.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { needFreshAboveLimitOf } from '#disputes/alerts/fresh-refund-store.ts';
import { refundResult } from '#payments/transactions/follow-up/follow-up.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import { refundDispute } from '../../refund-dispute-flow.ts';
import { processRefundOperation } from './operation.ts';

export const handler = endpoint(
  processRefundOperation,
  idempotent(processRefundOperation, async ({ params, body, caller }, claim) => {
    const money = parseAmount(body.amount, body.currency);
    if (typeof money === 'string') throw new Refusal('request_invalid', `amount: ${money}`);
    const { alert_id: alertId = null, tid = null, again = false } = body;
    if (again && caller.role === 'analyst')
      throw new Refusal('role_missing', 'again: only a manager may refund again.');
    if (alertId !== null) await needFreshAboveLimitOf(alertId, body, caller);
    const by = caller.subject;
    const answer = body.answer === false ? undefined : {};
    const dispute = alertId === null ? null : refundDispute({ alertId, by, answer });
    const order = { parentTxid: params.parentxid, money, dispute, tid, again, by, caller, claim };
    return refundResult(await refundThroughLedger(order));
  }),
);
