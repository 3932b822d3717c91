import type { Money } from '#core/kernel/money/money.ts';
import { type ProcessorCurrency, toProcessorAmount } from './amounts.ts';
import type { ProcessorName } from './ports/processors.ts';
import { processorCurrencies } from './registered/registered-currencies.ts';

/** The currencies that processors take, for functions that offer payments without calling a processor: adapters would be too large for their bundles. */

/** Returns how a processor counts a currency; undefined if it does not accept it. */
export const currencyAt = (processor: ProcessorName, currency: string): ProcessorCurrency | undefined =>
  processorCurrencies[processor](currency);

/** Checks whether a processor takes a currency; with an amount, whether it can be expressed there exactly. */
export const canCharge = (
  processor: ProcessorName,
  { currency, minor }: { currency: string; minor?: Money['minor'] | undefined },
): boolean => {
  const counted = currencyAt(processor, currency);
  return (
    counted !== undefined && (minor === undefined || toProcessorAmount({ minor, currency }, counted) !== undefined)
  );
};
