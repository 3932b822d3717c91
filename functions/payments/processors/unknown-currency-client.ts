import { log, metric } from '#core/platform/log/log.ts';
import { UnknownCurrencyError } from './amounts.ts';

/**
 * Reads an object of a processor, or returns undefined and raises an alarm where its currency is not in the processor's table: an amount that
 * is scaled by a guess may be a hundred times too high.
 */
export const readWithKnownCurrency = <T>(processor: string, read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnknownCurrencyError)) throw error;
    log('error', 'processor_currency_unknown', { processor, currency: error.currency });
    metric('UnknownCurrencies', 1, 'Count');
    return undefined;
  }
};
