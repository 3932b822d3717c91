import { createHmac } from 'node:crypto';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { type FakeReply, type FakeRequest, startFakeServer } from './fake-processor.ts';

/**
 * A stand-in of NMI's Payment API (transact.php) and Query API (query.php), as strict as https://docs.nmi.com/reference says and
 * stricter: it refuses fields that the documents do not name, keys without the right, captures of what is no authorisation, voids of
 * what has settled and refunds of more than there is. It knows no idempotency keys, as NMI does not. Its texts repeat what was sent.
 */

type Action = { type: string; minor: number; at: number; isSuccess: boolean; code: string; source: string };
export type NmiRecord = {
  id: string;
  orderId: string;
  condition: string;
  authCode: string;
  currency: string;
  number: string;
  /** For a refund: the payment. */
  originalId: string;
  subscriptionId: string;
  refunded: number;
  actions: Action[];
  madeAt: number;
};

/** NMI's own test account declines by the amount; here a number decides, as for the other stand-ins. */
const declines: Record<string, readonly [code: string, text: string]> = {
  '4000000000000002': ['200', 'DECLINE'],
  '4000000000009995': ['202', 'Insufficient funds'],
  '4000000000009987': ['251', 'Lost card'],
  '4000000000009979': ['252', 'Stolen card'],
  '4000000000000069': ['223', 'Expired card'],
  '4000000000000127': ['225', 'Invalid card security code'],
  '4000000000006975': ['203', 'Over limit'],
  '4100000000000019': ['253', 'Fraudulent card'],
};
const refundsFail = '4000000000005126';

const card = ['ccnumber', 'ccexp', 'cvv'];
const payer = ['first_name', 'last_name', 'email', 'phone', 'ipaddress', 'address1', 'city', 'state', 'zip', 'country'];
const threeDs = ['cardholder_auth', 'cavv', 'eci', 'three_ds_version', 'directory_server_id'];
const stored = ['initiated_by', 'stored_credential_indicator', 'initial_transaction_id'];
const payment = ['amount', 'currency', 'orderid', 'descriptor', ...card, ...payer, ...threeDs, ...stored];
const known: Record<string, readonly string[]> = {
  sale: payment,
  auth: payment,
  capture: ['transactionid', 'amount'],
  void: ['transactionid'],
  refund: ['transactionid', 'amount', 'orderid'],
};
const queried = [
  ...['transaction_id', 'order_id', 'cc_number', 'start_date', 'end_date', 'condition', 'action_type'],
  ...['transaction_type', 'result_limit', 'page_number', 'report_type'],
];

class Refused extends Error {
  readonly code: string;
  constructor(text: string, code = '300') {
    super(text);
    this.code = code;
  }
}

type NmiCharge = Partial<NmiRecord> & { minor: number; number: string; capture?: boolean; at?: number };

/** An account there, without a server in front of it. */
export class NmiAccount {
  readonly securityKey = '6457Thfj624V5r7WUwc5v6a68Zsd6YEm';
  /** A key that may not move money, and one that may not ask. */
  readonly queryOnlyKey = 'Q457Thfj624V5r7WUwc5v6a68Zsd6YEm';
  readonly paymentOnlyKey = 'P457Thfj624V5r7WUwc5v6a68Zsd6YEm';
  readonly webhookKey = 'B8F1A0E2C3D4958677685940F1E2D3C4';
  /** The operations that it performed, not those that were requested. */
  readonly performed = { pay: 0, capture: 0, void: 0, refund: 0, payout: 0 };
  readonly records = new Map<string, NmiRecord>();
  readonly subscriptions = new Set<string>();
  /** For how many milliseconds reports do not show what has just been done. */
  lag = 0;
  /** Has it turn away a payment with the card and amount of one before it, as accounts may be set up. */
  checksDuplicates = false;
  #last = 4_000_000_000;

  #id(): string {
    this.#last += 1;
    return String(this.#last);
  }

  answer(request: FakeRequest): FakeReply {
    const form = new URLSearchParams(request.body);
    if (request.path === '/api/query.php') return this.#reply(this.#query(request, form), 'text/xml');
    if (request.path !== '/api/transact.php') return { status: 404, body: 'Not Found' };
    try {
      return this.#reply(this.#transact(request, form), 'text/html');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const text = `${error.message} REFID:3187654321`;
      const [type, orderid] = [form.get('type') ?? '', form.get('orderid') ?? ''];
      return this.#reply(this.#said({ response: '3', text, type, orderid, code: error.code }), 'text/html');
    }
  }

  #reply(body: string, type: string): FakeReply {
    return { status: 200, body, headers: { 'content-type': `${type}; charset=UTF-8` } };
  }

  #said(said: {
    response: string;
    text: string;
    type: string;
    code: string;
    orderid?: string;
    auth?: string;
    id?: string;
  }) {
    const { response, text, type, code, orderid = '', auth = '', id = '' } = said;
    return new URLSearchParams({
      ...{ response, responsetext: text, authcode: auth, transactionid: id, avsresponse: '', cvvresponse: '' },
      ...{ orderid, type, response_code: code },
    }).toString();
  }

  #transact(request: FakeRequest, form: URLSearchParams): string {
    if (request.method !== 'POST') throw new Refused('Only POST is taken');
    if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) throw new Refused('No form');
    if (![this.securityKey, this.paymentOnlyKey].includes(form.get('security_key') ?? '')) {
      throw new Refused(
        form.get('security_key') === this.queryOnlyKey
          ? 'This API key has insufficient rights for this request'
          : 'Authentication Failed',
      );
    }
    if (form.has('recurring')) return this.#recurring(form);
    const type = form.get('type') ?? '';
    const fields = known[type];
    const unknownField = [...form.keys()].find(
      (name) => name !== 'security_key' && name !== 'type' && !fields?.includes(name),
    );
    if (!fields || unknownField) throw new Refused(`Invalid field ${unknownField ?? type} in ${request.body}`);
    if (type === 'sale' || type === 'auth') return this.#pay(type, form);
    const record = this.records.get(form.get('transactionid') ?? '');
    if (!record) throw new Refused('Transaction not found');
    if (type === 'capture') return this.#capture(record, form);
    return type === 'void' ? this.#void(record) : this.#refund(record, form);
  }

  #recurring(form: URLSearchParams): string {
    const id = form.get('subscription_id') ?? '';
    const others = [...form.keys()].filter((name) => !['security_key', 'recurring', 'subscription_id'].includes(name));
    if (form.get('recurring') !== 'delete_subscription' || others.length > 0)
      throw new Refused('Invalid recurring request');
    if (!this.subscriptions.delete(id)) throw new Refused('No recurring subscriptions found');
    return this.#said({ response: '1', text: 'Subscription deleted', type: '', code: '100', id });
  }

  #cents(form: URLSearchParams): number {
    const amount = form.get('amount') ?? '';
    if (!/^(?:0|[1-9]\d*)\.\d\d$/.test(amount) || Number(amount) <= 0) throw new Refused(`Invalid amount ${amount}`);
    return Math.round(Number(amount) * 100);
  }

  #pay(type: 'sale' | 'auth', form: URLSearchParams): string {
    const [minor, currency, number] = [this.#cents(form), form.get('currency') ?? 'USD', form.get('ccnumber') ?? ''];
    if (!/^\d{12,19}$/.test(number) || number === '4242424242424241') {
      throw new Refused(`Invalid Credit Card Number ${number} of ${form.get('first_name')}`);
    }
    if (!/^(?:0[1-9]|1[0-2])\d\d$/.test(form.get('ccexp') ?? '')) throw new Refused('Invalid expiration date');
    if (form.has('cvv') && !/^\d{3,4}$/.test(form.get('cvv') ?? '')) throw new Refused('CVV must be 3 or 4 digits');
    if (!['USD', 'EUR', 'GBP', 'CAD', 'AUD'].includes(currency)) {
      throw new Refused(`The cc payment type [Visa] and/or currency [${currency}] is not accepted`);
    }
    const isAlike = (one: NmiRecord) => one.number === number && one.actions[0]?.minor === minor && !one.originalId;
    if (this.checksDuplicates && [...this.records.values()].some(isAlike)) throw new Refused('Duplicate transaction');
    const [code, text] = declines[number] ?? ['100', 'SUCCESS'];
    const isDeclined = code !== '100';
    const orderId = form.get('orderid') ?? '';
    const record = this.charge({ minor, number, currency, orderId, capture: type === 'sale' });
    if (isDeclined) {
      const [action] = record.actions;
      if (action) Object.assign(action, { isSuccess: false, code });
      Object.assign(record, { condition: 'failed', authCode: '' });
    } else this.performed.pay += 1;
    const { id, authCode: auth } = record;
    return this.#said({ response: isDeclined ? '2' : '1', text, type, code, orderid: orderId, auth, id });
  }

  /** Creates a payment that the merchant made here. `minor`: cents. */
  charge({ minor, number, capture = true, at, ...details }: NmiCharge): NmiRecord {
    const madeAt = at ?? nowMilliseconds();
    const record: NmiRecord = {
      ...{ id: this.#id(), orderId: '', condition: capture ? 'pendingsettlement' : 'pending', authCode: '123456' },
      ...{ currency: 'USD', number, originalId: '', subscriptionId: '', refunded: 0, madeAt },
      actions: [this.#action(capture ? 'sale' : 'auth', minor, madeAt)],
      ...details,
    };
    this.records.set(record.id, record);
    return record;
  }

  #action(type: string, minor: number, at = nowMilliseconds()): Action {
    return { type, minor, at, isSuccess: true, code: '100', source: 'api' };
  }

  #capture(record: NmiRecord, form: URLSearchParams): string {
    const minor = this.#cents(form);
    if (record.condition !== 'pending')
      throw new Refused('A capture requires that the existing transaction be an AUTH');
    const authorised = record.actions[0]?.minor ?? 0;
    if (minor > authorised) {
      throw new Refused(
        `The specified amount of ${form.get('amount')} exceeds the authorization amount of ${authorised / 100}`,
      );
    }
    record.condition = 'pendingsettlement';
    record.actions.push(this.#action('capture', minor));
    this.performed.capture += 1;
    return this.#said({
      response: '1',
      text: 'SUCCESS',
      type: 'capture',
      code: '100',
      auth: record.authCode,
      id: record.id,
    });
  }

  #void(record: NmiRecord): string {
    if (!['pending', 'pendingsettlement'].includes(record.condition)) {
      throw new Refused('Only transactions pending settlement can be voided');
    }
    const isSale = record.condition === 'pendingsettlement';
    if (isSale && record.number === refundsFail) {
      return this.#said({ response: '2', text: 'DECLINE', type: 'void', code: '200', id: record.id });
    }
    record.condition = 'canceled';
    record.actions.push(this.#action('void', record.actions[0]?.minor ?? 0));
    this.performed[isSale ? 'refund' : 'void'] += 1;
    return this.#said({ response: '1', text: 'Transaction Void Successful', type: 'void', code: '100', id: record.id });
  }

  #refund(record: NmiRecord, form: URLSearchParams): string {
    const minor = this.#cents(form);
    const orderid = form.get('orderid') ?? '';
    if (!['pendingsettlement', 'complete'].includes(record.condition) || record.originalId) {
      throw new Refused('The specified transaction cannot be refunded');
    }
    if (minor > this.#captured(record) - record.refunded) {
      throw new Refused('Refund amount may not exceed the transaction balance');
    }
    if (record.number === refundsFail) {
      return this.#said({ response: '2', text: 'DECLINE', type: 'refund', code: '200', orderid, id: this.#id() });
    }
    const made = this.#giveBack(record, minor, orderid);
    this.performed.refund += 1;
    return this.#said({ response: '1', text: 'SUCCESS', type: 'refund', code: '100', orderid, id: made.id });
  }

  #captured({ actions }: NmiRecord): number {
    return actions.findLast(({ type }) => type === 'capture' || type === 'sale')?.minor ?? 0;
  }

  /** A refund is a transaction of its own; its amount has a minus there. */
  #giveBack(record: NmiRecord, minor: number, orderId: string): NmiRecord {
    record.refunded += minor;
    const { number, currency, id } = record;
    const made = this.charge({ minor, number, currency, orderId, originalId: id });
    made.actions = [this.#action('refund', minor)];
    return made;
  }

  /** Creates a refund that the merchant makes in NMI's own pages, without a notice. */
  refundByHand(id: string, minor: number) {
    const record = this.records.get(id);
    if (record) this.#giveBack(record, minor, record.orderId);
  }

  chargeBack(id: string, minor: number) {
    this.records.get(id)?.actions.push(this.#action('return', minor));
  }

  /** The night's batch: what waits for settlement settles. */
  settle() {
    for (const record of this.records.values()) {
      if (record.condition !== 'pendingsettlement') continue;
      record.condition = 'complete';
      record.actions.push(this.#action('settle', record.actions.at(-1)?.minor ?? 0));
    }
  }

  webhook(body: Record<string, unknown>, key = this.webhookKey) {
    const rawBody = JSON.stringify(body);
    const nonce = 'a1b2c3d4e5f60718';
    const signature = createHmac('sha256', key).update(`${nonce}.${rawBody}`).digest('hex');
    return { headers: { 'webhook-signature': `t=${nonce},s=${signature}` }, rawBody };
  }

  #query(request: FakeRequest, form: URLSearchParams): string {
    const errorReply = (text: string) =>
      `<nm_response><error_response>${text} REFID:201239399</error_response></nm_response>`;
    if (request.method !== 'POST') return errorReply('Only POST is taken');
    if (form.get('security_key') === this.paymentOnlyKey)
      return errorReply('Insufficient permission for the Query API');
    if (![this.securityKey, this.queryOnlyKey].includes(form.get('security_key') ?? '')) {
      return errorReply('Authentication Failed');
    }
    const unknownField = [...form.keys()].find((name) => name !== 'security_key' && !queried.includes(name));
    if (unknownField) return errorReply(`Invalid field ${unknownField}`);
    const limit = Number(form.get('result_limit') ?? 1000);
    const from = Number(form.get('page_number') ?? 0) * limit;
    const shown = this.#found(form).slice(from, from + limit);
    return `<?xml version="1.0" encoding="UTF-8"?>\n<nm_response>${shown.map(toXml).join('\n')}</nm_response>`;
  }

  #found(form: URLSearchParams): NmiRecord[] {
    const is = (name: string, value: string) => !form.get(name) || (form.get(name) ?? '').split(',').includes(value);
    const [from, to] = [form.get('start_date'), form.get('end_date')];
    const visible = nowMilliseconds() - this.lag;
    return [...this.records.values()].flatMap((record) => {
      const actions = record.actions.filter(({ at }) => at <= visible);
      const changed = toTime(Math.max(record.madeAt, ...actions.map(({ at }) => at)));
      const fits =
        actions.length > 0 &&
        is('transaction_id', record.id) &&
        is('order_id', record.orderId) &&
        (!form.get('cc_number') || record.number.endsWith(form.get('cc_number') ?? '')) &&
        (!from || changed >= from) &&
        (!to || toTime(record.madeAt) <= to) &&
        (!form.get('action_type') || actions.some(({ type }) => is('action_type', type))) &&
        is('condition', record.condition);
      return fits ? [{ ...record, actions }] : [];
    });
  }
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** `YYYYMMDDhhmmss`, UTC. */
const toTime = (at: number): string => new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);
const inUnits = (minor: number): string => (minor / 100).toFixed(2);

const toXml = (record: NmiRecord): string => {
  const { id, orderId, condition, authCode, currency, number, subscriptionId, actions, originalId } = record;
  const fields = {
    ...{ transaction_id: id, platform_id: '', transaction_type: 'cc', condition, order_id: orderId },
    ...{
      authorization_code: authCode,
      first_name: 'Ada & <Co>',
      cc_number: `${number[0]}xxxxxxxxxxx${number.slice(-4)}`,
    },
    ...{ cc_bin: number.slice(0, 6), currency, subscription_id: subscriptionId },
  };
  const made = actions.map(({ type, minor, at, isSuccess, code, source }) => {
    const amount = originalId && type === 'refund' ? `-${inUnits(minor)}` : inUnits(minor);
    const action = {
      ...{ amount, action_type: type, date: toTime(at), success: isSuccess ? '1' : '0', source },
      ...{ response_text: isSuccess ? 'SUCCESS' : 'DECLINE', response_code: code },
    };
    return `<action>${tags(action)}</action>`;
  });
  return `<transaction>${tags(fields)}${made.join('')}</transaction>`;
};

const tags = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`)
    .join('');

export const startFakeNmi = async () => {
  const account = new NmiAccount();
  const server = await startFakeServer({
    vendor: 'nmi',
    answer: (request) => account.answer(request),
    failure: (status) => `<html><body>HTTP ${status}</body></html>`,
  });
  return Object.assign(account, server);
};

export type FakeNmi = Awaited<ReturnType<typeof startFakeNmi>>;
