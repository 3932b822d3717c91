import { nowIso } from '#core/kernel/clock.ts';
import { formatAmount, type Money, parseAmount } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { checkRefundCode, isAnswerable } from '#disputes/alerts/answer/refund-answer.ts';
import { disputedMoney, isPartOf } from '#disputes/alerts/disputed-money.ts';
import { linkedEntry } from '#disputes/alerts/history/history.ts';
import { chargeFactsOf } from '#disputes/connections/charge-search.ts';
import { readConnectionCharge } from '#disputes/connections/charge-search-flow.ts';
import { toMatchEvidenceDto } from '#disputes/matching/match.ts';
import { isOfCard, matchEvidenceOf } from '#disputes/matching/match-evidence.ts';
import { type ChargeCandidate, isTrouble, refundLeft } from '#payments/processors/ports/connected-processor.ts';
import type { RefundAlertBody } from './api/refund-alert/operation.ts';
import { toChargeDto } from './charge.ts';
import { settleRefund } from './connection-refund-flow.ts';
import { type AlertRefund, newAlertRefund, refundMoneyOf, refundReasonOf } from './refund.ts';
import type { RefundRow } from './refund-row.ts';
import { beginRefund } from './refund-store.ts';

/** Which charge a person means, at which of the merchant's connections. */
type Named = { connection: string; reference: string };

/**
 * Refunds a charge at one of the merchant's own processors for an alert. A repeated call returns the same refund in its present state.
 * `row`: the one already made for the alert; `failedHere`: a failed refund of a payment taken here. Throws connection_not_found, connection_unavailable, payment_not_linked, alert_closed,
 * reason_code_invalid, request_invalid, amount_not_available, transaction_state_wrong, already_refunded_for_dispute.
 */
export const refundAtConnection = async (
  alert: Alert,
  named: Named,
  { row, failedHere }: { row: RefundRow | undefined; failedHere: number | null },
  { body, caller }: { body: RefundAlertBody; caller: Caller },
): Promise<RefundRow> => {
  const before = row && row.refund.state !== 'failed' ? row : undefined;
  if (before) return sameOrRefuse(before, named, body);
  if (!isAnswerable(alert)) {
    throw new Refusal('alert_closed', `alert_id: the alert is ${alert.status}; refund it at the processor itself.`);
  }
  checkRefundCode(alert.providerAlert, body.reason_code);
  const candidate = await chargeAt(alert, named);
  const evidence = matchEvidenceOf(alert.providerAlert, chargeFactsOf(candidate));
  const refund = newAlertRefund(toWanted(alert, named, candidate, { body, caller }), row?.refund, nowIso());
  const begun = await beginRefund(
    { refund, begun: null },
    { elsewhere: row?.refund, here: failedHere },
    candidate,
    alert,
    linkedEntry(named, toMatchEvidenceDto(evidence), caller.subject, nowIso()),
  );
  // If the same call came a moment earlier, its refund is the answer to this one too.
  const same = sameOrRefuse(begun, named, body);
  // A rule that began it has more to do afterwards, which its worker does.
  return same.begun ? same : settleRefund(same);
};

/** The refund already made for the alert, if it is the one asked for now. Throws already_refunded_for_dispute. */
const sameOrRefuse = (row: RefundRow, named: Named, { amount, currency }: RefundAlertBody): RefundRow => {
  const { connection, reference, alertId, ...refund } = row.refund;
  const isSameCharge = connection === named.connection && reference === named.reference;
  const asked = amount === undefined ? undefined : parseAmount(amount, currency ?? refund.currency);
  const money = refundMoneyOf(row.refund);
  const isSameAmount =
    asked === undefined ||
    (typeof asked !== 'string' && asked.minor === money.minor && asked.currency === money.currency);
  if (isSameCharge && isSameAmount) return row;
  throw new Refusal(
    'already_refunded_for_dispute',
    `alert_id: ${refund.amount} ${refund.currency} of ${reference} at connection ${connection} is refunded for dispute alert ${alertId}.`,
  );
};

/** The charge in its present state, if it can be the alert's, that is, of the same card. */
const chargeAt = async (alert: Alert, { connection: id, reference }: Named): Promise<ChargeCandidate> => {
  const found = await readConnectionCharge(alert, id, reference);
  if (found === undefined) {
    throw new Refusal('connection_not_found', "connection: the alert's site has no connection with this id.");
  }
  if (isTrouble(found)) throw new Refusal('connection_unavailable', `connection: ${found.detail}`);
  if (!found || !isOfCard(alert.providerAlert.card, chargeFactsOf(found)))
    throw new Refusal('payment_not_linked', "reference: the alert's card has no such charge.");
  return found;
};

const toWanted = (
  alert: Alert,
  { connection, reference }: Named,
  candidate: ChargeCandidate,
  { body, caller }: { body: RefundAlertBody; caller: Caller },
): Parameters<typeof newAlertRefund>[0] => {
  const { alertId, owner, providerAlert } = alert;
  if (!owner) throw new Error(`Alert ${alertId} has no owner`);
  const money = askedSum(alert, candidate, body);
  const isPart = isPartOf(providerAlert, money.minor, { captured: candidate.captured, currency: money.currency });
  const by = caller.subject;
  const { reason_code: reasonCode, comments, merchant_notes: notes } = body;
  const said = {
    ...(reasonCode !== undefined && { reasonCode }),
    ...(comments !== undefined && { comments }),
    ...(notes !== undefined && { notes }),
  };
  return {
    alertId,
    sid: owner.sid,
    mid: owner.mid,
    connection,
    reference,
    charge: toChargeDto(candidate),
    amount: formatAmount(money),
    currency: money.currency,
    isSettled: candidate.isSettled,
    by,
    reason: refundReasonOf(providerAlert),
    answer: body.answer === false ? null : { alertId, sid: owner.sid, by, isPart, ...said },
  };
};

/** The amount asked for, else the disputed amount, at most what is left; an unsettled charge is refunded as a whole. */
const askedSum = (
  { providerAlert }: Alert,
  candidate: ChargeCandidate,
  { amount, currency }: RefundAlertBody,
): Money => {
  checkState(candidate);
  const { captured, isSettled, money: charged } = candidate;
  const left = refundLeft(candidate);
  const disputed = disputedMoney(providerAlert);
  const isStated = disputed !== undefined && disputed.currency === charged.currency;
  const most = isStated && isSettled ? disputed.minor : captured;
  const asked =
    amount === undefined
      ? { ...charged, minor: smaller(most, left) }
      : readAmount(amount, currency ?? charged.currency);
  const text = (minor: bigint): string => `${formatAmount({ minor, currency: charged.currency })} ${charged.currency}`;
  if (asked.currency !== charged.currency) {
    throw new Refusal('request_invalid', `currency: the charge is in ${charged.currency}; refund it in that currency.`);
  }
  if (asked.minor > left || left <= 0n) {
    throw new Refusal('amount_not_available', `amount: ${text(left)} of ${text(captured)} can be refunded.`);
  }
  if (!isSettled && asked.minor !== captured) {
    throw new Refusal(
      'amount_not_available',
      `amount: a charge that has not settled can only be refunded in full; send ${text(captured)}.`,
    );
  }
  return asked;
};

const smaller = (one: bigint, other: bigint): bigint =>
  [one, other].reduce((left, right) => (right < left ? right : left));

const checkState = ({ isChargedBack, isRefundedByNetwork, isUnclear }: ChargeCandidate): void => {
  if (isChargedBack) throw new Refusal('transaction_state_wrong', 'reference: the charge has been charged back.');
  if (isRefundedByNetwork)
    throw new Refusal('already_refunded_for_dispute', 'reference: the card network has refunded the cardholder.');
  if (!isUnclear) return;
  throw new Refusal(
    'transaction_state_wrong',
    'reference: refunds of its card, or disputes of the charge, could not be read for certain; check at the processor what is left of it.',
  );
};

const readAmount = (amount: string, currency: string): Money => {
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') throw new Refusal('request_invalid', `amount: ${money}`);
  if (money.minor <= 0n) throw new Refusal('request_invalid', 'amount: must be above 0');
  return money;
};

/** The refund on the wire. */
export const toChargeRefundDto = ({ reference, isSettled, state, amount, currency, refund, error }: AlertRefund) => ({
  txid: null,
  parent_txid: null,
  reference,
  refund_reference: refund?.payment_gateway_reference || null,
  tx_action: isSettled ? ('REFUND' as const) : ('VOID' as const),
  status: state === 'done' ? ('OK' as const) : state === 'failed' ? ('EXC' as const) : ('PEND' as const),
  amount,
  currency,
  error_code: state === 'failed' ? error : null,
  error_msg: null,
});
