import * as v from 'valibot';
import { MerchantIdField } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { FormFields, WholeNumber } from '#core/kernel/schema/schema.ts';
import { MaskedLine } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AlertSummary } from '#disputes/alerts/schemas.ts';
import { ChargebackSummarySchema } from '#disputes/chargebacks/schemas.ts';
import { OrderSummaryDto } from '#disputes/lookups/api/list-orders/operation.ts';
import { moneyStates } from '#payments/transactions/ledger/ledger.ts';
import { shownFields } from '#payments/transactions/transaction/transaction-dto-schemas.ts';

/** One kind of what was found. `n`: of those that were read. */
const foundList = <S extends v.GenericSchema>(item: S, what: string) =>
  describeField(
    v.object({
      n: count('How many were found; there are more if `more` is true.'),
      more: flag('Whether there are older ones that were not read.'),
      list: describeField(v.array(item), 'The newest of them.'),
    }),
    what,
  );

const Person = v.object({
  email: nullableText('The customer’s e-mail address.'),
  name: nullableText('The customer’s name; null if no order has it.'),
  account_id: nullableText('The customer’s account with you.'),
  purchases: count('How many of the found purchases are theirs.'),
  last_at: text('When they last bought, of these (ISO 8601).'),
  purchase_id: count('The newest of these purchases: an order, or a payment.'),
});

const SearchResult = v.object({
  understood: describeField(
    v.array(v.object({ filter: text('The filter.'), value: text('Its value.') })),
    'The filters that were found in the text.',
  ),
  not_understood: describeField(
    v.array(v.string()),
    'Filters that do not exist, or whose value is none; they are left out.',
  ),
  people: foundList(Person, 'Customers, whoever bought last first.'),
  alerts: foundList(AlertSummary, 'Alerts.'),
  chargebacks: foundList(ChargebackSummarySchema, 'Chargebacks.'),
  payments: foundList(
    v.object({
      ...shownFields,
      money_state: describeField(
        v.nullable(v.picklist(moneyStates)),
        'What became of the money; null: it is where it was.',
      ),
      buyer: nullableText(
        'The buyer’s e-mail address, or the name that a found order of the same address has; null where neither is known.',
      ),
    }),
    'Payments.',
  ),
  orders: foundList(
    v.object({
      ...OrderSummaryDto.entries,
      customer: nullableText('Who bought it; null if the order does not say.'),
    }),
    'Orders.',
  ),
});
export type SearchReply = v.InferOutput<typeof SearchResult>;

const SearchBody = FormFields({
  text: describeField(
    MaskedLine(200),
    'Words, numbers, amounts, and filters such as `card:4242`, `amount:45.20`, `email:…`, `order:…`, `arn:…`, `from:2026-11-01`, `in:alerts`.',
  ),
  mid: v.optional(MerchantIdField),
  size: describeField(v.optional(WholeNumber(1, 20), 5), 'How many of each kind to show.'),
});
export type SearchRequest = v.InferOutput<typeof SearchBody>;

export const searchOperation = defineOperation('search/search', {
  summary: 'Search alerts, chargebacks, payments, orders and customers',
  description:
    'By e-mail address, name, order number, ARN, reference, descriptor, amount, or a card’s first six and last four digits. Every word must fit; each is compared as a whole. An administrator names a merchant. A key finds only what its permissions let it read.',
  method: 'POST',
  path: '/api/v3/search',
  auth: 'bearer',
  permission: 'alerts:read',
  tool: { kind: 'read', hint: 'Begin here with what a customer says: an address, an order number, an amount.' },
  siteKeys: 'found',
  body: SearchBody,
  formats: ['json', 'form'],
  reply: SearchResult,
  errors: ['merchant_not_found'],
  grants: { table: ['BatchGetItem', 'Query'] },
});
