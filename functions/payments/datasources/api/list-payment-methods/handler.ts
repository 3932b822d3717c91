import { endpoint } from '#core/platform/http/http.ts';
import { paymentMethods } from '#payments/payments/payment-methods.ts';
import { listPaymentMethods } from './operation.ts';

export const handler = endpoint(listPaymentMethods, async () => ({
  list: [...paymentMethods],
  totalResult: paymentMethods.length,
}));
