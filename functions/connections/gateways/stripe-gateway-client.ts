import type Stripe from 'stripe';
import { iso, milliseconds, nowMilliseconds } from '../../core/clock.ts';
import { log } from '../../core/log.ts';
import { fromProcessorAmount, toProcessorAmount } from '../../processors/amounts.ts';
import type { Outcome } from '../../processors/processor.ts';
import { stripeCurrency } from '../../processors/stripe/stripe-currencies.ts';
import { disputeOfStripe } from '../../processors/stripe/stripe-disputes.ts';
import { outcomeOfRefund } from '../../processors/stripe/stripe-outcomes.ts';
import { outcomeOfStripeError, stripePackage } from '../../processors/stripe/stripe-package-client.ts';
import {
  type Candidate,
  type Check,
  type Disputed,
  type Found,
  type Gateway,
  isCertain,
  patienceMilliseconds,
  type RefundOrder,
  type RefundState,
  refusedWith,
  searchedSpan,
  type Trouble,
} from '../gateway.ts';

/** `base_url`: of a stand-in on this machine. */
export type StripeKeys = { secret_key: string; base_url?: string | undefined };

/** A merchant's own account at Stripe. */
export const stripeGateway = (keys: StripeKeys): Gateway => {
  const stripe = stripePackage(keys, patienceMilliseconds);
  return {
    kind: 'stripe',
    find: (disputed) => find(stripe, disputed),
    look: (reference) => look(stripe, reference),
    refund: (order) => refund(stripe, order),
    refundState: (order) => refundState(stripe, order),
    cancelSubscription: (reference, key) => cancelSubscription(stripe, reference, key),
    check: () => check(stripe),
  };
};

const troubleOf = (error: unknown): Trouble => {
  const outcome = outcomeOfStripeError(error, 'refund');
  const isRight = outcome.outcome === 'EXC' && outcome.code === 'processor_credentials';
  return {
    problem: isRight ? 'credentials' : 'unavailable',
    detail: 'detail' in outcome ? (outcome.detail ?? '') : '',
  };
};

const asked = async <T>(ask: () => Promise<T>): Promise<{ answer: T } | Trouble> => {
  try {
    return { answer: await ask() };
  } catch (error) {
    return troubleOf(error);
  }
};

/** An amount that Stripe counts, in our own minor units. */
const minorOf = (amount: number, currency: string): bigint =>
  fromProcessorAmount(amount, currency, stripeCurrency(currency)?.exponent ?? 2);

const candidateOf = (charge: Stripe.Charge): Candidate => {
  const currency = charge.currency.toUpperCase();
  const card = charge.payment_method_details?.card;
  const intent = charge.payment_intent;
  return {
    reference: charge.id,
    secondReference: typeof intent === 'string' ? intent : (intent?.id ?? ''),
    type: 'charge',
    date: iso(charge.created * 1000),
    money: { minor: minorOf(charge.amount, currency), currency },
    first6: '',
    last4: card?.last4 ?? '',
    authCode: card?.authorization_code ?? null,
    arn: null,
    captured: minorOf(charge.amount_captured, currency),
    refunded: minorOf(charge.amount_refunded, currency),
    isChargedBack: charge.disputed,
    isSettled: charge.captured,
    isUnclear: false,
    subscription: null,
    descriptor: charge.calculated_statement_descriptor ?? '',
  };
};

const isMade = (charge: Stripe.Charge): boolean => charge.status === 'succeeded';

/** "Under normal operating conditions, data is searchable in less than 1 minute": https://docs.stripe.com/search */
const searchLag = 5 * milliseconds.minute;
const pageSize = 100;
const mostPages = 10;

const find = async (stripe: Stripe, disputed: Disputed): Promise<Found> => {
  const { last4, money } = disputed;
  const currency = money && stripeCurrency(money.currency);
  const amount = money && currency ? toProcessorAmount(money, currency) : undefined;
  // Stripe cannot have charged what it cannot count.
  if (money && amount === undefined) return { candidates: [], isWhole: true };
  const { from, to } = searchedSpan(disputed);
  const [begin, end] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
  const query = [
    `payment_method_details.card.last4:"${last4}"`,
    ...(money ? [`amount:${amount}`, `currency:"${money.currency.toLowerCase()}"`] : []),
    ...[`created>=${begin}`, `created<=${end}`],
  ].join(' AND ');
  const found = await asked(() => search(stripe, query));
  if ('problem' in found) return found;
  const isOld = to < nowMilliseconds() - searchLag;
  const fresh = isOld ? { answer: { charges: [], isWhole: true } } : await asked(() => lately(stripe));
  if ('problem' in fresh) return fresh;
  const alike = fresh.answer.charges.filter(
    (charge) =>
      charge.payment_method_details?.card?.last4 === last4 &&
      (amount === undefined || (charge.amount === amount && charge.currency.toUpperCase() === money?.currency)),
  );
  const charges = new Map([...found.answer.charges, ...alike].map((charge) => [charge.id, charge]));
  const isWhole = found.answer.isWhole && fresh.answer.isWhole;
  return { candidates: [...charges.values()].filter(isMade).map(candidateOf), isWhole };
};

/** `isWhole`: these are all that there are. */
type Charges = { charges: Stripe.Charge[]; isWhole: boolean };

const search = async (stripe: Stripe, query: string): Promise<Charges> => {
  const charges: Stripe.Charge[] = [];
  let page: string | undefined;
  for (let count = 0; count < mostPages; count += 1) {
    const result = await stripe.charges.search({ query, limit: pageSize, ...(page && { page }) });
    charges.push(...result.data);
    if (!result.has_more || !result.next_page) return { charges, isWhole: true };
    page = result.next_page;
  }
  return { charges, isWhole: false };
};

/** What the index may not have yet: lists do not lag. A busy shop makes more than a page within minutes. */
const lately = async (stripe: Stripe): Promise<Charges> => {
  const created = { gte: Math.floor((nowMilliseconds() - searchLag) / 1000) };
  const charges: Stripe.Charge[] = [];
  for (let count = 0; count < mostPages; count += 1) {
    const after = charges.at(-1)?.id;
    const page = await stripe.charges.list({ created, limit: pageSize, ...(after && { starting_after: after }) });
    charges.push(...page.data);
    if (!page.has_more) return { charges, isWhole: true };
  }
  // The caller learns that there may be others; an operator, that the limit was too low.
  log('error', 'stripe_charges_cut', { read: charges.length });
  return { charges, isWhole: false };
};

const isAbsent = (error: unknown): boolean => {
  const outcome = outcomeOfStripeError(error, 'refund');
  return outcome.outcome === 'EXC' && outcome.code === 'not_found_at_processor';
};

/** When a charge was last given back any of; the newest refunds come first. */
const lastRefundOf = async (stripe: Stripe, charge: string): Promise<string | undefined> => {
  const { data } = await stripe.refunds.list({ charge, limit: pageSize });
  const made = data.find(({ status }) => status !== 'failed' && status !== 'canceled');
  return made && iso(made.created * 1000);
};

/** Since when a charge is charged back. That a key may not read disputes is no reason not to know its charge. */
const firstDisputeOf = async (stripe: Stripe, charge: string): Promise<string | undefined> => {
  const told = await asked(() => stripe.disputes.list({ charge, limit: pageSize }));
  if ('problem' in told) return undefined;
  const disputes = told.answer.data.flatMap((one) => disputeOfStripe(one) ?? []);
  const [first] = disputes.flatMap(({ isTaken, openedAt }) => (isTaken ? openedAt : [])).sort();
  return first;
};

const look = async (stripe: Stripe, reference: string): Promise<Candidate | null | Trouble> => {
  if (!/^(?:ch|py)_\w{1,80}$/.test(reference)) return null;
  try {
    const charge = await stripe.charges.retrieve(reference);
    if (!isMade(charge)) return null;
    const refundedAt = charge.amount_refunded > 0 ? await lastRefundOf(stripe, reference) : undefined;
    const chargedBackAt = charge.disputed ? await firstDisputeOf(stripe, reference) : undefined;
    return {
      ...candidateOf(charge),
      ...(refundedAt !== undefined && { refundedAt }),
      ...(chargedBackAt !== undefined && { chargedBackAt }),
    };
  } catch (error) {
    return isAbsent(error) ? null : troubleOf(error);
  }
};

const reasons = { fraud: 'fraudulent', dispute: 'requested_by_customer', cancel: 'requested_by_customer' } as const;

/** Stripe may forget a key after 24 hours; from then on it is looked first. */
const keysLast = 20 * milliseconds.hour;

const refund = async (stripe: Stripe, order: RefundOrder): Promise<Outcome> => {
  const { money, reference: charge, key, alertId, reason, begunAt } = order;
  const currency = stripeCurrency(money.currency);
  const amount = currency && toProcessorAmount(money, currency);
  if (amount === undefined) return refusedWith('amount_invalid', 'stripe cannot count this amount');
  if (nowMilliseconds() - Date.parse(begunAt) > keysLast) {
    const before = await refundState(stripe, order);
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

const refundState = async (stripe: Stripe, order: RefundOrder): Promise<RefundState> => {
  const found = await asked(async () => {
    for await (const made of stripe.refunds.list({ charge: order.reference, limit: pageSize })) {
      if (made.metadata?.['forewarn_key'] === order.key) return made;
    }
    return undefined;
  });
  if ('problem' in found) return { outcome: 'UNKNOWN', detail: `stripe was not asked: ${found.detail}` };
  if (found.answer) return outcomeOfRefund(found.answer);
  return isCertain(order, nowMilliseconds())
    ? { outcome: 'NOT_FOUND' }
    : { outcome: 'UNKNOWN', detail: 'stripe does not have it yet' };
};

type Node = Readonly<Record<string, unknown>>;
const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null ? { ...value } : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A charge comes from a subscription by the invoice that it paid. https://docs.stripe.com/api/invoice-payment */
const subscriptionOf = async (stripe: Stripe, reference: string): Promise<string> => {
  const charge = await stripe.charges.retrieve(reference);
  const { secondReference: intent } = candidateOf(charge);
  if (intent === '') return '';
  const query = new URLSearchParams({ 'payment[type]': 'payment_intent', 'payment[payment_intent]': intent });
  query.set('expand[]', 'data.invoice');
  const { data } = nodeOf(await stripe.rawRequest('GET', `/v1/invoice_payments?${query}`));
  const [first] = Array.isArray(data) ? data : [];
  const parent = nodeOf(nodeOf(nodeOf(first)['invoice'])['parent']);
  return textOf(nodeOf(parent['subscription_details'])['subscription']);
};

const cancelSubscription = async (stripe: Stripe, reference: string, key: string): Promise<Outcome> => {
  try {
    const subscription = await subscriptionOf(stripe, reference);
    if (!/^sub_\w{1,80}$/.test(subscription)) {
      return refusedWith('not_found_at_processor', 'stripe: the charge came from no subscription');
    }
    return await end(stripe, subscription, key);
  } catch (error) {
    return outcomeOfStripeError(error, 'void');
  }
};

const end = async (stripe: Stripe, subscription: string, key: string): Promise<Outcome> => {
  try {
    await stripe.rawRequest('DELETE', `/v1/subscriptions/${subscription}`, undefined, { idempotencyKey: key });
  } catch (error) {
    // What is gone already is what was wanted.
    if (!isAbsent(error)) throw error;
  }
  return { outcome: 'OK', reference: subscription };
};

/** No charge has this name, so refunding it changes nothing, and says whether the key may refund at all. */
const nobody = 'ch_forewarn_check';

const check = async (stripe: Stripe): Promise<Check> => {
  const rights: readonly (readonly [name: string, ask: () => Promise<unknown>])[] = [
    ['Charges: read', () => stripe.charges.search({ query: 'amount:1', limit: 1 })],
    ['Refunds: write', () => stripe.refunds.create({ charge: nobody })],
    ['Disputes: read', () => stripe.rawRequest('GET', '/v1/disputes?limit=1')],
    ['Subscriptions: write', () => stripe.rawRequest('DELETE', '/v1/subscriptions/sub_forewarn_check')],
    ['Invoices: read', () => stripe.rawRequest('GET', '/v1/invoice_payments?limit=1')],
  ];
  const missing: string[] = [];
  for (const [name, ask] of rights) {
    const status = await statusOf(ask);
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
const statusOf = async (ask: () => Promise<unknown>): Promise<number | undefined> => {
  try {
    await ask();
    return 200;
  } catch (error) {
    outcomeOfStripeError(error, 'refund');
    const { statusCode } = nodeOf(error);
    return typeof statusCode === 'number' ? statusCode : undefined;
  }
};
