import * as v from 'valibot';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { MaskedText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { customerSubject } from '../../customer-schemas.ts';

export const noteCustomerOperation = defineOperation('search/note-customer', {
  summary: 'Add a note about a customer for colleagues',
  description:
    'The note is shown with the customer for 400 days. It is deleted when the customer’s data is erased. With a header `idempotency-key`, repeating the call adds no second note.',
  method: 'PATCH',
  path: '/api/v3/customers',
  otherMethods: ['POST'],
  auth: 'bearer',
  permission: 'orders',
  roles: ['analyst', 'manager'],
  siteKeys: 'found',
  body: v.object({ ...customerSubject, note: describeField(MaskedText(2000), 'A remark by the person who did it.') }),
  reply: v.object({ ...Ok.entries, noted_at: text('When the note was added (ISO 8601, UTC).') }),
  errors: ['alert_not_found', 'chargeback_not_found', 'order_not_found'],
  grants: { table: ['BatchGetItem', 'Query', 'PutItem'] },
  audit: true,
});
