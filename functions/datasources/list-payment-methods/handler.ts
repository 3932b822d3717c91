import { endpoint } from '../../core/http.ts';
import { paymentMethods } from '../../payments/payment-methods.ts';
import { listPaymentMethods } from './operation.ts';

export const handler = endpoint(listPaymentMethods, async () => ({
  list: [...paymentMethods],
  totalResult: paymentMethods.length,
}));
