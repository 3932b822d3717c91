import { endpoint } from '../../core/http.ts';
import { listPaymentMethods } from '../operations.ts';
import { paymentMethods } from '../payment-methods.ts';

export const handler = endpoint(listPaymentMethods, async () => ({
  list: [...paymentMethods],
  totalResult: paymentMethods.length,
}));
