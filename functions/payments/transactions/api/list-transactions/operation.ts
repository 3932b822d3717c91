import * as v from 'valibot';
import {
  CreatedAtReply,
  CurrencyReply,
  DateFromField,
  DateToField,
  MerchantIdField,
  NextCursorReply,
  RetailerIdField,
  SiteIdField,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableCount, text } from '#core/kernel/schema/field-words.ts';
import { Id, OneOrMore, pageFields } from '#core/kernel/schema/schema.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { buyerFields } from '#payments/orders/field-schemas.ts';
import { StatusReply, TxActionReply } from '../../field-schemas.ts';
import { moneyStates } from '../../ledger/ledger.ts';
import { txActions, txStatuses } from '../../transaction/transaction.ts';
import { shownFields } from '../../transaction/transaction-dto-schemas.ts';

const Digits = (length: number) =>
  v.pipe(
    v.string(`must be ${length} digits, as text`),
    v.regex(new RegExp(`^\\d{${length}}$`), `must be ${length} digits, as text`),
  );

const { size, cursor, order } = pageFields;

/** Which transactions to list. */
export const ListTransactions = v.object({
  mid: v.optional(MerchantIdField),
  rid: v.optional(RetailerIdField),
  sid: v.optional(SiteIdField),
  status: describeField(
    v.optional(OneOrMore(txStatuses)),
    'OK done, EXC refused, PEND not known yet or waiting for the payer.',
  ),
  tx_action: describeField(
    v.optional(OneOrMore(txActions)),
    'What is done: PAYMENT, PREAUTH, CAPTURE, REFUND, VOID or PAYOUT.',
  ),
  card_firstsix: describeField(v.optional(Digits(6)), 'The first six digits of the card number.'),
  card_lastfour: describeField(v.optional(Digits(4)), 'The last four digits of the card number.'),
  tid: describeField(
    v.optional(v.pipe(AnyText, v.maxLength(64, 'must have at most 64 characters'))),
    'Your own reference of the order. The same one with the same body is answered as the first and charges nothing.',
  ),
  txid: describeField(v.optional(Id), 'The transaction.'),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  size,
  cursor,
  order,
});
export type ListTransactions = v.InferOutput<typeof ListTransactions>;

/** One transaction, as a search finds it. */
export const TransactionRow = v.object({
  ...shownFields,
  money_state: describeField(
    v.nullable(v.picklist(moneyStates)),
    'What became of the money of a payment that succeeded; null: nothing, or it is no payment.',
  ),
});

/** The same in the list, with who bought what. */
const ListedTransaction = v.object({
  ...TransactionRow.entries,
  ...buyerFields,
  payment: describeField(
    v.nullable(
      v.object({
        status: StatusReply,
        tx_action: TxActionReply,
        amount: text('With all decimals of its currency.'),
        currency: CurrencyReply,
        created_at: CreatedAtReply,
        money_state: describeField(v.nullable(v.picklist(moneyStates)), 'What became of its money.'),
      }),
    ),
    'Of a capture, refund, void or payout: the payment that it belongs to. Null for a payment.',
  ),
});

export const TransactionPageSchema = v.object({
  list: describeField(v.array(ListedTransaction), 'One page, the newest first unless `order` says otherwise.'),
  totalResult: nullableCount('Null where not all were looked at: transactions are not counted.'),
  next_cursor: v.nullable(NextCursorReply),
});

export const listTransactionsOperation = defineOperation('transactions/list-transactions', {
  summary: 'List transactions',
  description:
    'Payments with what was done to them, newest first, filtered by site, status, action, card, `tid` or `txid`, and date. An ' +
    'administrator also sends `mid` or `sid`. A call looks at 1,000 transactions at most; where a filter leaves few of them, a page ' +
    'may have fewer than `size`, or none, and still a `next_cursor`.',
  method: 'POST',
  path: '/api/v3/service_process/transactions/list',
  auth: 'bearer',
  permission: 'payments:read',
  tool: { kind: 'read' },
  siteKeys: 'named',
  body: ListTransactions,
  formats: ['json', 'form'],
  reply: TransactionPageSchema,
  errors: ['merchant_not_found', 'retailer_not_found', 'site_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem'], indexes: ['list1', 'list3', 'list3f', 'list4'] },
});
