import * as v from 'valibot';
import { NameReply } from '#core/kernel/schema/field-schemas.ts';
import { text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { list } from '../../declarations.ts';
import { ListReply } from '../../schemas.ts';

export const PaymentMethodList = ListReply(
  v.object({
    code: text('What a transaction has as `card_type`.'),
    name: NameReply,
  }),
);

export const listPaymentMethodsOperation = defineOperation('datasources/list-payment-methods', {
  ...list,
  summary: 'Supported payment methods',
  description: 'The values of `paymethod` and `card_type`.',
  path: '/api/v3/datasource/paymentmethods',
  reply: PaymentMethodList,
  grants: {},
});
