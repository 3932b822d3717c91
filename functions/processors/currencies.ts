import type { Money } from '../core/money.ts';
import { type ProcessorCurrency, toProcessorAmount } from './amounts.ts';
import { declarations } from './declared.ts';
import type { ProcessorName } from './processors.ts';

/** What processors take, for those who offer payments and ask no processor: their adapters are too much to bring for that. */

/** How a processor counts a currency; undefined if it does not take it. */
export const currencyAt = (processor: ProcessorName, currency: string): ProcessorCurrency | undefined =>
  declarations[processor].currency(currency);

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
