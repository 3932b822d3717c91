import * as v from 'valibot';
import { AlertIdField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';

/** Names a customer by one thing that is about them, so that no address is in an address bar or a log. */
export const customerSubject = {
  purchase_id: describeField(v.optional(Id), 'A purchase of the customer: the number of an order or of a payment.'),
  alert_id: v.optional(AlertIdField),
  chargeback_id: describeField(v.optional(Text(64)), 'A chargeback of a purchase of theirs.'),
};
const CustomerSubject = v.object(customerSubject);
export type CustomerSubject = v.InferOutput<typeof CustomerSubject>;
