import { schemes } from '#core/kernel/card/schemes.ts';
import type { Route } from '#payments/processors/routing/routing.ts';
import { type Fee, feeFor } from '../fees/fee.ts';
import { type PayingOperation, type TransactionField, transactionFields } from '../transaction-fields.ts';
import { isSchemeAccepted, type PaymentOption, paymentOption } from './options.ts';

export type RawInput = {
  routes: readonly Route[];
  fees: readonly Fee[];
  cartCurrency: string;
  /** The currency of the site's payments, and the rate to it. */
  charged: { currency: string; rate: string };
  cvvIsOptional: boolean;
};

export type RawMethod = PaymentOption & {
  fxrate: string;
  fee: { percentage: string; fixed: string } | null;
  operation: PayingOperation;
  fields: TransactionField[];
};

/** The methods by which a cart in some currency can be paid, with what each costs and what to send. */
export const rawMethods = ({ routes, fees, cartCurrency, charged, cvvIsOptional }: RawInput): RawMethod[] => {
  const { currency, rate } = charged;
  const operation = currency === cartCurrency ? 'singletx' : 'convertnpay';
  return schemes
    .filter((scheme) => isSchemeAccepted(routes, { scheme, currency }))
    .map((scheme) => {
      const fee = feeFor(fees, scheme, currency);
      return {
        ...paymentOption(scheme, currency),
        fxrate: rate,
        fee: fee ? { percentage: fee.percentage, fixed: fee.fixed } : null,
        operation,
        fields: transactionFields(operation, { cvvIsOptional }),
      };
    });
};
