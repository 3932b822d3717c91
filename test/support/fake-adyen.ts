import { createHmac } from 'node:crypto';
import { answerFakeDisputes, type FakeAdyenDispute } from './fake-adyen-disputes.ts';
import { type FakeReply, type FakeRequest, startFakeServer } from './fake-processor.ts';

/**
 * A stand-in of Adyen's Checkout API v71 and of its standard webhooks: it refuses wrong merchant
 * accounts and idempotency keys that come with another request; modifications are received at once and done or refused
 * later, by webhook. Its messages repeat what was sent more freely than Adyen's.
 */

type Json = Record<string, unknown>;
type Payment = {
  psp: string;
  reference: string;
  amount: number;
  currency: string;
  captured: number;
  refunded: number;
  state: 'waiting' | 'authorised' | 'cancelled' | 'refused';
  isManual: boolean;
  refundsFail: boolean;
};
export type Notice = {
  eventCode: string;
  success: boolean;
  pspReference: string;
  originalReference?: string;
  merchantReference: string;
  reason?: string;
  /** Default 2026-05-01T12:00:00+02:00. Adyen states the second of the event, not of its delivery. */
  eventDate?: string;
  /** Default 20.00 USD. */
  amount?: { value: number; currency: string };
  /** For a dispute: the fields that the signature does not cover. */
  more?: Record<string, string>;
};

/** Adyen chooses by the holder's name or additionalData; here a number does, as the tests' holder is always the same. */
const refusals: Record<string, readonly [code: string, reason: string]> = {
  '4000000000000002': ['2', 'Refused'],
  '4000000000009995': ['12', 'Not enough balance'],
  '4000000000000069': ['6', 'Expired Card'],
  '4000000000000127': ['24', 'CVC Declined'],
  '4000000000000119': ['9', 'Issuer Unavailable'],
  '4000000000006975': ['28', 'Withdrawal amount exceeded'],
  '4100000000000019': ['20', 'FRAUD'],
  '4000002500001001': ['38', 'Authentication required'],
};
const asksForAuthentication = '4000002760003184';
const staysPending = '4000000000000077';
const refundsFail = '4000000000005126';

class Refused extends Error {
  readonly reply: FakeReply;
  constructor(status: number, errorCode: string, message: string, errorType = 'validation') {
    super(message);
    this.reply = { status, body: { status, errorCode, message, errorType } };
  }
}

/** ISO 4217 but for CLP, CVE, IDR and ISK. */
const currencies = new Set(['USD', 'EUR', 'GBP', 'JPY', 'KWD', 'IQD', 'ISK', 'IDR', 'CLP', 'CVE']);

/** An account there, without a server in front of it. */
export class AdyenAccount {
  readonly apiKey = 'AQEfakeApiKeyOfAdyen';
  /** A key without the role for disputes. */
  readonly paymentsKey = 'AQEfakeApiKeyForPayments';
  /** By the PSP reference of the dispute. */
  readonly disputes = new Map<string, FakeAdyenDispute>();
  readonly merchantAccount = 'ForewarnTestCOM';
  readonly hmacKey = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
  readonly performed = { pay: 0, capture: 0, void: 0, refund: 0, payout: 0 };
  reversed = 0;
  readonly payments: Payment[] = [];
  readonly answered = new Map<string, { request: string; reply: FakeReply }>();
  readonly results = new Map<string, { payment: Payment; answer: 'approve' | 'decline' }>();
  notices: Notice[] = [];
  url = '';
  #last = 0;

  #psp(): string {
    this.#last += 1;
    return `FAKE${String(this.#last).padStart(12, '0')}`;
  }

  answer(request: FakeRequest): FakeReply {
    try {
      return this.#once(request);
    } catch (error) {
      if (error instanceof Refused) return error.reply;
      throw error;
    }
  }

  #once(request: FakeRequest): FakeReply {
    const isDispute = request.path.startsWith('/ca/services/DisputeService/v30/');
    const key = request.headers['x-api-key'];
    if (isDispute && key === this.paymentsKey) throw new Refused(403, '010', 'Not allowed', 'security');
    if (key !== this.apiKey && key !== this.paymentsKey)
      throw new Refused(401, '000', 'HTTP Status Response', 'security');
    if (request.method !== 'POST') throw new Refused(405, '000', 'Method not allowed');
    if (request.headers['content-type'] !== 'application/json') throw new Refused(415, '000', 'No JSON');
    // It changes nothing.
    if (request.path.endsWith('/paymentMethods')) return this.#do(request.path, JSON.parse(request.body) as Json);
    if (isDispute) return this.#defend(request);
    const idempotencyKey = String(request.headers['idempotency-key'] ?? '');
    if (idempotencyKey === '' || idempotencyKey.length > 64)
      throw new Refused(422, '000', 'idempotency-key is missing or too long');
    const sent = `${request.path} ${request.body}`;
    const before = this.answered.get(idempotencyKey);
    if (before && before.request !== sent) throw new Refused(422, '704', 'request already processed or in progress');
    if (before) return before.reply;
    const reply = this.#do(request.path, JSON.parse(request.body) as Json);
    const answer = { ...reply, headers: { 'idempotency-key': idempotencyKey } };
    this.answered.set(idempotencyKey, { request: sent, reply: answer });
    return answer;
  }

  #defend({ path, body }: FakeRequest): FakeReply {
    const sent = JSON.parse(body);
    if (sent.merchantAccountCode !== this.merchantAccount)
      throw new Refused(403, '901', 'Invalid Merchant Account', 'security');
    return answerFakeDisputes(this.disputes, path.split('/').at(-1) ?? '', sent);
  }

  #do(path: string, body: Json): FakeReply {
    const [, version, first, second, verb] = path.split('/');
    if (version !== 'v71') throw new Refused(404, '000', 'Not Found');
    const name = first === 'cancels' ? 'standalone' : second === 'details' ? 'details' : (verb ?? first ?? '');
    if (name !== 'details' && body['merchantAccount'] !== this.merchantAccount) {
      throw new Refused(403, '901', 'Invalid Merchant Account', 'security');
    }
    if (name === 'paymentMethods') return { status: 200, body: { paymentMethods: [{ type: 'scheme' }] } };
    if (name === 'payments') return { status: 200, body: this.#pay(body) };
    if (name === 'details') return { status: 200, body: this.#details(body) };
    if (name === 'standalone') return { status: 201, body: this.#technicalCancel(body) };
    const payment = this.payments.find(({ psp }) => psp === second);
    if (!payment) throw new Refused(422, '167', 'Original pspReference required for this operation');
    return { status: 201, body: this.#modify(payment, name, body) };
  }

  #amount(value: unknown): { currency: string; value: number } {
    const { currency, value: minor } = value as Json;
    if (!currencies.has(String(currency))) throw new Refused(422, '138', `Currency ${currency} is not supported`);
    if (typeof minor !== 'number' || !Number.isInteger(minor) || minor <= 0) {
      throw new Refused(422, '137', `Invalid amount specified: ${minor}`);
    }
    return { currency: String(currency), value: minor };
  }

  /** Fields and lengths are those of the contract. */
  #checkAddress(body: Json): void {
    const { country, postalCode, stateOrProvince } = (body['billingAddress'] ?? {}) as Json;
    if (country === 'US' && !/^\d{5}$/.test(String(postalCode))) throw new Refused(422, '000', 'postalCode');
    const needsState = country === 'US' || country === 'CA';
    if (needsState && !/^[A-Z]{2}$/.test(String(stateOrProvince))) throw new Refused(422, '135', 'stateOrProvince');
  }

  #pay(body: Json): Json {
    this.#checkAddress(body);
    const { currency, value } = this.#amount(body['amount']);
    const { number, holderName, networkPaymentReference } = body['paymentMethod'] as Json;
    if (networkPaymentReference !== undefined && body['shopperInteraction'] !== 'ContAuth') {
      throw new Refused(422, '000', 'networkPaymentReference');
    }
    if (String(number) === '4242424242424241')
      throw new Refused(422, '101', `Invalid card number ${number} ${holderName}`);
    const isManual = (body['additionalData'] as Json | undefined)?.['manualCapture'] === 'true';
    if (!isManual && body['captureDelayHours'] !== 0) throw new Refused(422, '000', 'The test says when to capture');
    const payment: Payment = {
      ...{ psp: this.#psp(), reference: String(body['reference']), amount: value, currency },
      ...{ captured: 0, refunded: 0, state: 'waiting', isManual, refundsFail: number === refundsFail },
    };
    this.payments.push(payment);
    const refusal = refusals[String(number)];
    if (refusal) return this.#refuse(payment, refusal);
    if (this.#asksForAuthentication(String(number), body)) {
      const url = `${this.url}/redirect/${payment.psp}`;
      return {
        resultCode: 'RedirectShopper',
        action: { type: 'redirect', method: 'GET', url, paymentMethodType: 'scheme' },
      };
    }
    if (number === staysPending) return { resultCode: 'Received', pspReference: payment.psp };
    return this.#authorise(payment);
  }

  #asksForAuthentication(number: string, { authenticationData, mpiData, browserInfo }: Json): boolean {
    const data = (authenticationData ?? {}) as Json;
    const { attemptAuthentication: attempt } = data;
    if (mpiData) return this.#importResult(mpiData as Json);
    const isAsked = attempt === 'always' || (attempt !== 'never' && number === asksForAuthentication);
    if (isAsked && !browserInfo) throw new Refused(422, '000', 'browserInfo is required for a redirect');
    return isAsked;
  }

  /** https://docs.adyen.com/api-explorer/Checkout/71/post/payments#request-mpiData; there is no challenge then. */
  #importResult(result: Json): false {
    // "If the transaction was frictionless, omit this parameter."
    const { directoryResponse, authenticationResponse } = result;
    if ((directoryResponse === 'C') !== (authenticationResponse !== undefined)) {
      throw new Refused(422, '000', 'authenticationResponse');
    }
    return false;
  }

  #refuse(payment: Payment, [refusalReasonCode, refusalReason]: readonly [string, string]): Json {
    payment.state = 'refused';
    this.#tell('AUTHORISATION', payment, false, refusalReason);
    const { psp: pspReference, reference: merchantReference } = payment;
    return { pspReference, resultCode: 'Refused', refusalReason, refusalReasonCode, merchantReference };
  }

  #authorise(payment: Payment): Json {
    payment.state = 'authorised';
    if (!payment.isManual) payment.captured = payment.amount;
    this.performed.pay += 1;
    this.#tell('AUTHORISATION', payment, true);
    return {
      pspReference: payment.psp,
      resultCode: 'Authorised',
      refusalReasonCode: '0',
      additionalData: { authCode: '065696', networkTxReference: '016153570198200' },
      merchantReference: payment.reference,
    };
  }

  #tell(eventCode: string, payment: Payment, success: boolean, reason = '') {
    this.notices.push({ eventCode, success, pspReference: payment.psp, merchantReference: payment.reference, reason });
  }

  #details(body: Json): Json {
    const result = this.results.get(String((body['details'] as Json)?.['redirectResult']));
    if (!result) throw new Refused(422, '14_006', 'The provided redirectResult is invalid');
    if (result.payment.state !== 'waiting') throw new Refused(422, '704', 'request already processed or in progress');
    return result.answer === 'approve'
      ? this.#authorise(result.payment)
      : this.#refuse(result.payment, ['11', '3D Not Authenticated']);
  }

  #technicalCancel(body: Json): Json {
    const payment = this.payments.find(({ reference }) => reference === body['paymentReference']);
    const pspReference = this.#psp();
    const isOpen = payment?.state === 'authorised' && payment.captured === 0;
    if (isOpen) {
      payment.state = 'cancelled';
      this.performed.void += 1;
    }
    this.notices.push({
      ...{ eventCode: 'TECHNICAL_CANCEL', success: isOpen, pspReference },
      ...{ originalReference: payment?.psp ?? '', merchantReference: String(body['reference']) },
      reason: isOpen ? '' : 'Transaction not found',
    });
    return { ...body, pspReference, status: 'received' };
  }

  #modify(payment: Payment, name: string, body: Json): Json {
    const pspReference = this.#psp();
    const reference = String(body['reference']);
    const amount = body['amount'] ? this.#amount(body['amount']) : undefined;
    if (amount && amount.currency !== payment.currency) throw new Refused(422, '137', 'Invalid amount specified');
    const [eventCode, success] = this.#apply(payment, name, amount?.value ?? 0);
    const about = { pspReference, originalReference: payment.psp, merchantReference: reference };
    this.notices.push({ eventCode, success, ...about, reason: success ? '' : 'Insufficient balance on payment' });
    if (eventCode === 'REFUND' && payment.refundsFail) {
      payment.refunded -= amount?.value ?? 0;
      this.notices.push({ eventCode: 'REFUND_FAILED', success: true, ...about });
    }
    return { ...body, paymentPspReference: payment.psp, pspReference, status: 'received' };
  }

  #apply(payment: Payment, name: string, value: number): [eventCode: string, success: boolean] {
    const { state, amount, captured, refunded } = payment;
    if (name === 'captures') {
      const can = state === 'authorised' && captured === 0 && value <= amount;
      if (can) {
        payment.captured = value;
        this.performed.capture += 1;
      }
      return ['CAPTURE', can];
    }
    if (name === 'refunds') {
      const can = state === 'authorised' && value <= captured - refunded;
      if (can) {
        payment.refunded += value;
        this.performed.refund += 1;
      }
      return ['REFUND', can];
    }
    if (name === 'cancels') {
      const can = state === 'authorised' && captured === 0;
      if (can) {
        payment.state = 'cancelled';
        this.performed.void += 1;
      }
      return ['CANCELLATION', can];
    }
    const can = state === 'authorised' && refunded === 0;
    if (can) {
      this.reversed += 1;
      payment.refunded = captured;
      if (captured === 0) payment.state = 'cancelled';
    }
    return ['CANCEL_OR_REFUND', can];
  }

  /** Plays the payer at the issuer's page; returns the parameters with which they return. */
  authenticate(url: string, answer: 'approve' | 'decline'): string {
    const payment = this.payments.find(({ psp }) => url.endsWith(psp));
    if (!payment) throw new Error('No such page');
    const result = `X-result-${payment.psp}-${answer}`;
    this.results.set(result, { payment, answer });
    return result;
  }

  /** Webhooks that are still to be sent, taken out. */
  takeWebhooks() {
    return this.notices.splice(0).map((notice) => this.sign([notice]));
  }

  /** Has payments that go on by themselves end. */
  finishPending() {
    for (const payment of this.payments) if (payment.state === 'waiting') this.#authorise(payment);
  }

  sign(notices: readonly Notice[], change: { merchantAccount?: string; hmacKey?: string } = {}) {
    const { merchantAccount = this.merchantAccount, hmacKey = this.hmacKey } = change;
    const notificationItems = notices.map(
      ({ success, originalReference = '', more = {}, amount: stated, ...notice }) => {
        const amount = stated ?? { value: 2000, currency: 'USD' };
        const signed = [
          ...[notice.pspReference, originalReference, merchantAccount, notice.merchantReference, amount.value],
          ...[amount.currency, notice.eventCode, String(success)],
        ].join(':');
        const hmacSignature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signed).digest('base64');
        const eventDate = '2026-05-01T12:00:00+02:00';
        const item = { eventDate, ...notice, success: String(success), merchantAccountCode: merchantAccount, amount };
        const original = originalReference === '' ? {} : { originalReference };
        return { NotificationRequestItem: { ...item, ...original, additionalData: { hmacSignature, ...more } } };
      },
    );
    const headers = { 'content-type': 'application/json' };
    return { headers, rawBody: JSON.stringify({ live: 'false', notificationItems }) };
  }
}

export const startFakeAdyen = async () => {
  const account = new AdyenAccount();
  const server = await startFakeServer({
    vendor: 'adyen',
    answer: (request) => account.answer(request),
    failure: (status) => ({ status, errorCode: '905', message: 'Something went wrong', errorType: 'internal' }),
  });
  return Object.assign(account, server);
};

export type FakeAdyen = Awaited<ReturnType<typeof startFakeAdyen>>;
