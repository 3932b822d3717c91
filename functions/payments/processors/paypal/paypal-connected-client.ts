import { iso, milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import type { ConnectedProcessorOf } from '../ports/account.ts';
import { pickCandidate } from '../ports/charge-state.ts';
import {
  type ChargeRefundRequest,
  type Check,
  type ConnectedProcessor,
  isTrouble,
  refusedOutcome,
  unknownOutcome,
} from '../ports/connected-processor.ts';
import { checkRights, outcomeOfAnswer } from '../ports/json-exchange-client.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { type LookedUp, refundAfterLooking, refundMark, stateAfterLooking } from '../ports/refund-after-looking.ts';
import { payPalAmountOf, readPayPalRefund, refusalOfPayPal, resultOfPayPalRefund } from './paypal-charges.ts';
import { findPayPalCharges, findPayPalSubscription, readPayPalCharge } from './paypal-charges-client.ts';
import { type AskPayPal, askPayPal, type PayPalKeys } from './paypal-exchange-client.ts';

/** A merchant's own PayPal account: cards that were charged through the Orders API. */
export const connectPayPal = (keys: PayPalKeys): ConnectedProcessor => {
  const ask = askPayPal(keys);
  return {
    kind: 'paypal',
    find: (disputed) => findPayPalCharges(ask, disputed),
    look: async (reference) => pickCandidate(await readPayPalCharge(ask, reference)),
    refund: (request) =>
      refundAfterLooking('paypal', request, { look: () => lookUp(ask, request), send: () => send(ask, request) }),
    refundState: (request) => stateAfterLooking('paypal', request, () => lookUpState(ask, request)),
    cancelSubscription: (reference) => cancelSubscription(ask, reference),
    check: () => checkPayPal(ask),
  };
};

/** PayPal shows the `custom_id` of a refund. */
const lookUp = async (ask: AskPayPal, { reference, key }: ChargeRefundRequest): Promise<LookedUp> => {
  const found = await readPayPalCharge(ask, reference);
  if (found === null || isTrouble(found)) return found;
  const own = found.refunds.find(({ custom_id }) => custom_id === refundMark(key));
  return own ? resultOfPayPalRefund(own) : { candidate: found.candidate };
};

/** A refund that is not among the order's is not made; without the order, its refunds are not known. */
const lookUpState = async (ask: AskPayPal, request: ChargeRefundRequest): Promise<LookedUp> => {
  const found = await lookUp(ask, request);
  const isHidden = found !== null && 'candidate' in found && found.candidate.isUnclear;
  return isHidden ? { problem: 'unavailable', detail: 'paypal does not show the refunds of it' } : found;
};

const send = async (ask: AskPayPal, { reference, money, key }: ChargeRefundRequest): Promise<ProcessorResult> => {
  const amount = payPalAmountOf(money);
  if (!amount) return refusedOutcome('amount_invalid', 'paypal cannot write this amount');
  const answer = await ask({
    ...{ method: 'POST', path: `/v2/payments/captures/${reference}/refund`, requestId: key },
    body: JSON.stringify({ amount, custom_id: refundMark(key) }),
  });
  if ('failure' in answer) return outcomeOfAnswer('paypal', answer);
  const { status, body } = answer;
  const made = status === 200 || status === 201 ? readPayPalRefund(body) : undefined;
  if (made) return resultOfPayPalRefund(made);
  return refusalOfPayPal(status, body) ?? outcomeOfAnswer('paypal', answer);
};

/**
 * https://developer.paypal.com/docs/api/subscriptions/v1/#subscriptions_cancel (2026-11-29): 204. One that is not active any more is refused with 422, which is
 * what was wanted. 404 says nothing of what goes on being charged.
 */
const cancelSubscription = async (ask: AskPayPal, reference: string): Promise<ProcessorResult> => {
  const found = await readPayPalCharge(ask, reference);
  if (found !== null && isTrouble(found)) return unknownOutcome(found.detail);
  const id = found && (await findPayPalSubscription(ask, found.candidate));
  if (id !== null && typeof id !== 'string') return unknownOutcome(id.detail);
  if (!id) return refusedOutcome('not_found_at_processor', 'paypal names no subscription of the charge');
  const body = JSON.stringify({ reason: 'Dispute of a payment' });
  const answer = await ask({ method: 'POST', path: `/v1/billing/subscriptions/${id}/cancel`, body });
  const isEnded = 'status' in answer && [200, 204].includes(answer.status);
  const isInactive = 'status' in answer && answer.status === 422 && isStatusInvalid(answer.body);
  if ('status' in answer && answer.status === 404)
    return refusedOutcome('operation_not_supported', 'paypal does not know the subscription');
  return isEnded || isInactive ? { outcome: 'OK', reference: id } : outcomeOfAnswer('paypal', answer);
};

const isStatusInvalid = (body: unknown): boolean => JSON.stringify(body ?? '').includes('SUBSCRIPTION_STATUS_INVALID');

/** No payment has this number, so a refund of it changes nothing and shows whether the app may refund. */
const nobody = '0FOREWARNCHECK000';

const checkPayPal = (ask: AskPayPal): Promise<Check> => {
  const span = new URLSearchParams({ start_date: iso(nowMilliseconds() - milliseconds.hour), end_date: nowIso() });
  const body = JSON.stringify({ amount: { currency_code: 'USD', value: '0.01' } });
  const path = `/v2/payments/captures/${nobody}/refund`;
  return checkRights('PayPal', [
    ['Transaction search', () => ask({ path: `/v1/reporting/transactions?${span}&page_size=1` })],
    ['Accept payments: orders', () => ask({ path: `/v2/checkout/orders/${nobody}` })],
    ['Accept payments: refunds', () => ask({ method: 'POST', path, requestId: nobody, body })],
    ['Customer disputes', () => ask({ path: '/v1/customer/disputes?page_size=1' })],
  ]);
};

export const paypalConnectedProcessorOf: ConnectedProcessorOf = ({ open }) => connectPayPal(open('paypal'));
