import type Stripe from 'stripe';
import { milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { countedAsPaid, fromProcessorAmount, toProcessorAmount } from '../amounts.ts';
import { openCredentials } from '../credentials/sealed-credentials.ts';
import type { ProcessorOf } from '../ports/account.ts';
import {
  type AuthCommand,
  type FollowUpCommand,
  type Funds,
  isRepeat,
  type OperationKind,
  type PayCommand,
  type Processor,
  type ProcessorResult,
  type Query,
  type QueryOutcome,
} from '../ports/processor.ts';
import { readWithKnownCurrency } from '../unknown-currency-client.ts';
import { stripeCurrency } from './stripe-currencies.ts';
import {
  hasTags,
  makeTags,
  outcomeOfFollowUp,
  outcomeOfRefund,
  paymentMethodOf,
  stripePaymentResult,
  toIntent,
} from './stripe-outcomes.ts';
import { outcomeOfStripeError as outcomeOf, type StripeCredentials, stripePackage } from './stripe-package-client.ts';
import { readStripeWebhook } from './stripe-webhook.ts';

export type { StripeCredentials } from './stripe-package-client.ts';

/** The time for which a request can still take effect: a time-out, a retry, and what Stripe does after the connection ends. */
const certainMilliseconds = 5 * milliseconds.minute;
/** The time that a payer has for an authentication. Stripe lets a payment wait forever. */
const abandonedMilliseconds = milliseconds.hour;
/** The tolerated difference between our clock and Stripe's. */
const skewSeconds = 120;
/** Fifty pages: more would outlast a function. */
const maxPayments = 5000;

export const stripeProcessor = (credentials: StripeCredentials): Processor => {
  const stripe = stripePackage(credentials);
  return {
    name: 'stripe',
    capabilities: { payout: false, balance: true, otp: false, redirect: true, partialRefund: true },
    exponentOf: (currency) => stripeCurrency(currency)?.exponent,
    pay: (command) => pay(stripe, command),
    continueAuth: (command) => continueAuth(stripe, command),
    // Stripe sends no codes through us: the payer's next action stays the same.
    resendAuth: async ({ reference }) => ({ outcome: 'PEND', reference }),
    capture: (command) => capture(stripe, command),
    void: (command) => cancel(stripe, command),
    refund: (command) => refund(stripe, command),
    payout: async () => unsupportedOutcome(null),
    query: (query) => queryStripe(() => askAboutStripe(stripe, query)),
    readWebhook: async (call) => readStripeWebhook(credentials.webhook_secret, call, nowMilliseconds()),
    balance: () => balance(stripe),
  };
};

const askStripe = async <T>(kind: OperationKind, ask: () => Promise<T>): Promise<T | ProcessorResult> => {
  try {
    return await ask();
  } catch (error) {
    return outcomeOf(error, kind);
  }
};

/** A query that could not be made says nothing about its subject, whatever the reason: nothing may be settled by it. */
const queryStripe = async <T>(ask: () => Promise<T>): Promise<T | ProcessorResult> => {
  const answer = await askStripe('pay', async () => ({ told: await ask() }));
  return 'told' in answer ? answer.told : { outcome: 'UNKNOWN', detail: `stripe was not asked: ${readDetail(answer)}` };
};

const readDetail = (outcome: ProcessorResult): string => ('detail' in outcome ? (outcome.detail ?? '') : '');

const unsupportedOutcome = (reference: string | null): ProcessorResult => ({
  outcome: 'EXC',
  code: 'operation_not_supported',
  reference,
});

/** The amount as Stripe counts it, or why it is refused before anything is sent. */
const stripeMoney = ({ money }: FollowUpCommand | PayCommand): number | ProcessorResult => {
  const currency = countedAsPaid(stripeCurrency, money.currency);
  const amount = currency && toProcessorAmount(money, currency);
  if (amount !== undefined) return amount;
  return { outcome: 'EXC', code: currency ? 'amount_invalid' : 'currency_not_supported', reference: null };
};

const pay = async (stripe: Stripe, command: PayCommand): Promise<ProcessorResult> => {
  const amount = stripeMoney(command);
  if (typeof amount !== 'number') return amount;
  const { idempotencyKey } = command;
  const method = await askStripe('pay', () =>
    stripe.paymentMethods.create(paymentMethodOf(command), { idempotencyKey: `${idempotencyKey}:card` }),
  );
  if ('outcome' in method) return withoutCharge(method);
  const create = (as: PayCommand, key: string) =>
    stripe.paymentIntents.create(toIntent(as, { amount, paymentMethod: method.id }), { idempotencyKey: key });
  return askStripe('pay', async () => {
    try {
      return stripePaymentResult(await create(command, idempotencyKey));
    } catch (error) {
      if (!isExemptionUnknown(error) || !isRepeat(command)) throw error;
      const plain = { ...command, storedCard: { ...command.storedCard, networkReference: null } };
      return stripePaymentResult(await create(plain, `${idempotencyKey}:plain`));
    }
  });
};

/**
 * Checks whether Stripe refused `mit_exemption` because it is not enabled for the account. Nothing was charged, so the payment is sent
 * again without it.
 */
const isExemptionUnknown = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'parameter_unknown' &&
  error.message.includes('mit_exemption');

/** Creating a payment method charges nothing: whatever became of that request, nothing was paid. */
const withoutCharge = (outcome: ProcessorResult): ProcessorResult =>
  outcome.outcome === 'UNKNOWN'
    ? { outcome: 'EXC', code: 'processor_unavailable', reference: null, detail: outcome.detail }
    : outcome;

const retrieve = (stripe: Stripe, reference: string) =>
  stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge'] });

/** The payer returns from the issuer's page with nothing that Stripe needs: it knows the result itself. */
const continueAuth = (stripe: Stripe, { reference }: AuthCommand): Promise<ProcessorResult> =>
  queryStripe(async () => stripePaymentResult(await retrieve(stripe, reference)));

const capture = async (stripe: Stripe, command: FollowUpCommand): Promise<ProcessorResult> => {
  const amount = stripeMoney(command);
  if (typeof amount !== 'number') return amount;
  const { reference, idempotencyKey } = command;
  return askStripe('capture', async () => {
    const intent = await stripe.paymentIntents.capture(reference, { amount_to_capture: amount }, { idempotencyKey });
    return outcomeOfFollowUp(intent, 'capture') ?? { outcome: 'PEND', reference, nextAction: null };
  });
};

const cancel = (stripe: Stripe, { reference, idempotencyKey }: FollowUpCommand): Promise<ProcessorResult> =>
  askStripe('void', async () => {
    const intent = await stripe.paymentIntents.cancel(reference, {}, { idempotencyKey });
    return outcomeOfFollowUp(intent, 'void') ?? { outcome: 'PEND', reference, nextAction: null };
  });

const refund = async (stripe: Stripe, command: FollowUpCommand): Promise<ProcessorResult> => {
  const amount = stripeMoney(command);
  if (typeof amount !== 'number') return amount;
  const { reference: payment_intent, idempotencyKey } = command;
  return askStripe('refund', async () =>
    outcomeOfRefund(
      await stripe.refunds.create({ payment_intent, amount, metadata: makeTags(command) }, { idempotencyKey }),
    ),
  );
};

/** Stripe warns that its search lags behind writes, not that its lists do: what they lack a while later was never done. */
const absent = (query: Query): QueryOutcome =>
  nowMilliseconds() - Date.parse(query.startedAt) >= certainMilliseconds
    ? { outcome: 'NOT_FOUND' }
    : { outcome: 'UNKNOWN', detail: 'stripe does not have it yet' };

const askAboutStripe = async (stripe: Stripe, query: Query): Promise<QueryOutcome> => {
  const { kind, reference, paymentReference } = query;
  if (kind === 'payout') return unsupportedOutcome(reference);
  if (kind === 'pay') {
    const payment = reference ? await retrieve(stripe, reference) : await findPayment(stripe, query);
    if (payment === 'too many') return { outcome: 'UNKNOWN', detail: 'stripe has too many payments of that time' };
    return payment ? settlePayment(stripe, query, payment) : absent(query);
  }
  if (kind === 'refund') {
    const found = reference ? await stripe.refunds.retrieve(reference) : await findRefund(stripe, query);
    return found ? outcomeOfRefund(found) : absent(query);
  }
  const payment = paymentReference ?? reference;
  if (payment === null) return { outcome: 'UNKNOWN', detail: 'the payment of it is not known' };
  return outcomeOfFollowUp(await retrieve(stripe, payment), kind) ?? absent(query);
};

const findPayment = async (stripe: Stripe, query: Query): Promise<Stripe.PaymentIntent | undefined | 'too many'> => {
  const from = Math.floor(Date.parse(query.startedAt) / 1000);
  const created = { gte: from - skewSeconds, lte: from + certainMilliseconds / 1000 + skewSeconds };
  let seen = 0;
  for await (const intent of stripe.paymentIntents.list({ created, limit: 100, expand: ['data.latest_charge'] })) {
    if (hasTags(intent, query)) return intent;
    seen += 1;
    if (seen >= maxPayments) return 'too many';
  }
  return undefined;
};

const findRefund = async (stripe: Stripe, query: Query): Promise<Stripe.Refund | undefined> => {
  if (query.paymentReference === null) return undefined;
  for await (const found of stripe.refunds.list({ payment_intent: query.paymentReference, limit: 100 })) {
    if (hasTags(found, query)) return found;
  }
  return undefined;
};

/** A payer who does not return could still pay next week, when the merchant no longer waits: the payment is ended. */
const settlePayment = async (stripe: Stripe, query: Query, payment: Stripe.PaymentIntent): Promise<ProcessorResult> => {
  const isWaiting = payment.status === 'requires_action' || payment.status === 'requires_confirmation';
  const age = nowMilliseconds() - Date.parse(query.startedAt);
  if (!isWaiting || age < abandonedMilliseconds) return stripePaymentResult(payment);
  const idempotencyKey = `${query.idempotencyKey}:abandon`;
  const ended = await askStripe('void', () =>
    stripe.paymentIntents.cancel(payment.id, { cancellation_reason: 'abandoned' }, { idempotencyKey }),
  );
  return stripePaymentResult('outcome' in ended ? await retrieve(stripe, payment.id) : ended);
};

/** `reserved`: what Stripe has received and does not pay out yet. */
const balance = async (stripe: Stripe): Promise<readonly Funds[]> => {
  const { available, pending } = await stripe.balance.retrieve().catch((error: unknown) => {
    throw new Error(`Stripe did not tell the balance: ${JSON.stringify(outcomeOf(error, 'payout'))}`);
  });
  const codes = [...new Set([...available, ...pending].map(({ currency }) => currency))];
  const sum = (parts: typeof available, code: string): bigint =>
    parts
      .filter(({ currency }) => currency === code)
      .reduce((total, { amount }) => total + ownMinor(amount, code.toUpperCase()), 0n);
  return codes.flatMap(
    (code) =>
      readWithKnownCurrency('stripe', () => ({
        currency: code.toUpperCase(),
        available: sum(available, code),
        reserved: sum(pending, code),
      })) ?? [],
  );
};

const ownMinor = (amount: number, currency: string): bigint =>
  fromProcessorAmount(amount, currency, stripeCurrency(currency));

export const stripeProcessorOf: ProcessorOf = (route, context) =>
  stripeProcessor(openCredentials('stripe', route, context));
