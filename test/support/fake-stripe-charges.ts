import { nowMilliseconds } from '#core/kernel/clock.ts';

/**
 * The part of Stripe's stand-in for charges that were taken there: search, lists, refunds by charge, disputes and subscriptions,
 * as https://docs.stripe.com/api has them. Searches lag behind, as Stripe documents. `disputed` is true of a charge with any dispute,
 * inquiries and those that are over included: https://github.com/Automattic/woocommerce-payments/issues/7960 (2026-11-28).
 */

type Json = Record<string, unknown>;
export class StripeRefused extends Error {
  readonly status: number;
  readonly error: Json;
  constructor(status: number, error: Json) {
    super(String(error['code']));
    this.status = status;
    this.error = error;
  }
}
const invalid = (message: string, more: Json = {}) =>
  new StripeRefused(400, { type: 'invalid_request_error', message, ...more });
const missing = (kind: string, id: string) =>
  new StripeRefused(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
  });

export type FakeCharge = {
  id: string;
  amount: number;
  amountCaptured: number;
  amountRefunded: number;
  currency: string;
  created: number;
  number: string;
  authCode: string;
  intent: string;
  status: string;
  subscription: string | null;
  descriptor: string;
};
type ChargeRefund = Json & { id: string; charge: string; amount: number; status: string; created: number };

/** The rights of Stripe's restricted keys, and which request needs which. */
export type StripeRight =
  | 'charges_read'
  | 'refunds_write'
  | 'disputes_read'
  | 'disputes_write'
  | 'warnings_read'
  | 'subscriptions_write'
  | 'invoices_read'
  | 'webhooks_write';
export const findRight = (method: string, path: string): StripeRight | undefined => {
  if (path.startsWith('/v1/charges')) return 'charges_read';
  if (path.startsWith('/v1/refunds')) return method === 'POST' ? 'refunds_write' : 'charges_read';
  if (path.startsWith('/v1/disputes')) return method === 'POST' ? 'disputes_write' : 'disputes_read';
  if (path.startsWith('/v1/radar/early_fraud_warnings')) return 'warnings_read';
  if (path.startsWith('/v1/webhook_endpoints')) return 'webhooks_write';
  if (path.startsWith('/v1/subscriptions')) return 'subscriptions_write';
  return path.startsWith('/v1/invoice_payments') ? 'invoices_read' : undefined;
};

const refundsFail = '4000000000005126';
const refundsPending = '4000000000007726';
const page = 100;

export class FakeCharges {
  /** The statuses of a charge's disputes. */
  readonly #disputesOf: (charge: string) => readonly string[];
  readonly charges = new Map<string, FakeCharge>();
  readonly refunds = new Map<string, ChargeRefund>();
  readonly subscriptions = new Set<string>();
  /** For how long searches do not show a charge. */
  searchLag = 60_000;
  done = 0;
  #last = 0;

  constructor(disputesOf: (charge: string) => readonly string[]) {
    this.#disputesOf = disputesOf;
  }

  #shown(charge: FakeCharge): Json {
    return toChargeDto(charge, this.#disputesOf(charge.id).length > 0);
  }

  #id(prefix: string): string {
    this.#last += 1;
    return `${prefix}_4Fake${String(this.#last).padStart(12, '0')}`;
  }

  add({
    minor,
    number,
    at = nowMilliseconds(),
    ...details
  }: Partial<FakeCharge> & { minor: number; number: string; at?: number }): FakeCharge {
    const charge: FakeCharge = {
      ...{ id: this.#id('ch'), amount: minor, amountCaptured: minor, amountRefunded: 0, currency: 'usd' },
      ...{ created: Math.floor(at / 1000), number, authCode: '123456', intent: this.#id('pi'), status: 'succeeded' },
      ...{ subscription: null, descriptor: '' },
      ...details,
    };
    this.charges.set(charge.id, charge);
    // By the merchant's own hand, in Stripe's dashboard, at once.
    if (charge.amountRefunded > 0) this.#keepRefund(charge, { amount: charge.amountRefunded, at: charge.created });
    return charge;
  }

  #keepRefund(
    { id: charge, intent: payment_intent, currency }: FakeCharge,
    { amount, at: created, status = 'succeeded', ...more }: { amount: number; at: number; status?: string } & Json,
  ): ChargeRefund {
    const id = this.#id('re');
    const refund = {
      ...{ id, object: 'refund', charge, amount, currency, status, payment_intent, created },
      reason: null,
      ...more,
    };
    this.refunds.set(refund.id, refund);
    return refund;
  }

  /** Returns the answer to a GET; undefined: not for this. */
  read(path: string, query: URLSearchParams): Json | undefined {
    if (path === '/v1/charges/search') return this.#search(query);
    if (path === '/v1/charges') return this.#list(query);
    const [, id] = /^\/v1\/charges\/(\w+)$/.exec(path) ?? [];
    if (id) return this.#shown(this.#charge(id));
    if (path === '/v1/refunds' && query.has('charge')) {
      const of = [...this.refunds.values()].filter(({ charge }) => charge === query.get('charge'));
      return { object: 'list', url: path, data: of.reverse(), has_more: false };
    }
    return path === '/v1/invoice_payments' ? this.#invoicePayments(query) : undefined;
  }

  #charge(id: string): FakeCharge {
    const charge = this.charges.get(id);
    if (!charge) throw missing('charge', id);
    return charge;
  }

  /** https://docs.stripe.com/search#query-fields-for-charges */
  #search(query: URLSearchParams): Json {
    const clauses = (query.get('query') ?? '').split(' AND ').map((clause) => {
      const [, field = '', operator = '', value = ''] = /^([\w.]+)(:|>=|<=|>|<)"?([^"]*)"?$/.exec(clause) ?? [];
      const isKnown = ['payment_method_details.card.last4', 'amount', 'currency', 'created', 'status'].includes(field);
      if (!isKnown) throw invalid(`We were unable to parse your search query: ${clause}`);
      return { field, operator, value };
    });
    const fits = (charge: FakeCharge) =>
      clauses.every(({ field, operator, value }) => {
        const fields: Record<string, string | number> = {
          'payment_method_details.card.last4': charge.number.slice(-4),
          ...{ amount: charge.amount, currency: charge.currency, created: charge.created, status: charge.status },
        };
        const own = fields[field] ?? '';
        if (operator === ':') return String(own) === value;
        return operator === '>=' ? Number(own) >= Number(value) : Number(own) <= Number(value);
      });
    const visible = (nowMilliseconds() - this.searchLag) / 1000;
    const found = [...this.charges.values()].filter((charge) => charge.created <= visible && fits(charge));
    const from = Number(query.get('page') ?? 0);
    const limit = Math.min(Number(query.get('limit') ?? 10), page);
    const data = found.slice(from, from + limit).map((one) => this.#shown(one));
    const more = from + limit < found.length;
    return {
      object: 'search_result',
      url: '/v1/charges/search',
      data,
      has_more: more,
      next_page: more ? String(from + limit) : null,
    };
  }

  #list(query: URLSearchParams): Json {
    const from = Number(query.get('created[gte]') ?? 0);
    const to = Number(query.get('created[lt]') ?? Number.POSITIVE_INFINITY);
    // The newest come first, a page at a time.
    const all = [...this.charges.values()].filter(({ created }) => created >= from && created < to).reverse();
    const after = query.get('starting_after');
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const limit = Number(query.get('limit') ?? 10);
    const data = all.slice(start, start + limit).map((one) => this.#shown(one));
    return { object: 'list', url: '/v1/charges', data, has_more: start + limit < all.length };
  }

  #invoicePayments(query: URLSearchParams): Json {
    const intent = query.get('payment[payment_intent]');
    const charge = [...this.charges.values()].find((one) => one.intent === intent && one.subscription !== null);
    const subscription_details = { subscription: charge?.subscription };
    const invoice = { id: 'in_1', object: 'invoice', parent: { type: 'subscription_details', subscription_details } };
    const data = charge ? [{ id: 'inpay_1', object: 'invoice_payment', invoice }] : [];
    return { object: 'list', url: '/v1/invoice_payments', data, has_more: false };
  }

  refund(form: Json): Json {
    const charge = this.#charge(String(form['charge']));
    const { reason } = form;
    const left = charge.amountCaptured - charge.amountRefunded;
    const amount = form['amount'] === undefined ? left : Number(form['amount']);
    if (!Number.isInteger(amount) || amount <= 0) throw invalid('Invalid integer', { param: 'amount' });
    if (this.#disputesOf(charge.id).some((status) => !refundable.includes(status)))
      throw invalid('Charge has been charged back.', { code: 'charge_disputed' });
    if (left === 0) throw invalid('Charge has already been refunded.', { code: 'charge_already_refunded' });
    if (amount > left) throw invalid(`Refund amount (${amount}) is greater than unrefunded amount (${left})`);
    const status =
      charge.number === refundsFail ? 'failed' : charge.number === refundsPending ? 'pending' : 'succeeded';
    if (status !== 'failed') {
      charge.amountRefunded += amount;
      this.done += 1;
    }
    const at = Math.floor(nowMilliseconds() / 1000);
    const kept = { amount, at, status, reason: reason ?? null, metadata: { ...(form['metadata'] as Json) } };
    return { ...this.#keepRefund(charge, kept) };
  }

  /**
   * Sets the bank's decision about a refund, immediately or long after it was reported as done; returns it as a webhook shows it.
   */
  decide(id: string, status: 'succeeded' | 'failed'): ChargeRefund {
    const refund = this.refunds.get(id);
    if (!refund) throw missing('refund', id);
    if (status === 'failed' && refund.status !== 'failed') this.#charge(refund.charge).amountRefunded -= refund.amount;
    return Object.assign(refund, { status, ...(status === 'failed' && { failure_reason: 'declined' }) });
  }

  cancel(id: string): Json {
    if (!this.subscriptions.delete(id)) throw missing('subscription', id);
    return { id, object: 'subscription', status: 'canceled' };
  }
}

/** States of a dispute that leave the charge refundable: inquiries, and those that took nothing in the end. */
const refundable = ['warning_needs_response', 'warning_under_review', 'warning_closed', 'won', 'prevented'];

const toChargeDto = (charge: FakeCharge, disputed: boolean): Json => ({
  ...{ id: charge.id, object: 'charge', amount: charge.amount, currency: charge.currency, created: charge.created },
  ...{ amount_captured: charge.amountCaptured, amount_refunded: charge.amountRefunded, disputed },
  ...{ captured: charge.amountCaptured > 0, status: charge.status, payment_intent: charge.intent },
  ...{ calculated_statement_descriptor: charge.descriptor, metadata: {} },
  payment_method_details: {
    type: 'card',
    card: {
      last4: charge.number.slice(-4),
      brand: charge.number.startsWith('5') ? 'mastercard' : 'visa',
      authorization_code: charge.authCode || null,
    },
  },
});
