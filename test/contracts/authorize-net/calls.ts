import { anyOf, atLeast, type Contract, either, fields, list, type Schema, text, whole } from '../schema.ts';
import { authorizeNetTransactionFacts } from './transaction-states.ts';

/** Elements of a request have the order of the schema, in JSON as well; `inOrder` demands it. */
const ordered = (entries: Readonly<Record<string, Schema>>): Schema => ({ ...fields(entries), inOrder: true });
const request = (name: string, entries: Readonly<Record<string, Schema>>) =>
  fields({
    [`${name}Request`]: ordered({
      merchantAuthentication: ordered({ name: text(25), transactionKey: text(16) }),
      'refId?': text(20),
      ...entries,
    }),
  });
const messages = atLeast({
  resultCode: anyOf('Ok', 'Error'),
  message: list(fields({ code: text(/^[IE]\d{5}$/), text: text() }), { minItems: 1 }),
});
const sorting = ordered({ orderBy: anyOf('id', 'submitTimeUTC'), orderDescending: { type: 'boolean' } });
const paging = ordered({
  limit: { type: 'integer', minimum: 1, maximum: 1000 },
  offset: { type: 'integer', minimum: 1, maximum: 100_000 },
});
const status = anyOf(...authorizeNetTransactionFacts.statuses);
const time = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);

const createTransaction = ordered({
  transactionType: anyOf('refundTransaction', 'voidTransaction'),
  'amount?': text(/^\d+\.\d{2}$/),
  'currencyCode?': text(/^[A-Z]{3}$/),
  'payment?': ordered({ creditCard: ordered({ cardNumber: text(/^\d{4}$/), expirationDate: anyOf('XXXX') }) }),
  'refTransId?': text(20),
  'order?': ordered({ 'invoiceNumber?': text(20), 'description?': text(255) }),
  'transactionSettings?': ordered({
    setting: ordered({ settingName: anyOf('duplicateWindow'), settingValue: text() }),
  }),
});

/** The calls of Authorize.Net's API, in JSON. */
export const authorizeNetCalls: Contract = {
  source:
    'https://api.authorize.net/xml/v1/schema/AnetApiSchema.xsd, https://developer.authorize.net/api/reference/index.html',
  version: '1.0',
  date: '2026-11-28',
  checked: '2026-11-28',
  calls: {
    'POST /xml/v1/request.api': {
      headers: { 'content-type': /^application\/json/ },
      body: either(
        request('getMerchantDetails', {}),
        request('getSettledBatchList', {
          ...{ 'includeStatistics?': { type: 'boolean' }, 'firstSettlementDate?': time, 'lastSettlementDate?': time },
        }),
        request('getTransactionList', { batchId: text(/^\d+$/), 'sorting?': sorting, 'paging?': paging }),
        request('getUnsettledTransactionList', { 'sorting?': sorting, 'paging?': paging }),
        request('getTransactionDetails', { transId: text(/^\d+$/) }),
        request('ARBCancelSubscription', { subscriptionId: text(/^\d{1,13}$/) }),
        request('createTransaction', { transactionRequest: createTransaction }),
      ),
      answers: {
        200: atLeast({
          messages,
          'batchList?': list(atLeast({ batchId: text(/^\d+$/), settlementTimeUTC: time, settlementState: text() }), {
            minItems: 1,
          }),
          'transactions?': list(
            atLeast({ transId: text(/^\d+$/), submitTimeUTC: time, transactionStatus: status, accountType: text() }),
            { minItems: 1 },
          ),
          'transaction?': atLeast({
            transId: text(/^\d+$/),
            submitTimeUTC: time,
            transactionStatus: status,
            responseCode: whole,
          }),
          'transactionResponse?': atLeast({ responseCode: text(/^[1-4]$/), transId: text(/^\d+$/) }),
        }),
      },
    },
  },
};
