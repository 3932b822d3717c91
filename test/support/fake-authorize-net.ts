import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { type FakeReply, type FakeRequest, startFakeServer } from './fake-processor.ts';

/**
 * Authorize.Net's API in JSON as far as a connection uses it. Answers have the shapes of the examples in
 * https://developer.authorize.net/api/reference/index.html: status 200 whatever happened, a byte order mark, amounts that are numbers.
 * Fields in another order than the schema's are refused: https://api.authorize.net/xml/v1/schema/AnetApiSchema.xsd
 */

type Transaction = {
  /** The subscription of Automated Recurring Billing that charged it. */
  subscription?: string;
  id: string;
  type: 'authCaptureTransaction' | 'authOnlyTransaction' | 'refundTransaction';
  status: string;
  minor: number;
  number: string;
  at: number;
  isSettled: boolean;
  of: string;
  invoiceNumber: string;
  chargedBackAt?: number;
};

/** A card whose refunds are declined. */
export const refundsFailAtAuthorizeNet = '4000000000005126';

const newState = () => {
  let count = 60_000_000_000;
  return {
    transactions: new Map<string, Transaction>(),
    /** Subscriptions by their status. */
    subscriptions: new Map<string, 'active' | 'canceled' | 'terminated'>(),
    currency: 'USD',
    isTestMode: false,
    next: () => {
      count += 1;
      return String(count);
    },
  };
};
type State = ReturnType<typeof newState>;
type TransactionRequest = {
  transactionType?: string;
  amount?: string;
  currencyCode?: string;
  payment?: { creditCard?: { cardNumber?: string; expirationDate?: string } };
  refTransId?: string;
  order?: { invoiceNumber?: string };
};
type Fields = {
  merchantAuthentication?: { name?: string; transactionKey?: string };
  firstSettlementDate?: string;
  lastSettlementDate?: string;
  batchId?: string;
  sorting?: { orderBy: 'id' | 'submitTimeUTC'; orderDescending: boolean };
  paging?: { limit?: number; offset?: number };
  transId?: string;
  subscriptionId?: string;
  transactionRequest?: TransactionRequest;
};

const reply = (body: object): FakeReply => ({ status: 200, body: `\uFEFF${JSON.stringify(body)}` });
const makeMessages = (resultCode: 'Ok' | 'Error', code: string, text: string) => ({
  messages: { resultCode, message: [{ code, text }] },
});
const ok = (body: object): FakeReply => reply({ ...body, ...makeMessages('Ok', 'I00001', 'Successful.') });
const refused = (code: string, text: string): FakeReply => reply(makeMessages('Error', code, text));

const orders: Readonly<Record<string, readonly string[]>> = {
  getMerchantDetails: ['merchantAuthentication', 'refId'],
  getSettledBatchList: [
    ...['merchantAuthentication', 'refId', 'includeStatistics', 'firstSettlementDate', 'lastSettlementDate'],
  ],
  getTransactionList: ['merchantAuthentication', 'refId', 'batchId', 'sorting', 'paging'],
  getUnsettledTransactionList: ['merchantAuthentication', 'refId', 'status', 'sorting', 'paging'],
  getTransactionDetails: ['merchantAuthentication', 'refId', 'transId'],
  createTransaction: ['merchantAuthentication', 'refId', 'transactionRequest'],
  ARBCancelSubscription: ['merchantAuthentication', 'refId', 'subscriptionId'],
  transactionRequest: [
    ...['transactionType', 'amount', 'currencyCode', 'payment', 'profile', 'solution', 'callId', 'terminalNumber'],
    ...['authCode', 'refTransId', 'splitTenderId', 'order', 'lineItems', 'tax', 'customer', 'billTo', 'customerIP'],
    ...['employeeId', 'transactionSettings', 'userFields'],
  ],
};

const misplaced = (kind: string, fields: object): string | undefined => {
  const places = Object.keys(fields).map((name) => orders[kind]?.indexOf(name) ?? -1);
  return Object.keys(fields).find((_, n) => (places[n] ?? -1) <= (n === 0 ? -1 : (places[n - 1] ?? -1)));
};

const dayBatch = ({ at }: Transaction): string => String(Math.floor(at / milliseconds.day));

const listBatches = ({ transactions }: State, fields: Fields): FakeReply => {
  const [first, last] = [String(fields.firstSettlementDate), String(fields.lastSettlementDate)];
  const isTime = [first, last].every((time) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time));
  if (!isTime) return refused('E00003', 'The value is invalid according to its datatype dateTime.');
  const span = Date.parse(last) - Date.parse(first);
  if (span < 0 || span > 31 * milliseconds.day) return refused('E00025', 'The settlement date range is too large.');
  const batches = Map.groupBy(
    [...transactions.values()].filter((one) => one.isSettled),
    dayBatch,
  );
  const batchList = [...batches].flatMap(([batchId, all]) => {
    const time = iso(Math.max(...all.map(({ at }) => at))).replace(/\.\d+/, '');
    if (time < first || time > last) return [];
    const refundCount = all.filter(({ type }) => type === 'refundTransaction').length;
    const statistics = [{ accountType: 'Visa', chargeCount: all.length - refundCount, refundCount, voidCount: 0 }];
    return {
      batchId,
      settlementTimeUTC: time,
      settlementState: 'settledSuccessfully',
      paymentMethod: 'creditCard',
      statistics,
    };
  });
  return ok({ ...(batchList.length > 0 && { batchList }) });
};

const toSummary = (one: Transaction): object => ({
  transId: one.id,
  submitTimeUTC: iso(one.at).replace(/\.\d+/, ''),
  transactionStatus: one.status,
  ...(one.invoiceNumber !== '' && { invoiceNumber: one.invoiceNumber }),
  ...{ firstName: 'Ada', lastName: 'Lovelace', accountType: 'Visa', accountNumber: `XXXX${one.number.slice(-4)}` },
  ...{ settleAmount: one.status === 'voided' ? 0 : one.minor / 100, marketType: 'eCommerce' },
});

const list = (all: readonly Transaction[], fields: Fields): FakeReply => {
  const { limit = 1000, offset = 1 } = fields.paging ?? {};
  if (limit > 1000) return refused('E00013', 'limit is invalid.');
  const { orderBy = 'submitTimeUTC', orderDescending = true } = fields.sorting ?? {};
  const rise = (a: Transaction, b: Transaction): number =>
    orderBy === 'id' ? Number(a.id) - Number(b.id) : a.at - b.at;
  const inOrder = all.toSorted((a, b) => (orderDescending ? rise(b, a) : rise(a, b)));
  const sorted = inOrder.slice((offset - 1) * limit, offset * limit);
  if (sorted.length === 0) return reply(makeMessages('Ok', 'I00004', 'No records found.'));
  return ok({ transactions: sorted.map(toSummary), totalNumInResultSet: sorted.length });
};

const toDetails = (one: Transaction): object => ({
  transId: one.id,
  ...(one.of !== '' && { refTransId: one.of }),
  submitTimeUTC: iso(one.at),
  transactionType: one.type,
  transactionStatus: one.status,
  ...{ responseCode: 1, responseReasonCode: 1, responseReasonDescription: 'Approval', AVSResponse: 'Y' },
  ...(one.type !== 'refundTransaction' && { authCode: 'JPG9DJ', networkTransId: '0TN1VE648DCZ7CXZM0JBB2Z' }),
  ...(one.invoiceNumber !== '' && { order: { invoiceNumber: one.invoiceNumber } }),
  ...{ authAmount: one.minor / 100, settleAmount: one.minor / 100 },
  payment: { creditCard: { cardNumber: `XXXX${one.number.slice(-4)}`, expirationDate: 'XXXX', cardType: 'Visa' } },
  ...(one.subscription !== undefined && { subscription: { id: Number(one.subscription), payNum: 2 } }),
  ...(one.chargedBackAt && {
    returnedItems: [{ id: '1', dateUTC: iso(one.chargedBackAt), code: '10', description: '' }],
  }),
});

type Response = { responseCode: string; transId: string; error?: readonly [code: string, text: string] };

const respond = (state: State, { responseCode, transId, error }: Response): FakeReply =>
  reply({
    transactionResponse: {
      ...{ responseCode, authCode: '', transId: state.isTestMode ? '0' : transId, refTransID: '' },
      ...{ testRequest: state.isTestMode ? '1' : '0', accountNumber: 'XXXX1111', accountType: 'Visa' },
      ...(error
        ? { errors: [{ errorCode: error[0], errorText: error[1] }] }
        : { messages: [{ code: '1', description: 'This transaction has been approved.' }] }),
    },
    ...(error && responseCode === '3'
      ? makeMessages('Error', 'E00027', 'The transaction was unsuccessful.')
      : makeMessages('Ok', 'I00001', 'Successful.')),
  });

const failWith = (state: State, code: string, text: string): FakeReply =>
  respond(state, { responseCode: '3', transId: '0', error: [code, text] });

const sumRefunds = ({ transactions }: State, id: string): number =>
  [...transactions.values()]
    .filter((one) => one.of === id && one.status.startsWith('refund'))
    .reduce((sum, one) => sum + one.minor, 0);

const voidSale = (state: State, one: Transaction): FakeReply => {
  if (one.isSettled) return failWith(state, '16', 'The transaction cannot be found.');
  if (!state.isTestMode) one.status = 'voided';
  return respond(state, { responseCode: '1', transId: one.id });
};

const refund = (state: State, one: Transaction, sent: TransactionRequest): FakeReply => {
  const card = sent.payment?.creditCard;
  const isCard = card?.cardNumber === one.number.slice(-4) && card.expirationDate === 'XXXX';
  const minor = Math.round(Number(sent.amount) * 100);
  const invoiceNumber = sent.order?.invoiceNumber ?? '';
  if (invoiceNumber.length > 20) return refused('E00013', 'invoiceNumber is invalid.');
  if (sent.currencyCode !== state.currency) return failWith(state, '39', 'The supplied currency code is not allowed.');
  if (!one.isSettled || !isCard) {
    return failWith(state, '54', 'The referenced transaction does not meet the criteria for issuing a credit.');
  }
  if (sumRefunds(state, one.id) + minor > one.minor) {
    return failWith(
      state,
      '55',
      'The sum of credits against the referenced transaction would exceed original debit amount.',
    );
  }
  const isDone = [...state.transactions.values()].some(
    (other) => other.of === one.id && other.invoiceNumber === invoiceNumber && other.minor === minor,
  );
  if (isDone) return failWith(state, '11', 'A duplicate transaction has been submitted.');
  if (state.isTestMode) return respond(state, { responseCode: '1', transId: '0' });
  const isDeclined = one.number === refundsFailAtAuthorizeNet;
  const id = state.next();
  const made = { id, minor, of: one.id, invoiceNumber, number: one.number, at: nowMilliseconds(), isSettled: false };
  const status = isDeclined ? 'declined' : 'refundPendingSettlement';
  state.transactions.set(id, { ...made, type: 'refundTransaction', status });
  if (!isDeclined) return respond(state, { responseCode: '1', transId: id });
  return respond(state, { responseCode: '2', transId: id, error: ['2', 'This transaction has been declined.'] });
};

const transact = (state: State, fields: Fields): FakeReply => {
  const sent = fields.transactionRequest ?? {};
  const wrong = misplaced('transactionRequest', sent);
  if (wrong) return refused('E00003', `The element 'transactionRequest' has invalid child element '${wrong}'.`);
  const one = state.transactions.get(String(sent.refTransId));
  if (!one) return failWith(state, '16', 'The transaction cannot be found.');
  return sent.transactionType === 'voidTransaction' ? voidSale(state, one) : refund(state, one, sent);
};

/** Assumed: E00035, E00038, I00002, to be compared with https://developer.authorize.net/api/reference/responseCodes.html. */
const cancel = ({ subscriptions }: State, id: string): FakeReply => {
  const status = subscriptions.get(id);
  if (status === undefined) return refused('E00035', 'The subscription cannot be found.');
  if (status === 'terminated') return refused('E00038', 'The subscription cannot be canceled.');
  if (status === 'canceled') return reply(makeMessages('Ok', 'I00002', 'The subscription has already been canceled.'));
  subscriptions.set(id, 'canceled');
  return ok({});
};

const answerIn = (state: State, name: string, fields: Fields): FakeReply => {
  const all = [...state.transactions.values()];
  if (name === 'getSettledBatchList') return listBatches(state, fields);
  if (name === 'getUnsettledTransactionList')
    return list(
      all.filter((one) => !one.isSettled),
      fields,
    );
  if (name === 'getTransactionList') {
    return list(
      all.filter((one) => one.isSettled && dayBatch(one) === fields.batchId),
      fields,
    );
  }
  if (name === 'createTransaction') return transact(state, fields);
  if (name === 'ARBCancelSubscription') return cancel(state, String(fields.subscriptionId));
  if (name === 'getTransactionDetails') {
    const found = state.transactions.get(String(fields.transId));
    return found ? ok({ transaction: toDetails(found) }) : refused('E00040', 'The record cannot be found.');
  }
  return ok({
    isTestMode: state.isTestMode,
    merchantName: 'Shop',
    paymentMethods: ['Visa'],
    currencies: [state.currency],
  });
};

const callName = ({ body }: FakeRequest): string => Object.keys(JSON.parse(body))[0]?.replace(/Request$/, '') ?? '';

const [apiLoginId, transactionKey, readOnlyKey] = ['5KP3u95bQpv', '346HZ32z3fP4hTG2', '346HZ32z3fP4hTG3'] as const;

const answer = (state: State, request: FakeRequest): FakeReply => {
  const name = callName(request);
  const fields: Fields = JSON.parse(request.body)[`${name}Request`];
  const keys = fields.merchantAuthentication ?? {};
  const wrong = misplaced(name, fields);
  if (request.path !== '/xml/v1/request.api') return { status: 404, body: '' };
  if (wrong) return refused('E00003', `The element '${name}Request' has invalid child element '${wrong}'.`);
  if (keys.name !== apiLoginId || (keys.transactionKey !== transactionKey && keys.transactionKey !== readOnlyKey)) {
    return refused('E00007', 'User authentication failed due to invalid authentication values.');
  }
  if (keys.transactionKey === readOnlyKey && (name === 'createTransaction' || name === 'ARBCancelSubscription')) {
    return refused('E00010', 'User authentication failed. You do not have the appropriate permissions.');
  }
  return answerIn(state, name, fields);
};

export const startFakeAuthorizeNet = async () => {
  const state = newState();
  const server = await startFakeServer({
    vendor: 'authorize-net',
    answer: (request) => answer(state, request),
    nameCall: callName,
    failure: () => '',
  });
  const { transactions, subscriptions, next } = state;
  const all = () => [...transactions.values()];
  return {
    ...server,
    ...{ transactions, subscriptions, apiLoginId, transactionKey, readOnlyKey },
    setCurrency: (currency: string) => {
      state.currency = currency;
    },
    setTestMode: (isTestMode: boolean) => {
      state.isTestMode = isTestMode;
    },
    charge: ({ minor, ...change }: Partial<Transaction> & { minor: number }): Transaction => {
      const isSettled = change.isSettled ?? true;
      const made: Transaction = {
        ...{ id: next(), type: 'authCaptureTransaction', minor, number: '4111111111111111', at: nowMilliseconds() },
        ...{ status: isSettled ? 'settledSuccessfully' : 'capturedPendingSettlement', of: '', invoiceNumber: 'ORD-1' },
        ...change,
        isSettled,
      };
      transactions.set(made.id, made);
      return made;
    },
    refundByHand: (of: string, minor: number, change: Partial<Transaction> = {}) => {
      const id = next();
      const { number = '' } = transactions.get(of) ?? {};
      const made = { id, of, minor, number, at: nowMilliseconds(), isSettled: true, invoiceNumber: '' };
      transactions.set(id, { ...made, type: 'refundTransaction', status: 'refundSettledSuccessfully', ...change });
    },
    chargeBack: (id: string) => {
      const one = transactions.get(id);
      if (one) Object.assign(one, { status: 'chargeback', chargedBackAt: nowMilliseconds() });
    },
    settle: (id: string) => {
      const one = transactions.get(id);
      if (one) Object.assign(one, { isSettled: true, status: 'settledSuccessfully' });
    },
    /** The amounts that have been refunded or voided. */
    countRefunds: () => all().filter(({ status }) => status.startsWith('refund') || status === 'voided').length,
  };
};

export type FakeAuthorizeNet = Awaited<ReturnType<typeof startFakeAuthorizeNet>>;
