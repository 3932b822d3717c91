// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import { adyenCurrency } from '../adyen/adyen-currencies.ts';
import type { CurrencyOf } from '../amounts.ts';
import { braintreeCurrency } from '../braintree/braintree-currencies.ts';
import { nmiCurrency } from '../nmi/nmi-currencies.ts';
import type { ProcessorName } from '../ports/processors.ts';
import { sandboxCurrency } from '../sandbox/sandbox-currencies.ts';
import { stripeCurrency } from '../stripe/stripe-currencies.ts';

/** The currencies of each processor and their decimals. */
export const processorCurrencies: Readonly<Record<ProcessorName, CurrencyOf>> = {
  sandbox: sandboxCurrency,
  stripe: stripeCurrency,
  adyen: adyenCurrency,
  nmi: nmiCurrency,
  braintree: braintreeCurrency,
};
