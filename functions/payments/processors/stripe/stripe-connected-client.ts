import type Stripe from 'stripe';
import { milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { countedAsPaid, toProcessorAmount } from '../amounts.ts';
import type { ConnectedProcessorOf } from '../ports/account.ts';
import {
  type ChargeRefundRequest,
  type Check,
  type ConnectedProcessor,
  isCertain,
  patienceMilliseconds,
  type RefundState,
  refusedOutcome,
} from '../ports/connected-processor.ts';
import { toNode } from '../ports/outside-data.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import {
  askStripe,
  chargesPerPage,
  findCharges,
  isAbsent,
  listCharges,
  readStripeCharge,
  stripeCandidateOf,
} from './stripe-charges-client.ts';
import { stripeCurrency } from './stripe-currencies.ts';
import { outcomeOfRefund } from './stripe-outcomes.ts';
import { outcomeOfStripeError, stripePackage } from './stripe-package-client.ts';

/** `base_url`: of a stand-in on this machine. */
export type StripeKeys = { secret_key: string; base_url?: string | undefined };

/** A merchant's own account at Stripe. */
export const connectStripe = (keys: StripeKeys): ConnectedProcessor => {
  const stripe = stripePackage(keys, patienceMilliseconds);
  return {
    kind: 'stripe',
    find: (disputed) => findCharges(stripe, disputed),
    look: (reference) => readStripeCharge(stripe, reference),
    list: (span, cursor) => listCharges(stripe, span, cursor),
    refund: (request) => refund(stripe, request),
    refundState: (request) => refundState(stripe, request),
    cancelSubscription: (reference, key) => cancelSubscription(stripe, reference, key),
    check: () => checkStripe(stripe),
  };
};

const reasons = { fraud: 'fraudulent', dispute: 'requested_by_customer', cancel: 'requested_by_customer' } as const;

/** Stripe may forget a key after 24 hours; after this time the adapter checks for the refund first. */
const keysLast = 20 * milliseconds.hour;

const refund = async (stripe: Stripe, request: ChargeRefundRequest): Promise<ProcessorResult> => {
  const { money, reference: charge, key, alertId, reason, begunAt } = request;
  const currency = countedAsPaid(stripeCurrency, money.currency);
  const amount = currency && toProcessorAmount(money, currency);
  if (amount === undefined) return refusedOutcome('amount_invalid', 'stripe cannot count this amount');
  if (nowMilliseconds() - Date.parse(begunAt) > keysLast) {
    const before = await refundState(stripe, request);
    if (before.outcome !== 'NOT_FOUND') return before;
  }
  const metadata = { forewarn_alert: String(alertId), forewarn_key: key };
  try {
    const made = await stripe.refunds.create(
      { charge, amount, reason: reasons[reason], metadata },
      { idempotencyKey: key },
    );
    return outcomeOfRefund(made);
  } catch (error) {
    return outcomeOfStripeError(error, 'refund');
  }
};

const refundState = async (stripe: Stripe, request: ChargeRefundRequest): Promise<RefundState> => {
  const found = await askStripe(async () => {
    for await (const made of stripe.refunds.list({ charge: request.reference, limit: chargesPerPage })) {
      if (made.metadata?.['forewarn_key'] === request.key) return made;
    }
    return undefined;
  });
  if ('problem' in found) return { outcome: 'UNKNOWN', detail: `stripe was not asked: ${found.detail}` };
  if (found.answer) return outcomeOfRefund(found.answer);
  return isCertain(request, nowMilliseconds())
    ? { outcome: 'NOT_FOUND' }
    : { outcome: 'UNKNOWN', detail: 'stripe does not have it yet' };
};

const stripeText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A charge is linked to a subscription by the invoice that it paid. https://docs.stripe.com/api/invoice-payment */
const findSubscription = async (stripe: Stripe, reference: string): Promise<string> => {
  const charge = await stripe.charges.retrieve(reference);
  const { secondReference: intent } = stripeCandidateOf(charge);
  if (intent === '') return '';
  const query = new URLSearchParams({ 'payment[type]': 'payment_intent', 'payment[payment_intent]': intent });
  query.set('expand[]', 'data.invoice');
  const { data } = toNode(await stripe.rawRequest('GET', `/v1/invoice_payments?${query}`));
  const [first] = Array.isArray(data) ? data : [];
  const parent = toNode(toNode(toNode(first)['invoice'])['parent']);
  return stripeText(toNode(parent['subscription_details'])['subscription']);
};

const cancelSubscription = async (stripe: Stripe, reference: string, key: string): Promise<ProcessorResult> => {
  try {
    const subscription = await findSubscription(stripe, reference);
    if (!/^sub_\w{1,80}$/.test(subscription)) {
      return refusedOutcome('not_found_at_processor', 'stripe: the charge came from no subscription');
    }
    return await end(stripe, subscription, key);
  } catch (error) {
    return outcomeOfStripeError(error, 'void');
  }
};

const end = async (stripe: Stripe, subscription: string, key: string): Promise<ProcessorResult> => {
  try {
    await stripe.rawRequest('DELETE', `/v1/subscriptions/${subscription}`, undefined, { idempotencyKey: key });
  } catch (error) {
    // Already gone, which is what was wanted.
    if (!isAbsent(error)) throw error;
  }
  return { outcome: 'OK', reference: subscription };
};

/** No charge has this name, so refunding it changes nothing and shows whether the key may refund at all. */
const nobody = 'ch_forewarn_check';

const checkStripe = async (stripe: Stripe): Promise<Check> => {
  const rights: readonly (readonly [name: string, ask: () => Promise<unknown>])[] = [
    ['Charges: read', () => stripe.charges.search({ query: 'amount:1', limit: 1 })],
    ['Refunds: write', () => stripe.refunds.create({ charge: nobody })],
    ['Disputes: read', () => stripe.rawRequest('GET', '/v1/disputes?limit=1')],
    ['Subscriptions: write', () => stripe.rawRequest('DELETE', '/v1/subscriptions/sub_forewarn_check')],
    ['Invoices: read', () => stripe.rawRequest('GET', '/v1/invoice_payments?limit=1')],
  ];
  const missing: string[] = [];
  for (const [name, ask] of rights) {
    const status = await probeRight(ask);
    if (status === 401) {
      return { isWorking: false, problem: 'credentials', missing: [], detail: 'Stripe does not know this key.' };
    }
    if (status === 403) missing.push(name);
    if (status === undefined || status === 429 || status >= 500) {
      return { isWorking: false, problem: 'unavailable', missing: [], detail: 'Stripe did not answer.' };
    }
  }
  if (missing.length === 0) return { isWorking: true };
  return { isWorking: false, problem: 'credentials', missing, detail: 'The key lacks a permission.' };
};

/** The status of Stripe's answer; undefined if there was none. */
const probeRight = async (ask: () => Promise<unknown>): Promise<number | undefined> => {
  try {
    await ask();
    return 200;
  } catch (error) {
    outcomeOfStripeError(error, 'refund');
    const { statusCode } = toNode(error);
    return typeof statusCode === 'number' ? statusCode : undefined;
  }
};

export const stripeConnectedProcessorOf: ConnectedProcessorOf = ({ open }) => connectStripe(open('stripe'));
