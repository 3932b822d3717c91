import { needFreshAboveLimitOf } from '../../alerts/fresh-refund-store.ts';
import { Refusal } from '../../core/errors.ts';
import { endpoint } from '../../core/http.ts';
import { parseAmount } from '../../core/money.ts';
import { refundResult } from '../follow-up.ts';
import { refundThroughLedger } from '../refund-flow.ts';
import { processRefund } from './operation.ts';

export const handler = endpoint(processRefund, async ({ params, body, caller }) => {
  const money = parseAmount(body.amount, body.currency);
  if (typeof money === 'string') throw new Refusal('request_invalid', `amount: ${money}`);
  const { alert_id: alertId = null, tid = null, again = false } = body;
  if (again && caller.role === 'analyst') throw new Refusal('role_missing', 'again: only a manager may refund again.');
  if (alertId !== null) await needFreshAboveLimitOf(alertId, body, caller);
  const answer = alertId !== null && body.answer !== false ? {} : undefined;
  const order = { parentTxid: params.parentxid, money, alertId, tid, again, answer, by: caller.subject, caller };
  return refundResult(await refundThroughLedger(order));
});
