import { exponentOf, isCurrency } from '#core/kernel/money/money.ts';
import type { CurrencyOf } from '../amounts.ts';

/** Metals, units of account and test codes are not money that a card can pay with. */
const isMoney = (currency: string): boolean =>
  isCurrency(currency) && (!currency.startsWith('X') || ['XAF', 'XCD', 'XCG', 'XOF', 'XPF'].includes(currency));

/** The currencies of the sandbox: all of ISO 4217. */
export const sandboxCurrency: CurrencyOf = (currency) => {
  const exponent = isMoney(currency) ? exponentOf(currency) : undefined;
  return exponent === undefined ? undefined : { exponent, step: 1 };
};
