import { anyOf, atLeast, type Contract, either, fields, text } from '../schema.ts';

const cents = text(/^(?:0|[1-9]\d*)\.\d\d$/);
const key = { security_key: text(/^[A-Za-z0-9]{1,64}$/) };
const form = { 'content-type': /^application\/x-www-form-urlencoded/ };
const reference = text(255);
const payment = fields({
  ...{ ...key, type: anyOf('sale', 'auth'), amount: cents, currency: text(/^[A-Z]{3}$/), orderid: reference },
  ...{
    'descriptor?': text(/^[\w .,'*/-]{1,25}$/),
    ccnumber: text(/^\d{12,19}$/),
    ccexp: text(/^(?:0[1-9]|1[0-2])\d\d$/),
  },
  ...{ 'cvv?': text(/^\d{3,4}$/), 'first_name?': text(), 'last_name?': text(), 'email?': text(/@/) },
  ...{ 'phone?': text(/^\d+$/), 'ipaddress?': text(), 'address1?': text(), 'city?': text(), 'state?': text() },
  ...{ 'zip?': text(10), 'country?': text(/^[A-Z]{2}$/) },
  ...{ 'cardholder_auth?': anyOf('verified', 'attempted'), 'cavv?': text(), 'eci?': text(/^0[0-7]$/) },
  ...{ 'three_ds_version?': text(/^2\.\d\.\d$/), 'directory_server_id?': text() },
  ...{ 'initiated_by?': anyOf('customer', 'merchant'), 'stored_credential_indicator?': anyOf('stored', 'used') },
  'initial_transaction_id?': text(/^\d+$/),
});
const of = (type: string, more: Parameters<typeof fields>[0] = {}) =>
  fields({ ...key, type: anyOf(type), transactionid: text(/^\d+$/), ...more });

/** Conditions of a transaction, and kinds of an action, as the Query API documents them. */
export const nmiQueryFacts = {
  conditions: [
    ...['pending', 'pendingsettlement', 'in_progress', 'abandoned', 'failed', 'canceled', 'complete', 'unknown'],
  ],
  actionTypes: [
    ...['sale', 'refund', 'credit', 'auth', 'capture', 'void', 'return', 'settle', 'check_return', 'check_late_return'],
    ...['validate', 'level3', 'upgrade'],
  ],
};
const action = atLeast({
  ...{ amount: text(), action_type: anyOf(...nmiQueryFacts.actionTypes), date: text(/^\d{14}$/) },
  success: anyOf('0', '1'),
});
const transaction = atLeast({
  ...{
    transaction_id: text(/^\d+$/),
    condition: anyOf(...nmiQueryFacts.conditions),
    action: either(action, { type: 'array', items: action }),
  },
});

/** The calls of NMI's Payment API and Query API. There is no machine-readable contract, and lengths are not published. */
export const nmiCalls: Contract = {
  source: 'https://docs.nmi.com/reference/payment-api, …/query-api',
  version: 'current',
  date: '2026-11-28',
  checked: '2026-11-28',
  calls: {
    'POST /api/transact.php': {
      headers: form,
      body: either(
        ...[
          payment,
          of('capture', { 'amount?': cents }),
          of('void'),
          of('refund', { 'amount?': cents, 'orderid?': reference }),
        ],
        fields({ ...key, recurring: anyOf('delete_subscription'), subscription_id: text() }),
      ),
      answers: {
        200: atLeast({ response: anyOf('1', '2', '3'), responsetext: text(), response_code: text(/^\d{3}$/) }),
      },
    },
    'POST /api/query.php': {
      headers: form,
      body: fields({
        ...{ ...key, 'transaction_id?': text(), 'order_id?': text(), 'cc_number?': text(/^\d{4}$|^\d{12,19}$/) },
        ...{
          'start_date?': text(/^\d{14}$/),
          'end_date?': text(/^\d{14}$/),
          'condition?': text(),
          'action_type?': text(),
        },
        ...{ 'transaction_type?': anyOf('cc'), 'result_limit?': text(/^\d+$/), 'page_number?': text(/^\d+$/) },
        'report_type?': text(),
      }),
      answers: {
        200: fields({
          nm_response: either(
            { const: '' },
            fields({ error_response: text() }),
            fields({ transaction: either(transaction, { type: 'array', items: transaction }) }),
            atLeast({ merchant: atLeast({}) }),
          ),
        }),
      },
    },
  },
};
