import * as v from 'valibot';
import { AmountReply, AtReply, CardReply, CurrencyReply, SiteIdReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { FormFields } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AlertSummary } from '#disputes/alerts/schemas.ts';
import { ChargebackSummarySchema } from '#disputes/chargebacks/schemas.ts';
import { LookupDto } from '#payments/orders/dto-schemas.ts';
import { moneyStates } from '#payments/transactions/ledger/ledger.ts';
import { customerSubject } from '../../customer-schemas.ts';

const Purchase = v.object({
  purchase_id: count('The number of the order, and of the payment if it was taken here.'),
  order_id: describeField(v.nullable(v.number()), 'The order; null if none is stored.'),
  txid: describeField(v.nullable(v.number()), 'The payment; null if it was not taken here.'),
  sid: SiteIdReply,
  at: AtReply,
  reference: text('Your own number of the order; or the reference of the payment.'),
  amount: AmountReply,
  currency: CurrencyReply,
  card: describeField(v.nullable(v.string()), 'The card number, masked.'),
  status: describeField(v.picklist(['OK', 'PEND', 'EXC']), 'Whether it was paid.'),
  money_state: describeField(
    v.nullable(v.picklist(moneyStates)),
    'What became of the money; null: it is where it was.',
  ),
  refunds: describeField(
    v.array(v.object({ amount: AmountReply, currency: CurrencyReply, at: AtReply })),
    'What was refunded of it, as its order has it.',
  ),
  items: describeField(v.array(v.string()), 'What was bought.'),
  delivered_at: nullableText('When all of it was delivered (ISO 8601); null if that is not known.'),
  signed_by: nullableText('Who signed for the delivery.'),
  liability_shift: describeField(
    v.nullable(v.boolean()),
    'Whether 3-D Secure moved the liability for fraud to the issuer; null: the payer was not authenticated here.',
  ),
  ip: nullableText('The customer’s IP address.'),
  device_id: nullableText('The customer’s device, as the merchant names it.'),
});

/** `others`: who else has it. */
const shared = {
  purchases: count('How many of the purchases have it.'),
  others: count('How many other customers have it too, of those that were read.'),
  more: flag('Whether there may be more of them.'),
};

const Customer = v.object({
  email: nullableText('The customer’s e-mail address; null if no purchase names one.'),
  name: nullableText('The customer’s name.'),
  account_id: nullableText('The customer’s account with you.'),
  purchases: describeField(v.array(Purchase), 'Newest first.'),
  alerts: describeField(v.array(AlertSummary), 'Alerts about these purchases.'),
  chargebacks: describeField(v.array(ChargebackSummarySchema), 'Chargebacks of these purchases.'),
  lookups: describeField(v.array(LookupDto), 'What banks asked about the newest ten of these purchases.'),
  cards: describeField(v.array(v.object({ card: CardReply, ...shared })), 'The cards that they paid with.'),
  ips: describeField(v.array(v.object({ ip: text('The IP address.'), ...shared })), 'Where they bought from.'),
  notes: describeField(
    v.array(v.object({ at: AtReply, by: text('Who wrote it.'), text: text('The note.') })),
    'Notes of colleagues, newest first.',
  ),
  more: flag('Whether there are older purchases, alerts or chargebacks that were not read.'),
});
export type CustomerReply = v.InferOutput<typeof Customer>;

export const customerDetailsOperation = defineOperation('search/customer-details', {
  summary: 'Show a customer',
  description:
    'Purchases, alerts, chargebacks, refunds, devices, authentications, look-ups and notes of one person. The person is known by the e-mail address, or the account, of the purchase that is named or that the alert or chargeback is about; not by a card, which several people may have. Without either, only that purchase is shown.',
  method: 'POST',
  path: '/api/v3/customers',
  otherMethods: ['PATCH'],
  auth: 'bearer',
  permission: 'orders:read',
  tool: { kind: 'read', hint: 'Who a buyer is, before an alert or a chargeback is answered.' },
  siteKeys: 'found',
  body: FormFields(customerSubject),
  formats: ['json', 'form'],
  reply: Customer,
  errors: ['alert_not_found', 'chargeback_not_found', 'order_not_found'],
  grants: { table: ['BatchGetItem', 'Query'], indexes: ['list3'] },
});
