import { iso, milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { GatewayOf } from '../ports/account.ts';
import {
  type ChargeCandidate,
  type ChargeRefundRequest,
  type Check,
  type Gateway,
  type GatewayTrouble,
  isCertain,
  isTrouble,
  leftOf,
  type RefundState,
  refusedOutcome,
  unknownOutcome,
} from '../ports/gateway.ts';
import { outcomeOfAnswer } from '../ports/json-exchange-client.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import {
  type PayPalRefund,
  payPalAmountOf,
  readPayPalRefund,
  refusalOfPayPal,
  resultOfPayPalRefund,
} from './paypal-charges.ts';
import { findPayPalCharges, readPayPalCharge } from './paypal-charges-client.ts';
import { type AskPayPal, type PayPalKeys, payPalOf } from './paypal-exchange-client.ts';

/** A merchant's own PayPal account: cards that were charged through the Orders API. */
export const payPalGateway = (keys: PayPalKeys): Gateway => {
  const ask = payPalOf(keys);
  return {
    kind: 'paypal',
    find: (disputed) => findPayPalCharges(ask, disputed),
    look: (reference) => look(ask, reference),
    refund: (order) => refund(ask, order),
    refundState: (order) => refundState(ask, order),
    check: () => check(ask),
  };
};

const look = async (ask: AskPayPal, reference: string): Promise<ChargeCandidate | null | GatewayTrouble> => {
  const found = await readPayPalCharge(ask, reference);
  return found === null || isTrouble(found) ? found : found.candidate;
};

/** By which our refund is found again: PayPal shows it with the refund. */
const customIdOf = (key: string): string => `fw-${sha256(key).slice(0, 32)}`;

type Standing = { candidate: ChargeCandidate };

/** The result of a refund that may have been requested before, or else the state of the charge. */
const earlier = async (
  ask: AskPayPal,
  { reference, key }: ChargeRefundRequest,
): Promise<ProcessorResult | Standing | null | GatewayTrouble> => {
  const found = await readPayPalCharge(ask, reference);
  if (found === null || isTrouble(found)) return found;
  const own = found.refunds.find(({ custom_id }: PayPalRefund) => custom_id === customIdOf(key));
  return own ? resultOfPayPalRefund(own) : { candidate: found.candidate };
};

const refund = async (ask: AskPayPal, order: ChargeRefundRequest): Promise<ProcessorResult> => {
  const before = await earlier(ask, order);
  if (before === null) return refusedOutcome('not_found_at_processor', 'paypal has no such charge');
  if (isTrouble(before)) return unaskedOutcome(before);
  if ('outcome' in before) return before;
  const { candidate } = before;
  if (candidate.captured === 0n) return refusedOutcome('refund_failed', 'paypal has not captured it');
  const amount = payPalAmountOf(order.money);
  const isOfCharge = order.money.currency === candidate.money.currency;
  if (!amount || !isOfCharge || order.money.minor > leftOf(candidate)) {
    return refusedOutcome('amount_invalid', 'paypal cannot refund this amount of it');
  }
  const answer = await ask({
    ...{ method: 'POST', path: `/v2/payments/captures/${order.reference}/refund`, requestId: order.key },
    body: JSON.stringify({ amount, custom_id: customIdOf(order.key) }),
  });
  if ('failure' in answer) return outcomeOfAnswer('paypal', answer);
  const { status, body } = answer;
  const made = status === 200 || status === 201 ? readPayPalRefund(body) : undefined;
  if (made) return resultOfPayPalRefund(made);
  return refusalOfPayPal(status, body) ?? outcomeOfAnswer('paypal', answer);
};

/** Nothing was sent, so this refusal is definite. */
const unaskedOutcome = ({ problem, detail }: GatewayTrouble): ProcessorResult =>
  refusedOutcome(problem === 'credentials' ? 'processor_credentials' : 'processor_unavailable', detail);

const refundState = async (ask: AskPayPal, order: ChargeRefundRequest): Promise<RefundState> => {
  const found = await earlier(ask, order);
  if (found === null) return unknownOutcome('paypal has no such charge');
  if (isTrouble(found)) return unknownOutcome(found.detail);
  if ('outcome' in found) return found;
  return isCertain(order, nowMilliseconds()) ? { outcome: 'NOT_FOUND' } : unknownOutcome('paypal does not have it yet');
};

/** No payment has this number, so a refund of it changes nothing and shows whether the app may refund. */
const nobody = '0FOREWARNCHECK000';

const check = async (ask: AskPayPal): Promise<Check> => {
  const span = new URLSearchParams({ start_date: iso(nowMilliseconds() - milliseconds.hour), end_date: nowIso() });
  const refundOfNothing = {
    method: 'POST',
    path: `/v2/payments/captures/${nobody}/refund`,
    requestId: nobody,
    body: JSON.stringify({ amount: { currency_code: 'USD', value: '0.01' } }),
  } as const;
  const rights = [
    ['Transaction search', { path: `/v1/reporting/transactions?${span}&page_size=1` }],
    ['Accept payments: orders', { path: `/v2/checkout/orders/${nobody}` }],
    ['Accept payments: refunds', refundOfNothing],
    ['Customer disputes', { path: '/v1/customer/disputes?page_size=1' }],
  ] as const;
  const missing: string[] = [];
  for (const [name, request] of rights) {
    const answer = await ask(request);
    const status = 'status' in answer ? answer.status : 0;
    if (status === 401) {
      return { isWorking: false, problem: 'credentials', missing: [], detail: 'PayPal does not know these keys.' };
    }
    if (status === 403) missing.push(name);
    else if (status === 0 || status === 429 || status >= 500) {
      return { isWorking: false, problem: 'unavailable', missing: [], detail: 'PayPal did not answer.' };
    }
  }
  if (missing.length === 0) return { isWorking: true };
  return { isWorking: false, problem: 'credentials', missing, detail: 'The app lacks a feature.' };
};

export const paypalGatewayOf: GatewayOf = ({ open }) => payPalGateway(open('paypal'));
