import { createHmac } from 'node:crypto';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { type FakeReply, type FakeRequest, startFakeServer } from './fake-processor.ts';
import { FakeCharges, findRight, StripeRefused as Refused, type StripeRight } from './fake-stripe-charges.ts';
import { FakeDisputes, fileIn } from './fake-stripe-disputes.ts';
import { FakeEndpoints } from './fake-stripe-endpoints.ts';
import { FakeSignIns } from './fake-stripe-sign-ins.ts';

/**
 * A stand-in of Stripe's API as far as payments by card go, as strict as https://docs.stripe.com/api: it refuses parameters
 * that do not exist, states that do not allow what is asked, and an idempotency key that comes with another request. Its
 * messages repeat what was sent more freely than Stripe's, so that a test sees whether they are passed on.
 */

type Json = Record<string, unknown>;
type Intent = Json & {
  id: string;
  amount: number;
  amount_received: number;
  currency: string;
  status: string;
  created: number;
  metadata: Record<string, string>;
  refunded: number;
  number: string;
};
type Refund = Json & {
  id: string;
  payment_intent: string;
  amount: number;
  status: string;
  metadata: Record<string, string>;
};

/** https://docs.stripe.com/testing */
const declines: Record<string, { code: string; decline_code?: string }> = {
  '4000000000000002': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000000000009995': { code: 'card_declined', decline_code: 'insufficient_funds' },
  '4000000000009987': { code: 'card_declined', decline_code: 'lost_card' },
  '4000000000009979': { code: 'card_declined', decline_code: 'stolen_card' },
  '4000000000006975': { code: 'card_declined', decline_code: 'card_velocity_exceeded' },
  '4100000000000019': { code: 'card_declined', decline_code: 'fraudulent' },
  '4000000000000069': { code: 'expired_card', decline_code: 'expired_card' },
  '4000000000000127': { code: 'incorrect_cvc', decline_code: 'incorrect_cvc' },
  '4000000000000119': { code: 'processing_error', decline_code: 'processing_error' },
};
const asksForAuthentication = '4000002760003184';
/** Its issuer wants an authentication even where one took place before. */
const asksInAnyCase = '4000008260003178';
const refundFailsLater = '4000000000005126';
const refundSucceedsLater = '4000000000007726';

const zeroDecimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const threeDecimal = new Set('bhd jod kwd omr tnd'.split(' '));
const wholeOnly = new Set(['isk', 'ugx']);
const twoDecimal = new Set('usd eur gbp aud cad chf huf twd sek'.split(' '));

const invalid = (message: string, more: Json = {}) =>
  new Refused(400, { type: 'invalid_request_error', message, ...more });

/** `card[number]=…` and `expand[0]=…` as objects. */
const readForm = (body: string): Json => {
  const form: Json = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    let at = form;
    for (const part of path.slice(0, -1)) {
      at[part] ??= {};
      at = at[part] as Json;
    }
    at[path.at(-1) ?? ''] = value;
  }
  return form;
};

/** "must be at most 20 characters"; https://docs.stripe.com/error-codes (email_invalid, 2026-11-28) */
const checkBilling = ({ phone, email, address }: Json): void => {
  if (String(phone ?? '').length > 20) throw invalid('Invalid string', { param: 'billing_details[phone]' });
  const isMail = email === undefined || /^[^\s@.]+(?:\.[^\s@.]+)*@[\x21-\x7e]+$/.test(String(email));
  if (!isMail) throw invalid('Invalid email address', { code: 'email_invalid', param: 'billing_details[email]' });
  const { country = 'US' } = (address ?? {}) as Json;
  if (!/^[A-Z]{2}$/.test(String(country))) throw invalid('Country', { param: 'billing_details[address][country]' });
};
const integer = (value: unknown, param: string): number => {
  if (!/^[1-9]\d*$/.test(String(value))) {
    throw invalid(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param });
  }
  return Number(value);
};

/** An account there, without a server in front of it. */
export class StripeAccount {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Stripe enables `mit_exemption` only for accounts that ask for it. */
  isExemptionEnabled = false;
  /** The operations that it performed, not those that were requested. */
  readonly performed = { pay: 0, capture: 0, void: 0, refund: 0, payout: 0 };
  readonly methods = new Map<string, { number: string }>();
  readonly intents = new Map<string, Intent>();
  readonly refunds = new Map<string, Refund>();
  readonly answered = new Map<string, { request: string; reply: FakeReply }>();
  readonly disputes = new FakeDisputes();
  /** Charges that others took here, and what became of them. */
  readonly elsewhere = new FakeCharges((charge) => this.disputes.statusesOf(charge));
  readonly endpoints = new FakeEndpoints();
  readonly restricted = new Map<string, readonly StripeRight[]>();
  readonly signIns: FakeSignIns;
  url = '';
  #last = 0;

  /** `name`: what its keys end with, where there are several accounts. */
  constructor(name = '') {
    this.secretKey = `sk_test_ABCDEFGHIJKLMNOPQRSTUVWX${name}`;
    this.webhookSecret = `whsec_abcdefghijklmnopqrstuvwx${name}`;
    this.signIns = new FakeSignIns(this.secretKey);
  }

  /** A restricted key that has these rights only. */
  restrictedKey(...rights: StripeRight[]): string {
    const key = `rk_test_${rights.join('')}${this.restricted.size}`;
    this.restricted.set(key, rights);
    return key;
  }

  #id(prefix: string): string {
    this.#last += 1;
    return `${prefix}_3Fake${String(this.#last).padStart(12, '0')}`;
  }

  answer(request: FakeRequest): FakeReply {
    const headers = { 'request-id': this.#id('req') };
    try {
      this.#authenticate(request);
      if (!/^\d{4}-\d\d-\d\d\.\w+$/.test(String(request.headers['stripe-version']))) throw invalid('No Stripe-Version');
      if (request.method === 'GET') return { status: 200, body: this.#read(request), headers };
      if (request.method === 'DELETE') return { status: 200, body: this.#delete(request.path), headers };
      return this.#once(request, headers);
    } catch (error) {
      return this.#refusal(error, headers);
    }
  }

  #authenticate({ headers, method, path }: FakeRequest): void {
    const key = String(headers.authorization ?? '').replace(/^Bearer /, '');
    if (key === this.secretKey) return;
    const rights = this.restricted.get(key);
    if (!rights) {
      throw new Refused(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_****' });
    }
    const needed = findRight(method, path);
    if (needed === undefined || !rights.includes(needed)) {
      const message = `The provided key '${key}' does not have the required permissions for this endpoint.`;
      throw new Refused(403, { type: 'invalid_request_error', code: 'more_permissions_required', message });
    }
  }

  #delete(path: string): Json {
    const [, id] = /^\/v1\/subscriptions\/(\w+)$/.exec(path) ?? [];
    if (id) return this.elsewhere.cancel(id);
    const [, endpoint] = /^\/v1\/webhook_endpoints\/(\w+)$/.exec(path) ?? [];
    if (endpoint) return this.endpoints.remove(endpoint);
    throw new Refused(404, { type: 'invalid_request_error', message: `Unrecognized request URL (DELETE: ${path}).` });
  }

  #refusal(error: unknown, headers: Record<string, string>): FakeReply {
    if (!(error instanceof Refused)) throw error;
    return { status: error.status, body: { error: error.error }, headers };
  }

  /** https://docs.stripe.com/api/idempotent_requests: what was begun is answered the same again, also what failed. */
  #once(request: FakeRequest, headers: Record<string, string>): FakeReply {
    const type = String(request.headers['content-type']);
    const isUpload = request.path === '/v1/files';
    if (!(isUpload ? /^multipart\/form-data;/ : /^application\/x-www-form-urlencoded$/).test(type))
      throw invalid('Not a form');
    const key = String(request.headers['idempotency-key'] ?? '');
    if (key === '' || key.length > 255) throw invalid('An idempotency key is missing or too long');
    const sent = `${request.path}?${isUpload ? JSON.stringify(fileIn(request.body, type)) : request.body}`;
    const before = this.answered.get(key);
    if (before && before.request !== sent) {
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.';
      throw new Refused(400, { type: 'idempotency_error', message });
    }
    if (before) return { ...before.reply, headers: { ...headers, 'idempotent-replayed': 'true' } };
    let reply: FakeReply;
    try {
      const body = isUpload
        ? this.disputes.upload(request.body, type)
        : this.#change(request.path, readForm(request.body));
      reply = { status: 200, body, headers };
    } catch (error) {
      reply = this.#refusal(error, headers);
    }
    this.answered.set(key, { request: sent, reply: structuredClone(reply) });
    return reply;
  }

  #change(path: string, form: Json): Json {
    const [, , endpoint = '', id = '', verb = ''] = path.split('/');
    if (endpoint === 'payment_intents' && (verb === 'capture' || verb === 'cancel')) {
      return verb === 'capture' ? this.#capture(this.#intent(id), form) : this.#cancel(this.#intent(id), form);
    }
    if (endpoint === 'refunds' && id === '' && 'charge' in form) return this.elsewhere.refund(form);
    if (path === '/v1/webhook_endpoints') return this.endpoints.create(form);
    const disputed = this.disputes.change(path, form);
    if (disputed) return disputed;
    if (endpoint === 'payment_methods' && id === '') return this.#keepCard(form);
    if (endpoint === 'payment_intents' && id === '') return this.#pay(form);
    if (endpoint === 'refunds' && id === '') return this.#refund(form);
    throw new Refused(404, { type: 'invalid_request_error', message: `Unrecognized request URL (POST: ${path}).` });
  }

  #intent(id: string): Intent {
    const intent = this.intents.get(id);
    if (intent) return intent;
    const error = {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such payment_intent: '${id}'`,
    };
    throw new Refused(404, error);
  }

  #keepCard({ type, card, billing_details }: Json): Json {
    if (type !== 'card') throw invalid('Only cards', { param: 'type' });
    checkBilling((billing_details ?? {}) as Json);
    const { number } = card as Json;
    if (!/^\d{12,19}$/.test(String(number)) || String(number) === '4242424242424241') {
      const message = `Your card number ${number} is incorrect.`;
      throw new Refused(402, { type: 'card_error', code: 'incorrect_number', param: 'number', message });
    }
    const id = this.#id('pm');
    this.methods.set(id, { number: String(number) });
    return { id, object: 'payment_method', type, billing_details, card: { last4: String(number).slice(-4) } };
  }

  #amount(value: unknown, currency: string): number {
    const amount = integer(value, 'amount');
    const isKnown = [zeroDecimal, threeDecimal, wholeOnly, twoDecimal].some((group) => group.has(currency));
    if (!isKnown) throw invalid(`Invalid currency: ${currency}`, { param: 'currency' });
    if (threeDecimal.has(currency) && amount % 10 !== 0) throw invalid('The last digit must be 0', { param: 'amount' });
    if (wholeOnly.has(currency) && amount % 100 !== 0) throw invalid('Only whole amounts', { param: 'amount' });
    if (amount > 99_999_999) throw invalid('Too large', { code: 'amount_too_large', param: 'amount' });
    return amount;
  }

  #pay(form: Json): Json {
    const currency = String(form['currency']);
    const amount = this.#amount(form['amount'], currency);
    if (amount < 50) throw invalid('Amount must be at least 50', { code: 'amount_too_small', param: 'amount' });
    const method = this.methods.get(String(form['payment_method']));
    if (!method) throw invalid('No such PaymentMethod', { code: 'resource_missing', param: 'payment_method' });
    if (form['confirm'] !== 'true' || !/^https?:/.test(String(form['return_url']))) throw invalid('Not confirmed');
    if ((form['allowed_payment_method_types'] as Json)?.['0'] !== 'card') throw invalid('Not for cards');
    const suffix = form['statement_descriptor_suffix'];
    if (suffix !== undefined && (!/[a-z]/i.test(String(suffix)) || /[<>\\'"*]/.test(String(suffix)))) {
      throw invalid(`The statement descriptor suffix ${suffix} is invalid`, { param: 'statement_descriptor_suffix' });
    }
    const intent: Intent = {
      id: this.#id('pi'),
      object: 'payment_intent',
      ...{ amount, amount_received: 0, currency, status: 'requires_payment_method', refunded: 0 },
      created: Math.floor(nowMilliseconds() / 1000),
      metadata: { ...(form['metadata'] as Record<string, string>) },
      capture_method: form['capture_method'],
      last_payment_error: null,
      next_action: null,
      latest_charge: null,
      number: method.number,
    };
    this.intents.set(intent.id, intent);
    const decline = declines[method.number];
    if (decline) throw this.#declined(intent, decline);
    if (this.#asksForAuthentication(method.number, form['payment_method_options'] as Json | undefined)) {
      if (form['error_on_requires_action'] === 'true') {
        throw this.#declined(intent, { code: 'authentication_required', decline_code: 'authentication_required' });
      }
      intent.status = 'requires_action';
      intent['next_action'] = { type: 'redirect_to_url', redirect_to_url: { url: `${this.url}/3ds/${intent.id}` } };
      return this.#shown(intent);
    }
    this.#authorise(intent);
    return this.#shown(intent);
  }

  #asksForAuthentication(number: string, options: Json = {}): boolean {
    const { three_d_secure, request_three_d_secure: request, mit_exemption, ...rest } = (options['card'] ?? {}) as Json;
    const refused = mit_exemption !== undefined && !this.isExemptionEnabled ? ['card[mit_exemption]'] : [];
    const [unknown] = [...Object.keys(options).filter((name) => name !== 'card'), ...Object.keys(rest), ...refused];
    if (unknown) throw invalid(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown' });
    if (request !== undefined && !['any', 'automatic', 'challenge'].includes(String(request))) {
      throw invalid('Invalid request_three_d_secure', { param: 'payment_method_options' });
    }
    if (three_d_secure && request !== undefined) throw invalid('Either the result of 3DS or a request for it');
    if (number === asksInAnyCase) return true;
    return !three_d_secure && (number === asksForAuthentication || request === 'any' || request === 'challenge');
  }

  #declined(intent: Intent, decline: Json): Refused {
    const error = { type: 'card_error', ...decline, message: `Your card ${intent.number} was declined.` };
    intent['last_payment_error'] = error;
    return new Refused(402, { ...error, charge: this.#id('ch'), payment_intent: this.#shown(intent) });
  }

  #authorise(intent: Intent) {
    this.performed.pay += 1;
    intent['next_action'] = null;
    intent['latest_charge'] = {
      id: this.#id('ch'),
      object: 'charge',
      payment_method_details: {
        card: { authorization_code: '123456', network_transaction_id: '016153570198200' },
      },
    };
    intent.status = intent['capture_method'] === 'manual' ? 'requires_capture' : 'succeeded';
    if (intent.status === 'succeeded') intent.amount_received = intent.amount;
  }

  /** Returns the public form: never the number, and the charge as an identifier, which is what an unexpanded one is. */
  #shown({ number: _number, refunded: _refunded, ...intent }: Intent, isExpanded = true): Json {
    const charge = intent['latest_charge'] as Json | null;
    return { ...structuredClone(intent), latest_charge: isExpanded ? charge : (charge?.['id'] ?? null) };
  }

  #unexpected(intent: Intent, verb: string): Refused {
    const message = `This PaymentIntent could not be ${verb} because it has a status of ${intent.status}.`;
    return invalid(message, { code: 'payment_intent_unexpected_state', payment_intent: this.#shown(intent) });
  }

  #capture(intent: Intent, form: Json): Json {
    if (intent.status !== 'requires_capture') throw this.#unexpected(intent, 'captured');
    const amount = this.#amount(form['amount_to_capture'], intent.currency);
    if (amount > intent.amount) throw invalid('Too much', { code: 'amount_too_large', param: 'amount_to_capture' });
    intent.amount_received = amount;
    intent.status = 'succeeded';
    this.performed.capture += 1;
    return this.#shown(intent, false);
  }

  #cancel(intent: Intent, form: Json): Json {
    if (['succeeded', 'canceled', 'processing'].includes(intent.status)) throw this.#unexpected(intent, 'canceled');
    intent.status = 'canceled';
    intent['cancellation_reason'] = form['cancellation_reason'] ?? null;
    this.performed.void += 1;
    return this.#shown(intent, false);
  }

  #refund(form: Json): Json {
    const intent = this.#intent(String(form['payment_intent']));
    if (intent.status !== 'succeeded') {
      throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
    }
    const amount = this.#amount(form['amount'], intent.currency);
    const left = intent.amount_received - intent.refunded;
    if (left === 0) throw invalid('Charge has already been refunded.', { code: 'charge_already_refunded' });
    if (amount > left) throw invalid(`Refund amount (${amount}) is greater than unrefunded amount (${left})`);
    intent.refunded += amount;
    this.performed.refund += 1;
    const goesOn = intent.number === refundFailsLater || intent.number === refundSucceedsLater;
    const refund: Refund = {
      id: this.#id('re'),
      object: 'refund',
      ...{ amount, currency: intent.currency, created: Math.floor(nowMilliseconds() / 1000) },
      payment_intent: intent.id,
      status: goesOn ? 'pending' : 'succeeded',
      metadata: { ...(form['metadata'] as Record<string, string>) },
      destination_details: { type: 'card', card: { reference: '74849484848484848484848', type: 'refund' } },
    };
    this.refunds.set(refund.id, refund);
    return { ...refund };
  }

  #read({ path, query }: FakeRequest): Json {
    if (path === '/v1/webhook_endpoints') return this.endpoints.read();
    const known = this.disputes.read(path, query) ?? this.elsewhere.read(path, query);
    if (known) return known;
    const [, , endpoint = '', id = ''] = path.split('/');
    if (endpoint === 'balance') {
      const available = [
        { amount: 12345, currency: 'usd', source_types: { card: 12345 } },
        { amount: 500, currency: 'isk', source_types: { card: 500 } },
        { amount: -70, currency: 'jpy', source_types: { card: -70 } },
      ];
      return { object: 'balance', available, pending: [{ amount: 200, currency: 'usd', source_types: { card: 200 } }] };
    }
    if (endpoint === 'payment_intents') {
      if (id) return this.#shown(this.#intent(id), [...query.values()].includes('latest_charge'));
      const [from, to] = ['created[gte]', 'created[lte]'].map((name) => Number(query.get(name)));
      const found = [...this.intents.values()].filter(({ created }) => created >= (from ?? 0) && created <= (to ?? 0));
      return this.#page(found.map((intent) => this.#shown(intent)).reverse() as (Json & { id: string })[], query, path);
    }
    if (endpoint !== 'refunds') throw new Refused(404, { type: 'invalid_request_error', message: 'No such URL' });
    if (!id) {
      const of = [...this.refunds.values()].filter((refund) => refund.payment_intent === query.get('payment_intent'));
      return this.#page(of.reverse(), query, path);
    }
    const refund = this.refunds.get(id);
    if (refund) return { ...refund };
    throw new Refused(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such refund: '${id}'`,
    });
  }

  #page(items: readonly (Json & { id: string })[], query: URLSearchParams, url: string): Json {
    const after = query.get('starting_after');
    const start = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1;
    const limit = Number(query.get('limit') ?? 10);
    if (limit > 100) throw invalid('Limit is at most 100', { param: 'limit' });
    const data = items.slice(start, start + limit);
    return { object: 'list', url, data, has_more: start + limit < items.length };
  }

  authenticate(url: string, answer: 'approve' | 'decline') {
    const intent = this.#intent(url.split('/').at(-1) ?? '');
    if (intent.status !== 'requires_action') throw new Error(`The payment is ${intent.status}`);
    if (answer === 'approve') this.#authorise(intent);
    else {
      intent.status = 'requires_payment_method';
      intent['next_action'] = null;
      intent['last_payment_error'] = { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' };
    }
  }

  /** Has refunds that go on by themselves end. */
  settle() {
    for (const refund of this.refunds.values()) {
      if (refund.status !== 'pending') continue;
      const intent = this.#intent(refund.payment_intent);
      const fails = intent.number === refundFailsLater;
      refund.status = fails ? 'failed' : 'succeeded';
      if (fails) {
        intent.refunded -= refund.amount;
        refund['failure_reason'] = 'expired_or_canceled_card';
      }
    }
  }

  /** The references of a payment's refunds. */
  refundsOf(payment: string): string[] {
    return [...this.refunds.values()].filter((one) => one.payment_intent === payment).map(({ id }) => id);
  }

  /** Has the bank return a completed refund; returns it as a webhook shows it. */
  returnRefund(reference: string): Json {
    const refund = this.refunds.get(reference);
    if (refund?.status !== 'succeeded') throw new Error(`The refund is ${refund?.status}`);
    this.#intent(refund.payment_intent).refunded -= refund.amount;
    return Object.assign(refund, { status: 'failed', failure_reason: 'declined' });
  }

  webhook(object: Json, at = nowMilliseconds()) {
    const rawBody = JSON.stringify({
      id: this.#id('evt'),
      object: 'event',
      type: 'payment_intent.succeeded',
      created: Math.floor(at / 1000),
      data: { object },
    });
    const time = Math.floor(at / 1000);
    const signature = createHmac('sha256', this.endpoints.secret ?? this.webhookSecret)
      .update(`${time}.${rawBody}`)
      .digest('hex');
    return { headers: { 'stripe-signature': `t=${time},v1=${signature},v0=${'0'.repeat(64)}` }, rawBody };
  }
}

const failures: Record<number, Json> = {
  409: { type: 'invalid_request_error', code: 'idempotency_key_in_use' },
  429: { type: 'invalid_request_error', code: 'rate_limit' },
  500: { type: 'api_error' },
};

export const startFakeStripe = async () => {
  const account = new StripeAccount();
  const server = await startFakeServer({
    vendor: 'stripe',
    answer: (request) => (request.path.startsWith('/oauth/') ? account.signIns : account).answer(request),
    nameCall: ({ method, path }) => `${method} ${path}`,
    failure: (status) => ({ error: { message: 'Something went wrong', ...failures[status] } }),
  });
  return Object.assign(account, server);
};

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;
