import { formatAmount } from '#core/kernel/money/money.ts';
import type { Funds } from '#payments/processors/ports/processor.ts';

/** The funds of several parts together, by currency in alphabetical order. */
export const sumFunds = (parts: readonly Funds[]): Funds[] => {
  const sums = new Map<string, Funds>();
  for (const { currency, available, reserved } of parts) {
    const before = sums.get(currency);
    sums.set(currency, {
      currency,
      available: (before?.available ?? 0n) + available,
      reserved: (before?.reserved ?? 0n) + reserved,
    });
  }
  return [...sums.values()].sort((left, right) => (left.currency < right.currency ? -1 : 1));
};

/**
 * A processor's balance, less what our books reserve: no processor knows of dispute alerts. While a refund is under way, what the
 * processor itself reserves counts twice, so the merchant is never told too much.
 */
export const lessKept = (funds: readonly Funds[], books: readonly Funds[]): Funds[] => {
  const kept = new Map(books.map(({ currency, reserved }) => [currency, reserved]));
  return sumFunds(funds).map(({ currency, available, reserved }) => {
    const more = kept.get(currency) ?? 0n;
    return { currency, available: available - more, reserved: reserved + more };
  });
};

/** On the wire: numbers in the currency's own decimals. After a payout, the available amount may be negative. */
export const toFundsDto = ({ currency, available, reserved }: Funds) => ({
  currency,
  available: decimal(available, currency),
  reserved: decimal(reserved, currency),
});

const decimal = (minor: bigint, currency: string): number => {
  const size = Number(formatAmount({ minor: minor < 0n ? -minor : minor, currency }));
  return minor < 0n ? -size : size;
};
