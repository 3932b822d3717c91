import { createHash, createHmac } from 'node:crypto';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { runAgainstSchema } from './fake-braintree-schema.ts';
import { type FakeReply, type FakeRequest, startFakeServer } from './fake-processor.ts';
import { formPartsOf } from './form-parts.ts';

/**
 * A stand-in of Braintree's GraphQL API as far as cards go, as strict as its schema (fake-braintree.graphql) and its documents: errors
 * come with status 200; fields, arguments and selections that do not exist are refused, refunds before settlement and of more than
 * there is too; it answers what is asked for and nothing else, and knows no idempotency keys. Its messages repeat what was sent.
 */

type Json = Record<string, unknown>;
type Money = { minor: number; currency: string };
export type BraintreeRecord = Money & {
  id: string;
  orderId: string;
  status: string;
  createdAt: number;
  number: string;
  source: string;
  descriptor: string;
  arn: string;
  /** Replaces `createdAt`, where it reports the transaction. */
  toldAt?: string;
  history: Json[];
  refunds: BraintreeRefundRecord[];
  disputes: Json[];
};
type BraintreeRefundRecord = Money & {
  id: string;
  orderId: string;
  status: string;
  createdAt: number;
  toldAt?: string;
};

const declines: Record<string, string> = {
  '4000000000000002': '2038',
  '4000000000009995': '2001',
  '4000000000009987': '2012',
  '4000000000009979': '2013',
  '4000000000000069': '2004',
  '4000000000000127': '2010',
  '4000000000000119': '3000',
  '4000000000006975': '2002',
  '4100000000000019': '2014',
  '4000002500001001': '2099',
};
const refundsFail = '4000000000005126';
/** Merchant accounts, and their currencies. */
const accounts: Record<string, string> = { shop_usd: 'USD', shop_eur: 'EUR', shop_jpy: 'JPY' };
const exponents: Record<string, number> = { USD: 2, EUR: 2, JPY: 0 };

/** The kind of event by which a payment came to a status. */
const events: Record<string, string> = {
  AUTHORIZED: 'AuthorizedEvent',
  AUTHORIZATION_EXPIRED: 'AuthorizationExpiredEvent',
  PROCESSOR_DECLINED: 'ProcessorDeclinedEvent',
  SETTLED: 'SettledEvent',
  SUBMITTED_FOR_SETTLEMENT: 'SubmittedForSettlementEvent',
  VOIDED: 'VoidedEvent',
};
/** The version of the API that this speaks: how countries are written depends on it. */
const version = '2019-01-01';

class Refused extends Error {
  readonly errorClass: string;
  readonly legacyCode: string | undefined;
  constructor(errorClass: string, message: string, legacyCode?: string) {
    super(message);
    this.errorClass = errorClass;
    this.legacyCode = legacyCode;
  }
}
const invalid = (message: string, legacyCode: string) => new Refused('VALIDATION', message, legacyCode);

/** https://developer.paypal.com/braintree/docs/reference/general/validation-errors/all (Address, 2026-11-28) */
const checkAddress = (address: Json): void => {
  const { postalCode, countryCodeAlpha2, ...texts } = address;
  if (Object.values(address).includes('')) throw invalid('Address cannot be blank.', '81801');
  if (Object.values(texts).some((text) => String(text).length > 255)) throw invalid('Locality is too long.', '81807');
  if (countryCodeAlpha2 !== undefined && !/^[A-Z]{2}$/.test(String(countryCodeAlpha2)))
    throw invalid('Country', '91814');
  if (postalCode === undefined) return;
  if (!/^[a-z\d][a-z\d -]*$/i.test(String(postalCode))) throw invalid('Postal code', '81813');
  if (String(postalCode).replace(/[ -]/g, '').length > 9) throw invalid('Postal code is too long', '81809');
};

const globalId = (type: 'transaction' | 'refund' | 'dispute', id: string): string =>
  Buffer.from(`${type}_${id}`).toString('base64');
const toAmount = ({ minor, currency }: Money): string => {
  const exponent = exponents[currency] ?? 2;
  return (minor / 10 ** exponent).toFixed(exponent);
};
const toStamp = (at: number): string => `${new Date(at).toISOString().slice(0, -1)}000Z`;

/** Returns an error as the API shows it; an unintended one is the stand-in's own. */
const toErrorDto = (error: unknown, message: string): Json => {
  if (error instanceof Refused) {
    const { errorClass, legacyCode } = error;
    const extensions = { errorClass, ...(legacyCode && { legacyCode, errorType: 'user_error' }) };
    return { message: error.message, extensions };
  }
  if (error !== undefined) throw error;
  // The schema itself refuses.
  return { message, extensions: { errorClass: 'VALIDATION', errorType: 'developer_error' } };
};

type BraintreeFile = { name: string; type: string; content: string };

/** The parts of a request: a document, and the file of one that is sent as a form. */
const readUpload = (request: FakeRequest): { operations: string; file?: BraintreeFile } => {
  const parts = formPartsOf(request);
  if (!parts) return { operations: request.body };
  const [operations, map, file] = parts;
  if (operations?.name !== 'operations' || map?.name !== 'map' || !file)
    throw new Refused('VALIDATION', 'A form has operations, a map and a file, in this order');
  if ((JSON.parse(map.content) as Json)[file.name] !== 'variables.file')
    throw new Refused('VALIDATION', 'The map does not name the file');
  const { file: name, type, content } = file;
  if (!['application/pdf', 'image/png', 'image/jpeg'].includes(type))
    throw new Refused('VALIDATION', 'Not a PDF or image');
  return { operations: operations.content, file: { name, type, content } };
};

type Search = { input: Json; after?: unknown };

const page = (nodes: readonly Json[], { after }: Search): Json => {
  const start = after ? Number(Buffer.from(String(after), 'base64').toString()) : 0;
  const end = start + 50;
  const pageInfo = { hasNextPage: end < nodes.length, endCursor: Buffer.from(String(end)).toString('base64') };
  return { edges: nodes.slice(start, end).map((node) => ({ node })), pageInfo };
};

type BraintreeCharge = Partial<BraintreeRecord> & { minor: number; number: string; capture?: boolean };

class Account {
  readonly publicKey = 'v4ndq314c2s5c28r';
  readonly privateKey = '7dd7253c4c53d675f15e869212659579';
  /** That of a user who may look and may not move money. */
  readonly readOnlyKey = 'readonlyv4ndq314';
  readonly merchantAccounts = Object.fromEntries(Object.entries(accounts).map(([id, currency]) => [currency, id]));
  readonly performed = { pay: 0, capture: 0, void: 0, refund: 0, payout: 0 };
  readonly records = new Map<string, BraintreeRecord>();
  readonly tokens = new Map<string, string>();
  /** For how many milliseconds searches do not show what has just been done. */
  lag = 0;
  /** True if what is captured counts as settled at once. */
  settlesAtOnce = false;
  #last = 100_000;

  #id(): string {
    this.#last += 1;
    return `b${this.#last.toString(36)}x`;
  }

  answer(request: FakeRequest): FakeReply {
    if (request.path !== '/graphql') return { status: 404, body: 'Not Found' };
    const extensions = { requestId: 'b7a3f1f2-6c6a-4a0e-9f2c-1d1a5b1e1c55' };
    try {
      const isReader = this.#authenticate(request);
      const { operations, file } = readUpload(request);
      const { query, variables } = JSON.parse(operations) as { query: string; variables?: Json };
      const root = this.#root(isReader, file);
      const { data, errors } = runAgainstSchema({ query, variables: variables ?? {}, root });
      if (errors.length === 0) return { status: 200, body: { data, extensions } };
      const refusals = errors.map(({ message, cause }) => toErrorDto(cause, message));
      return { status: 200, body: { data, errors: refusals, extensions } };
    } catch (error) {
      return { status: 200, body: { data: null, errors: [toErrorDto(error, '')], extensions } };
    }
  }

  /** Returns the resolvers of a query or a mutation. */
  #root(isReader: boolean, file: BraintreeFile | undefined) {
    const changing =
      <T>(act: (input: Json) => T) =>
      ({ input }: { input: Json }): T => {
        if (!isReader) return act(input);
        const words = 'The current API key does not have the permissions required for this action.';
        throw new Refused('AUTHORIZATION', words);
      };
    return {
      ping: 'pong',
      idFromLegacyId: ({ legacyId, type }: Json) =>
        globalId(type === 'REFUND' ? 'refund' : type === 'DISPUTE' ? 'dispute' : 'transaction', String(legacyId)),
      node: ({ id }: Json) => this.#node(String(id)),
      search: {
        transactions: (asked: Search) =>
          page(
            this.#found(asked.input).map((one) => this.#shown(one)),
            asked,
          ),
        refunds: (asked: Search) => page(this.#refundsFound(asked.input), asked),
        disputes: (asked: Search) => page(this.#disputesFound(asked.input), asked),
      },
      tokenizeCreditCard: ({ input }: { input: Json }) => ({ paymentMethod: { id: this.#keepCard(input) } }),
      chargeCreditCard: changing((input) => ({ transaction: this.#shown(this.#pay(input, true)) })),
      authorizeCreditCard: changing((input) => ({ transaction: this.#shown(this.#pay(input, false)) })),
      captureTransaction: changing((input) => ({
        transaction: this.#shown(this.#capture(this.#record(input), input)),
      })),
      refundTransaction: changing((input) => ({
        refund: toRefundDto(this.#refund(this.#record(input), (input['refund'] ?? {}) as Json)),
      })),
      reverseTransaction: changing((input) => ({ reversal: this.#reverse(this.#record(input)) })),
      createDisputeTextEvidence: changing((input) => ({ evidence: this.#addEvidence('DisputeTextEvidence', input) })),
      createDisputeFileEvidence: changing((input) => {
        if (!file) throw new Refused('VALIDATION', 'A file is required.');
        return { evidence: this.#addEvidence('DisputeFileEvidence', { ...input, file }) };
      }),
      deleteDisputeEvidence: changing((input) => this.#deleteEvidence(input)),
      finalizeDispute: changing((input) => ({ dispute: this.#endDispute(input, 'DISPUTED') })),
      acceptDispute: changing((input) => ({ dispute: this.#endDispute(input, 'ACCEPTED') })),
    };
  }

  #authenticate({ method, headers }: FakeRequest): boolean {
    const sent = Buffer.from(String(headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    const isKnown = [this.publicKey, this.readOnlyKey].some((key) => sent === `${key}:${this.privateKey}`);
    if (!isKnown) throw new Refused('AUTHENTICATION', 'Authentication failed. Check your credentials.');
    if (
      method !== 'POST' ||
      !/^(?:application\/json$|multipart\/form-data; boundary=)/.test(headers['content-type'] ?? '')
    )
      throw new Refused('VALIDATION', 'Neither JSON nor a form');
    if (headers['braintree-version'] !== version) throw new Refused('VALIDATION', 'Another version');
    return sent.startsWith(this.readOnlyKey);
  }

  #keepCard({ creditCard }: Json): string {
    const id = Buffer.from(`tokencc_${this.#id()}`).toString('base64');
    checkAddress(((creditCard as Json)['billingAddress'] ?? {}) as Json);
    this.tokens.set(id, String((creditCard as Json)['number']));
    return id;
  }

  #record({ transactionId }: Json): BraintreeRecord {
    const found = [...this.records.values()].find(({ id }) => globalId('transaction', id) === transactionId);
    if (!found) throw new Refused('NOT_FOUND', `Transaction ${transactionId} was not found`, '91568');
    return found;
  }

  #minor(value: unknown, currency: string): number {
    const exponent = exponents[currency] ?? 2;
    const pattern = exponent === 0 ? /^[1-9]\d*$/ : /^(?:0|[1-9]\d*)\.\d\d$/;
    if (!pattern.test(String(value)) || Number(value) <= 0)
      throw invalid(`Amount ${value} is an invalid format.`, '81503');
    return Math.round(Number(value) * 10 ** exponent);
  }

  #pay({ paymentMethodId, transaction }: Json, capture: boolean): BraintreeRecord {
    const { amount, merchantAccountId, orderId, descriptor } = transaction as Json;
    const currency = accounts[String(merchantAccountId)];
    if (!currency) throw invalid(`Merchant account ID ${merchantAccountId} is invalid.`, '91513');
    const minor = this.#minor(amount, currency);
    const number = this.tokens.get(String(paymentMethodId));
    if (!number) throw invalid('Unknown or expired single-use payment method.', '91565');
    this.tokens.delete(String(paymentMethodId));
    if (number === '4242424242424241') throw invalid(`Credit card number ${number} is invalid.`, '81715');
    const name = (descriptor as Json | undefined)?.['name'];
    if (name !== undefined && !/^(?:.{3}|.{7}|.{12})\*.{1,18}$/.test(String(name)))
      throw invalid('Bad descriptor', '92201');
    const record = this.charge({
      minor,
      currency,
      number,
      capture,
      orderId: String(orderId ?? ''),
      descriptor: String(name ?? ''),
    });
    const response = declines[number];
    if (response) {
      record.status = 'PROCESSOR_DECLINED';
      record.history = [this.#event('PROCESSOR_DECLINED', { legacyCode: response, authorizationId: null })];
    } else this.performed.pay += 1;
    return record;
  }

  /** Creates a payment that the merchant made here. `minor`: minor units. */
  charge({ minor, number, capture = true, ...details }: BraintreeCharge): BraintreeRecord {
    const status = capture ? this.#captured() : 'AUTHORIZED';
    const record: BraintreeRecord = {
      ...{ id: this.#id(), orderId: '', status, minor, currency: 'USD', createdAt: nowMilliseconds(), number },
      ...{ source: 'API', descriptor: '', arn: '', refunds: [], disputes: [] },
      history: [
        ...(capture ? [this.#event(status)] : []),
        this.#event('AUTHORIZED', { legacyCode: '1000', authorizationId: '123456' }),
      ],
      ...details,
    };
    this.records.set(record.id, record);
    return record;
  }

  #captured(): string {
    return this.settlesAtOnce ? 'SETTLED' : 'SUBMITTED_FOR_SETTLEMENT';
  }

  #event(status: string, processorResponse?: Json): Json {
    const timestamp = toStamp(nowMilliseconds());
    return { __typename: events[status], status, timestamp, ...(processorResponse && { processorResponse }) };
  }

  #move(record: BraintreeRecord, status: string): BraintreeRecord {
    record.status = status;
    record.history.unshift(this.#event(status));
    return record;
  }

  #capture(record: BraintreeRecord, { transaction }: Json): BraintreeRecord {
    if (record.status !== 'AUTHORIZED') {
      throw invalid('Cannot submit for settlement unless status is authorized.', '91507');
    }
    const { amount } = (transaction ?? {}) as Json;
    const minor = amount === undefined ? record.minor : this.#minor(amount, record.currency);
    if (minor > record.minor) throw invalid('Settlement amount is too large.', '91522');
    record.minor = minor;
    this.performed.capture += 1;
    return this.#move(record, this.#captured());
  }

  #refund(record: BraintreeRecord, { amount, orderId }: Json): BraintreeRefundRecord {
    if (!['SETTLED', 'SETTLING'].includes(record.status)) {
      throw invalid('Cannot refund transaction unless it is settled.', '91506');
    }
    const left = record.minor - sumGivenBack(record);
    const minor = amount === undefined ? record.minor : this.#minor(amount, record.currency);
    if (left === 0) throw invalid('Transaction has already been completely refunded.', '91512');
    if (minor > left) throw invalid(`Refund amount ${amount} is too large.`, '91521');
    const fails = record.number === refundsFail;
    if (!fails) this.performed.refund += 1;
    return this.#giveBack(record, minor, String(orderId ?? record.orderId), fails);
  }

  #giveBack(record: BraintreeRecord, minor: number, orderId: string, fails = false): BraintreeRefundRecord {
    const status = fails ? 'PROCESSOR_DECLINED' : this.#captured();
    const refund = { id: this.#id(), orderId, status, minor, currency: record.currency, createdAt: nowMilliseconds() };
    record.refunds.push(refund);
    return refund;
  }

  #reverse(record: BraintreeRecord): Json {
    if (record.status === 'AUTHORIZED' || record.status === 'SUBMITTED_FOR_SETTLEMENT') {
      this.performed[record.status === 'AUTHORIZED' ? 'void' : 'refund'] += 1;
      return this.#shown(this.#move(record, 'VOIDED'));
    }
    if (!['SETTLED', 'SETTLING'].includes(record.status)) {
      throw invalid('Transaction can only be voided if status is authorized or submitted_for_settlement.', '91504');
    }
    return toRefundDto(this.#refund(record, {}));
  }

  refundByHand(id: string, minor: number) {
    const record = this.records.get(id);
    if (record) this.#giveBack(record, minor, record.orderId);
  }

  /** The night's batch. */
  settle() {
    for (const record of this.records.values()) {
      if (record.status === 'SUBMITTED_FOR_SETTLEMENT') this.#move(record, 'SETTLED');
    }
  }

  #refundsFound({ orderId }: Json): Json[] {
    const { is } = (orderId ?? {}) as Json;
    return [...this.records.values()]
      .flatMap(({ refunds }) => refunds)
      .filter((refund) => refund.orderId === is && refund.createdAt <= nowMilliseconds() - this.lag)
      .map(toRefundDto);
  }

  #disputes(): Json[] {
    return [...this.records.values()].flatMap((record) =>
      record.disputes.map((one) => ({ ...one, transaction: () => this.#shown(record) })),
    );
  }

  #disputesFound({ receivedDate }: Json): Json[] {
    const { greaterThanOrEqualTo: from = '', lessThanOrEqualTo: to = '9' } = (receivedDate ?? {}) as Record<
      string,
      string
    >;
    const isWithin = (day: string): boolean => day >= from && day <= to;
    return this.#disputes().filter((one) => isWithin(String(one['receivedDate'])));
  }

  /** Only open disputes take evidence, and can be finalized or accepted. */
  #openDispute({ disputeId }: Json): Json {
    const all = [...this.records.values()].flatMap(({ disputes }) => disputes);
    const found = all.find(({ legacyId }) => globalId('dispute', String(legacyId)) === disputeId);
    if (!found) throw new Refused('NOT_FOUND', 'An object with this ID was not found.');
    if (found['status'] !== 'OPEN') throw invalid('Only an Open dispute can be changed.', '95701');
    return found;
  }

  #addEvidence(__typename: string, { disputeId, ...content }: Json): Json {
    const dispute = this.#openDispute({ disputeId });
    const evidence = { __typename, id: this.#id(), ...content };
    dispute['evidence'] = [...((dispute['evidence'] ?? []) as Json[]), evidence];
    return evidence;
  }

  #deleteEvidence({ disputeId, evidenceId }: Json): Json {
    const dispute = this.#openDispute({ disputeId });
    const before = (dispute['evidence'] ?? []) as Json[];
    const evidence = before.filter(({ id }) => id !== evidenceId);
    if (evidence.length === before.length) throw new Refused('NOT_FOUND', 'An object with this ID was not found.');
    Object.assign(dispute, { evidence });
    return { clientMutationId: null };
  }

  #endDispute(input: Json, status: string): Json {
    return Object.assign(this.#openDispute(input), { status, statusHistory: [{ status: 'OPEN' }, { status }] });
  }

  /** Returns the dispute itself: a change of it is one at Braintree. */
  dispute(id: string, status: string, change: Json = {}): Json {
    const record = this.records.get(id);
    if (!record) throw new Error(`There is no transaction ${id}`);
    const dispute: Json = {
      ...{ legacyId: this.#id(), type: 'CHARGEBACK', status, createdAt: toStamp(nowMilliseconds()) },
      receivedDate: new Date(nowMilliseconds()).toISOString().slice(0, 10),
      replyByDate: new Date(nowMilliseconds() + 10 * 86_400_000).toISOString().slice(0, 10),
      amountDisputed: { value: toAmount(record), currencyCode: record.currency },
      processorResponse: { reason: 'FRAUD', reasonCode: '10.4' },
      ...change,
    };
    record.disputes.push(dispute);
    return dispute;
  }

  #node(id: string): Json {
    for (const record of this.records.values()) {
      if (globalId('transaction', record.id) === id) return this.#shown(record);
      const refund = record.refunds.find((one) => globalId('refund', one.id) === id);
      if (refund) return toRefundDto(refund);
    }
    const dispute = this.#disputes().find(({ legacyId }) => globalId('dispute', String(legacyId)) === id);
    if (!dispute) throw new Refused('NOT_FOUND', 'An object with this ID was not found.');
    return { __typename: 'Dispute', id, ...dispute };
  }

  #found({ orderId, createdAt, amount, paymentMethod }: Json): BraintreeRecord[] {
    const is = (value: unknown): unknown => ((value ?? {}) as Json)['is'];
    const between = (createdAt ?? {}) as Record<string, string>;
    const money = (amount ?? {}) as Json;
    const card = (((paymentMethod as Json | undefined)?.['paymentMethodSnapshot'] as Json | undefined)?.[
      'creditCardDetails'
    ] ?? {}) as Json;
    const ends = (card['number'] ?? {}) as Record<string, string>;
    return [...this.records.values()].filter((record) => {
      const at = new Date(record.createdAt).toISOString();
      return (
        record.createdAt <= nowMilliseconds() - this.lag &&
        (orderId === undefined || record.orderId === is(orderId)) &&
        (!between['greaterThanOrEqualTo'] || at >= between['greaterThanOrEqualTo']) &&
        (!between['lessThanOrEqualTo'] || at <= between['lessThanOrEqualTo']) &&
        (money['value'] === undefined || is(money['value']) === toAmount(record)) &&
        (money['currencyCode'] === undefined || is(money['currencyCode']) === record.currency) &&
        (!ends['startsWith'] || record.number.startsWith(ends['startsWith'])) &&
        (!ends['endsWith'] || record.number.endsWith(ends['endsWith']))
      );
    });
  }

  #shown(record: BraintreeRecord): Json {
    const {
      id,
      orderId,
      status,
      createdAt,
      toldAt = toStamp(createdAt),
      source,
      descriptor,
      number,
      arn,
      history,
      refunds,
      disputes,
    } = record;
    const details = { bin: number.slice(0, 6), last4: number.slice(-4) };
    return {
      ...{ __typename: 'Transaction', id: globalId('transaction', id) },
      ...{ legacyId: id, orderId, status, createdAt: toldAt, source, disputes, statusHistory: history },
      amount: { value: toAmount(record), currencyCode: record.currency },
      descriptor: { name: descriptor },
      paymentMethodSnapshot: {
        __typename: 'CreditCardTransactionDetails',
        acquirerReferenceNumber: arn,
        networkTransactionId: '016153570198200',
        creditCard: details,
      },
      refunds: refunds.map(toRefundDto),
    };
  }

  webhook(xml: string, privateKey = this.privateKey) {
    const payload = `${Buffer.from(xml).toString('base64').replace(/.{60}/g, '$&\n')}\n`;
    const key = createHash('sha1').update(privateKey).digest();
    const signature = createHmac('sha1', key).update(payload).digest('hex');
    const form = new URLSearchParams({ bt_signature: `${this.publicKey}|${signature}`, bt_payload: payload });
    return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, rawBody: form.toString() };
  }
}

const sumGivenBack = ({ refunds }: BraintreeRecord): number =>
  refunds.filter(({ status }) => status !== 'PROCESSOR_DECLINED').reduce((sum, { minor }) => sum + minor, 0);

const toRefundDto = (refund: BraintreeRefundRecord): Json => ({
  ...{ __typename: 'Refund', id: globalId('refund', refund.id) },
  ...{ legacyId: refund.id, orderId: refund.orderId, status: refund.status },
  createdAt: refund.toldAt ?? toStamp(refund.createdAt),
  amount: { value: toAmount(refund), currencyCode: refund.currency },
});

export const startFakeBraintree = async () => {
  const account = new Account();
  const server = await startFakeServer({
    vendor: 'braintree',
    answer: (request) => account.answer(request),
    nameCall: ({ body }) => /"(?:query|mutation) (\w+)/.exec(body)?.[1] ?? '',
    failure: () => ({ errors: [{ message: 'Something went wrong', extensions: { errorClass: 'INTERNAL' } }] }),
  });
  return Object.assign(account, server);
};

export type FakeBraintree = Awaited<ReturnType<typeof startFakeBraintree>>;
