import { endpoint } from '#core/platform/http/http.ts';
import { paymentMethods } from '#payments/payments/payment-methods.ts';
import { listPaymentMethodsOperation } from './operation.ts';

export const handler = endpoint(listPaymentMethodsOperation, async () => ({
  list: [...paymentMethods],
  totalResult: paymentMethods.length,
}));
