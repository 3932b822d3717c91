import { exponentOf, isCurrency } from '#core/kernel/money/money.ts';
import type { CurrencyOf } from '../amounts.ts';

/**
 * NMI writes every amount as `x.xx`, and the bank behind it decides which currencies an account takes. For currencies with
 * other decimals its documents do not say what `x.xx` means, so those are not offered: see docs/decisions/0065.
 */
export const nmiCurrency: CurrencyOf = (currency) =>
  isCurrency(currency) && exponentOf(currency) === 2 && (!currency.startsWith('X') || /^XC[DG]$/.test(currency))
    ? { exponent: 2, step: 1 }
    : undefined;
