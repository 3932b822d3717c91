import type { Money } from '../core/money.ts';
import { adyenCurrency } from './adyen/adyen-currencies.ts';
import { type ProcessorCurrency, toProcessorAmount } from './amounts.ts';
import { braintreeCurrency } from './braintree/braintree-currencies.ts';
import { nmiCurrency } from './nmi/nmi-currencies.ts';
import type { ProcessorName } from './processor.ts';
import { sandboxCurrency } from './sandbox/sandbox-currencies.ts';
import { stripeCurrency } from './stripe/stripe-currencies.ts';

/** What processors take, for those who offer payments and ask no processor: their adapters are too much to bring for that. */
const tables: Readonly<Record<ProcessorName, (currency: string) => ProcessorCurrency | undefined>> = {
  sandbox: sandboxCurrency,
  stripe: stripeCurrency,
  adyen: adyenCurrency,
  nmi: nmiCurrency,
  braintree: braintreeCurrency,
};

/** Whether money can be paid out to a card through it: see docs/decisions/0124-payouts.md. The adapters say the same. */
export const canPayOut = (processor: ProcessorName): boolean => processor === 'sandbox';

/** How a processor counts a currency; undefined if it does not take it. */
export const currencyAt = (processor: ProcessorName, currency: string): ProcessorCurrency | undefined =>
  tables[processor](currency);

/** Whether a processor takes a currency; with an amount, whether that can be said to it exactly. */
export const canCharge = (
  processor: ProcessorName,
  { currency, minor }: { currency: string; minor?: Money['minor'] | undefined },
): boolean => {
  const counted = currencyAt(processor, currency);
  return (
    counted !== undefined && (minor === undefined || toProcessorAmount({ minor, currency }, counted) !== undefined)
  );
};
