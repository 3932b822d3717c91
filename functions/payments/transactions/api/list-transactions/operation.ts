import * as v from 'valibot';
import { FromTime, Id, OneOrMore, pageFields, ToTime } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { shownFields } from '../../transaction/shown-schemas.ts';
import { txActions, txStatuses } from '../../transaction/transaction.ts';

const Digits = (length: number) =>
  v.pipe(
    v.string(`must be ${length} digits, as text`),
    v.regex(new RegExp(`^\\d{${length}}$`), `must be ${length} digits, as text`),
  );

const { size, cursor, order } = pageFields;

/** Which transactions to list. */
export const ListTransactions = v.object({
  mid: v.optional(Id),
  rid: v.optional(Id),
  sid: v.optional(Id),
  status: v.optional(OneOrMore(txStatuses)),
  tx_action: v.optional(OneOrMore(txActions)),
  card_firstsix: v.optional(Digits(6)),
  card_lastfour: v.optional(Digits(4)),
  tid: v.optional(v.pipe(v.string('must be text'), v.maxLength(64, 'must have at most 64 characters'))),
  txid: v.optional(Id),
  date_from: v.optional(FromTime),
  date_to: v.optional(ToTime),
  size,
  cursor,
  order,
});
export type ListTransactions = v.InferOutput<typeof ListTransactions>;

/** One transaction of a list. */
export const TransactionRow = v.object(shownFields);

export const TransactionPage = v.object({
  list: v.array(TransactionRow),
  totalResult: v.pipe(
    v.nullable(v.number()),
    v.description('Null where not all were looked at: transactions are not counted.'),
  ),
  next_cursor: v.nullable(v.string()),
});

export const listTransactions = defineOperation({
  area: 'transactions',
  name: 'list-transactions',
  summary: 'List transactions',
  description:
    'Payments with what was done to them, newest first, filtered by site, status, action, card, `tid` or `txid`, and date. An ' +
    'administrator also sends `mid` or `sid`. A call looks at 1,000 transactions at most; where a filter leaves few of them, a page ' +
    'may have fewer than `size`, or none, and still a `next_cursor`.',
  method: 'POST',
  path: '/api/v3/service_process/transactions/list',
  auth: 'bearer',
  body: ListTransactions,
  formats: ['json', 'form'],
  reply: TransactionPage,
  errors: ['merchant_not_found', 'retailer_not_found', 'site_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem'], indexes: ['list1', 'list3', 'list3f', 'list4'] },
});
